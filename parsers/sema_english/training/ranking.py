"""Learning from order: a faithful simplification has to score above the texts that are worse."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sema.analysis.analyser import Analyser
from sema.metrics.meaning.evidence import gather_meaning
from sema.metrics.meaning.words import CERTAIN
from sema.model.item import Item, Need
from sema.model.meaning import Meaning
from sema_english.judge.features import LIKELIEST_LINK, WordFeatures
from sema_english.judge.model import SURE
from sema_english.training.meaning_model import MeaningNet, padded
from sema_english.training.stories import Story

log = logging.getLogger("sema_english.training")

Numbers = NDArray[np.float32]

MARGIN, SOFTNESS = 0.05, 0.1
"""How much higher the better text has to score (of 1), and the width of the step between right and wrong order."""
STORIES = 16
"""Stories beside each batch of ratings."""
WORSE = 3
"""Worse texts of a story that are looked at in one go."""
_AT_A_TIME = 300


@dataclass(frozen=True)
class JudgedSide:
    """The words of one side (rows), with all that :class:`sema_english.judge.model.EnglishMeaning` makes a score of.

    Attributes:
        features, copied: what the network reads, and what it would read in a copy.
        lowered: what facts leave of a word's probability, of 1.
        raised: the least probability that facts give it.
        facts: what links and facts alone say.
    """

    features: Numbers
    copied: Numbers
    lowered: Numbers
    raised: Numbers
    facts: Numbers


Judged = tuple[JudgedSide, JudgedSide]


@dataclass(frozen=True)
class Ranking:
    """The faithful simplification of a story, and the worse texts."""

    good: Judged
    worse: tuple[Judged, ...]


Told = Sequence[tuple[Item, Meaning]]
"""A story's texts, the better one first, each with the evidence of links and facts."""


def analysed_stories(stories: Sequence[Story]) -> list[Told]:
    """Stories whose texts can all be analysed."""
    from sema_english.language import english

    parts = english().parts()
    assert parts.facts is not None
    analyser = Analyser(parts, frozenset(Need) - {Need.REFERENCES})
    found: list[Told] = []
    for start in range(0, len(stories), _AT_A_TIME):
        some = stories[start : start + _AT_A_TIME]
        texts = [(story.source, text) for story in some for text in (story.good, *story.worse)]
        (items,) = analyser.prepare([source for source, _ in texts], [[text for _, text in texts]], segment=False)
        waiting = iter(items)
        for story in some:
            read = [next(waiting) for _ in (story.good, *story.worse)]
            whole = [item for item in read if isinstance(item, Item)]
            if len(whole) == len(read):
                found.append([(item, gather_meaning(item, parts.facts)) for item in whole])
        log.info("%d of %d stories analysed", start + len(some), len(stories))
    return found


def rankings(stories: Sequence[Told], features: WordFeatures) -> list[Ranking]:
    """Stories with the features of all their texts."""
    found = []
    for story in stories:
        features.prepare([item for item, _ in story])
        good, *worse = (judged(item, draft, features) for item, draft in story)
        found.append(Ranking(good, tuple(worse)))
    return found


def judged(item: Item, draft: Meaning, features: WordFeatures) -> Judged:
    """Both sides of an item; ``draft`` is the evidence of links and facts."""
    found = []
    for own, said in zip(features.of(item), (draft.source, draft.output), strict=True):
        facts = np.asarray(said.probabilities, np.float32)
        before = np.clip(own[:, LIKELIEST_LINK] / CERTAIN, 0, 1)
        lowered = np.where(facts < before, facts / np.maximum(before, 1e-9), 1.0).astype(np.float32)
        raised = np.where(facts > before, facts, 0.0).astype(np.float32)
        found.append(JudgedSide(own, features.in_copy(own), lowered, raised, facts))
    return found[0], found[1]


def ranking_loss(net: MeaningNet, found: Sequence[Ranking], rng: random.Random) -> Tensor:
    """The share of some stories' texts that stand too high, softened; bounded, so that no text counts for more."""
    texts: list[Judged] = []
    better, worse = [], []
    for story in rng.sample(list(found), min(STORIES, len(found))):
        place = len(texts)
        texts.append(story.good)
        for text in rng.sample(story.worse, min(WORSE, len(story.worse))):
            better.append(place)
            worse.append(len(texts))
            texts.append(text)
    scores = story_scores(net, texts)
    return torch.sigmoid((scores[worse] - scores[better] + MARGIN) / SOFTNESS).mean()


def story_scores(net: MeaningNet, texts: Sequence[Judged]) -> Tensor:
    """What texts score before the floor is taken off (texts), 0 to 1."""
    mix = cast(Tensor, net.mix)
    shares = [_share(net, [text[side] for text in texts], side) for side in (0, 1)]
    found: Tensor = (mix[0] * shares[0] + mix[1] * shares[1]) / mix.sum()
    return found


def _share(net: MeaningNet, sides: Sequence[JudgedSide], side: int) -> Tensor:
    features, mask = padded([found.features for found in sides])
    copied, _ = padded([found.copied for found in sides])
    lowered, raised, facts = (
        padded([getattr(found, name)[:, None] for found in sides])[0][..., 0] for name in ("lowered", "raised", "facts")
    )
    likely = torch.sigmoid(net.logits(features)) / torch.sigmoid(net.logits(copied)) / SURE
    chosen = net.trust * torch.maximum(likely.clamp(max=1) * lowered, raised) + (1 - net.trust) * facts
    worth = net.worths(features, mask, side)
    return (chosen * worth).sum(1) / (worth.sum(1) + 1e-4)
