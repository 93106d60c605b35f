"""Ratings of meaning as training examples: word features of both texts, and what people said."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sema.analysis.analyser import Analyser
from sema.model.item import Item, Need
from sema_english.judge.features import WordFeatures
from sema_english.training.rated_meaning import MEANING_SETS, RatedPair, acl2018, qats, questeval

log = logging.getLogger("sema_english.training")

Numbers = NDArray[np.float32]

TRAINED_ON: Mapping[str, Callable[[], list[RatedPair]]] = {
    "acl2018": acl2018,
    "questeval": questeval,
    "QATS train": lambda: qats("train"),
}
"""The sets whose licence lets weights ship."""
_AT_A_TIME = 500


@dataclass(frozen=True)
class Example:
    """One pair: features (words, features) of both sides, the rating within its set (mean 0, deviation 1)."""

    pair: RatedPair
    group: str
    source: Numbers
    output: Numbers
    rating: float


def training_pairs(without_sources: Iterable[str] = ()) -> dict[str, list[RatedPair]]:
    """The rated pairs to learn from, by set: none that a figure is reported on, none of the ``without_sources``.

    Sources are given by their letters (:func:`sema_english.training.rated_meaning.letters`). acl2018 is reported on by
    cross-validation.
    """
    reported = {pair.key for name, read in MEANING_SETS.items() if name != "acl2018" for pair in read()}
    barred = frozenset(without_sources)
    return {
        name: [pair for pair in read() if pair.key not in reported and pair.key[0] not in barred]
        for name, read in TRAINED_ON.items()
    }


def analysed(pairs: Sequence[tuple[str, str]]) -> list[Item]:
    """Sources and outputs with link weights and states, by the language's own parts."""
    from sema_english.language import english

    analyser = Analyser(english().parts(), {Need.LINK_WEIGHTS, Need.STATES})
    items: list[Item] = []
    for start in range(0, len(pairs), _AT_A_TIME):
        some = pairs[start : start + _AT_A_TIME]
        (found,) = analyser.prepare([source for source, _ in some], [[output for _, output in some]], segment=False)
        items += [item for item in found if isinstance(item, Item)]
        log.info("%d of %d pairs analysed", len(items), len(pairs))
    if len(items) != len(pairs):
        raise ValueError(f"{len(pairs) - len(items)} rated pairs cannot be analysed; is a text empty?")
    return items


def examples(pairs: dict[str, list[RatedPair]], items: Sequence[Item], features: WordFeatures) -> list[Example]:
    """Examples of rated pairs and their items, in the sets' order; ratings are standardised set by set."""
    found: list[Example] = []
    waiting = iter(items)
    for group, rated in pairs.items():
        given = np.array([pair.rating for pair in rated])
        for pair, rating in zip(rated, (given - given.mean()) / given.std(), strict=True):
            source, output = features.of(next(waiting))
            found.append(Example(pair, group, source, output, float(rating)))
    return found
