"""The evidence of a pair: the weight of each word, the probability that it is kept or supported, every Scene's state.

Probabilities and weights are adjusted so that their weighted mean is the score: a word is shown as lost or added only
as far as the score counts it so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from sema.meaning.blocks import Peaks, link_blocks
from sema.meaning.focus import verbatim
from sema.meaning.shares import linked_words, shares
from sema.meaning.signals import WordSide, signals
from sema.meaning.views import SceneView, scene_views
from sema.model.fact import Conflict
from sema.model.item import Item
from sema.model.meaning import Meaning, OutputState, Reason, SceneMeaning, SourceState, Words
from sema.model.reading import PairReading
from sema.model.scale import SCORES, Scale
from sema.model.text import Text, is_punctuation

Numbers = NDArray[np.float64]

FUNCTION, CONTENT, FIGURE = 0.15, 1.0, 1.3
"""The weights of function words, of content words, and of words with a digit."""
CERTAIN = 0.95
"""The probability from which a link counts as certain: aligners never reach 1."""
CONFLICTING = 0.05
"""The largest probability of a word of a conflict."""
KEPT, LOST = 0.8, 0.3
"""The shares of its words from which a Scene is kept or supported, and below which it is lost or added."""
MOST_WEIGHT = 40.0
"""The largest factor by which the weight of an improbable word is raised."""


def scored(
    item: Item,
    reading: PairReading | None,
    conflicts: Sequence[Conflict],
    scale: Scale | None,
    sides: tuple[WordSide, WordSide],
) -> dict[str, float]:
    """The three scores of an item, 0-100; without a reading links stand for it, without a scale they are shares."""
    if item.source.words == item.output.words:
        return dict.fromkeys(SCORES, 100.0)
    if not item.output.words or not item.source.words:
        return dict.fromkeys(SCORES, 0.0)
    if scale is None:
        return shares(*_linked(item, conflicts, sides))
    found = scale.scores(signals(*sides, reading, len(conflicts)))
    for name, text, other in (
        ("meaning_recall", item.source, item.output),
        ("meaning_precision", item.output, item.source),
    ):
        if verbatim(text, other).all():
            found[name] = 100.0
    return found


def gather(
    item: Item,
    reading: PairReading | None,
    conflicts: Sequence[Conflict],
    scale: Scale | None,
    sides: tuple[WordSide, WordSide],
) -> Meaning:
    """The evidence of an item, with its scores.

    Needs ``link_weights``; ``graphs`` and ``output_graphs`` give the Scenes. Without a reading links stand for it.
    """
    scores = scored(item, reading, conflicts, scale, sides)
    if item.source.words == item.output.words or not item.output.words or not item.source.words:
        chance = scores["meaning"] / 100
        words = [Words((chance,) * len(side.weights), tuple(side.weights.tolist())) for side in sides]
    elif scale is None:
        words = _linked(item, conflicts, sides)
    else:
        chances = (reading.kept, reading.supported) if reading else tuple(side.linked for side in sides)
        marked = _words_of(conflicts)
        targets = scores["meaning_recall"] / 100, scores["meaning_precision"] / 100
        words = [
            settled(_marked(np.asarray(chance, np.float64), tokens), side.weights, share)
            for chance, tokens, side, share in zip(chances, marked, sides, targets, strict=True)
        ]
    kept, supported = words
    return Meaning(
        kept,
        supported,
        tuple(_source_scene(view, kept, item.source, conflicts) for view in scene_views(item.graphs)),
        tuple(_output_scene(view, supported, item.output, conflicts) for view in scene_views(item.output_graphs)),
        scores,
    )


def _linked(item: Item, conflicts: Sequence[Conflict], sides: tuple[WordSide, WordSide]) -> list[Words]:
    texts = item.source, item.output
    marked = _words_of(conflicts)
    return [linked_words(text, side, tokens) for text, side, tokens in zip(texts, sides, marked, strict=True)]


def _words_of(conflicts: Sequence[Conflict]) -> tuple[set[int], set[int]]:
    """The tokens of conflicts, in the source and in the output."""
    return {t for c in conflicts for t in c.source}, {t for c in conflicts for t in c.output}


def word_sides(item: Item, function_words: Collection[str]) -> tuple[WordSide, WordSide]:
    """The words' weights and link probabilities, for both texts."""
    of_source, of_output = Peaks(len(item.source.words)), Peaks(len(item.output.words))
    for block in link_blocks(item):
        columns = np.arange(*block.columns.indices(len(item.output.words)))
        links = block.links.astype(np.float64)
        of_source.take(block.rows, columns, links)
        of_output.take(columns, block.rows, links.T)
    return _side(item.source, of_source, function_words), _side(item.output, of_output, function_words)


def _side(text: Text, peaks: Peaks, function_words: Collection[str]) -> WordSide:
    weights = np.array([_weight(word, function_words) for word in text.words])
    return WordSide(weights, np.clip(np.asarray(peaks.values, np.float64) / CERTAIN, 0.0, 1.0))


def _weight(word: str, function_words: Collection[str]) -> float:
    if is_punctuation(word):
        return 0.0
    if any(map(str.isdecimal, word)):
        return FIGURE
    return FUNCTION if word.lower() in function_words else CONTENT


def _marked(chances: Numbers, tokens: Collection[int]) -> Numbers:
    found = chances.copy()
    for token in tokens:
        found[token] = min(found[token], CONFLICTING)
    return found


def settled(chances: Numbers, weights: Numbers, share: float) -> Words:
    """Words whose weighted mean is ``share``.

    If the mean is too high, the weights of improbable words are raised, and then all probabilities lowered; if it is
    too low, all probabilities are raised.
    """
    chances, weights = np.clip(chances, 0.001, 0.999), weights.copy()
    if not weights.sum():
        return Words(tuple(chances.tolist()), tuple(weights.tolist()))
    mean = float(chances @ weights / weights.sum())
    low = (chances < 0.5) & (weights > 0)
    if share < mean and low.any():
        rest, bad = weights[~low].sum(), weights[low].sum()
        above, below = float(chances[~low] @ weights[~low]), float(chances[low] @ weights[low])
        spare = share * bad - below
        factor = (above - share * rest) / spare if spare > 0 else MOST_WEIGHT
        weights[low] *= min(max(factor, 1.0), MOST_WEIGHT)
    total = weights.sum()
    if abs(float(chances @ weights / total) - share) > 1e-6:
        chances = _powered(chances, weights / total, share)
    return Words(tuple(chances.tolist()), tuple(weights.tolist()))


def _powered(chances: Numbers, weights: Numbers, share: float) -> Numbers:
    """The probabilities raised to the power at which their weighted mean is ``share``; their order stays."""
    low, high = log(1e-4), log(1e4)
    for _ in range(60):
        middle = (low + high) / 2
        if float((chances ** exp(middle)) @ weights) > share:
            low = middle
        else:
            high = middle
    return np.asarray(chances ** exp((low + high) / 2))


def _source_scene(view: SceneView, words: Words, text: Text, conflicts: Iterable[Conflict]) -> SceneMeaning:
    """The state of a Scene of the source."""
    share = words.share(view.tokens)
    changes = _reasons(view, [(conflict.source, conflict) for conflict in conflicts])
    missing = _missing(view, words, text, "lost")
    if changes:
        return SceneMeaning(view.tokens, SourceState.CHANGED, share, (*changes, *missing))
    if share < LOST:
        return SceneMeaning(view.tokens, SourceState.LOST, share, tuple(missing))
    if share >= KEPT and not missing:
        return SceneMeaning(view.tokens, SourceState.KEPT, share)
    return SceneMeaning(view.tokens, SourceState.PARTLY, share, tuple(missing) or (_rest(share, "kept"),))


def _output_scene(view: SceneView, words: Words, text: Text, conflicts: Iterable[Conflict]) -> SceneMeaning:
    """The state of a Scene of the output."""
    share = words.share(view.tokens)
    reasons = (*_reasons(view, [(c.output, c) for c in conflicts]), *_missing(view, words, text, "added"))
    if share < LOST:
        return SceneMeaning(view.tokens, OutputState.ADDED, share, reasons)
    if share >= KEPT and not reasons:
        return SceneMeaning(view.tokens, OutputState.SUPPORTED, share)
    return SceneMeaning(view.tokens, OutputState.PARTLY, share, reasons or (_rest(share, "supported"),))


def _rest(share: float, what: str) -> Reason:
    return Reason("share", f"{100 * share:.0f} % {what}")


def _reasons(view: SceneView, conflicts: Sequence[tuple[Sequence[int], Conflict]]) -> list[Reason]:
    """The conflicts about words of a Scene's own."""
    found = [Reason(c.kind.value, c.reason) for tokens, c in conflicts if view.members.intersection(tokens)]
    return list(dict.fromkeys(found))


def _missing(view: SceneView, words: Words, text: Text, what: str) -> list[Reason]:
    """The main relation, Participants, modifiers and times that have words without a counterpart."""
    found = []
    units = [("main relation", view.relation), *((unit.what, unit.tokens) for unit in view.units)]
    for name, tokens in units:
        content = [token for token in tokens if words.weights[token] >= 0.5]
        gone = [token for token in content if words.probabilities[token] < 0.5]
        if gone:
            quoted = " ".join(text.words[token] for token in sorted(set(gone)))
            part = name if len(gone) == len(content) else f"part of the {name}"
            found.append(Reason(what, f"{part}: '{quoted}'"))
    return list(dict.fromkeys(found))
