"""METEOR of the output against its source, with its match detail (Denkowski and Lavie 2014).

Words are matched exactly, then by stem, then as synonyms, then as paraphrases; Mathias and Bhattacharyya (2016) take
the score as the one feature of meaning. Weights and parameters are METEOR's for English.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from sema.features.base import FeatureGroup, ratio
from sema.languages import home_of
from sema.metrics.stem_recall import STEMMERS, stem
from sema.model.item import Item
from sema.model.language import base_code
from sema.model.text import is_punctuation

if TYPE_CHECKING:
    from sema.model.language import Parts
    from sema.model.lexicon import Lexicon

ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75
STAGES = {"exact": 1.0, "stem": 0.6, "synonym": 0.8, "paraphrase": 0.6}
"""The matchers in their order, and the weight of a match."""


@dataclass(frozen=True)
class Matches:
    """Matched words: (source index, output index, stage), ascending by output index."""

    source: tuple[str, ...]
    output: tuple[str, ...]
    function_words: Collection[str]
    pairs: tuple[tuple[int, int, str], ...]

    def count(self, stage: str) -> int:
        """The matches of one stage."""
        return sum(found == stage for _, _, found in self.pairs)

    @property
    def chunks(self) -> int:
        """The fewest runs of matches that are adjacent and in the same order on both sides."""
        ends = {(source, output) for source, output, _ in self.pairs}
        return sum((source - 1, output - 1) not in ends for source, output, _ in self.pairs)

    def weighted(self, side: Literal[0, 1]) -> float:
        """Precision (side 1) or recall (side 0): content words count 0.75, function words 0.25."""
        words = (self.source, self.output)[side]
        matched = [(words[pair[side]], pair[2]) for pair in self.pairs]
        return ratio(sum(self._weight(word) * STAGES[stage] for word, stage in matched), sum(map(self._weight, words)))

    def _weight(self, word: str) -> float:
        return 1 - DELTA if word in self.function_words else DELTA

    @property
    def f_mean(self) -> float:
        """The weighted harmonic mean of precision and recall."""
        precision, recall = self.weighted(1), self.weighted(0)
        return ratio(precision * recall, ALPHA * precision + (1 - ALPHA) * recall)

    @property
    def penalty(self) -> float:
        """The penalty for matches that are not adjacent."""
        if not self.pairs or (self.chunks == 1 and len(self.pairs) == len(self.source) == len(self.output)):
            return 0.0
        return float(GAMMA * (self.chunks / len(self.pairs)) ** BETA)

    @property
    def score(self) -> float:
        """METEOR, 0-1."""
        return (1 - self.penalty) * self.f_mean


def match(
    source: Sequence[str],
    output: Sequence[str],
    lexicon: Lexicon | None,
    *,
    stemmer: str | None = None,
    function_words: Collection[str] = (),
) -> Matches:
    """Match the words of two texts, stage by stage.

    Each word is matched once. Of several candidates the one that continues the previous word's match is chosen, else
    the nearest in relative position.
    """
    left = tuple(word.lower() for word in source if not is_punctuation(word))
    right = tuple(word.lower() for word in output if not is_punctuation(word))
    tests: list[tuple[str, Callable[[str, str], bool]]] = [("exact", lambda first, second: first == second)]
    if stemmer is not None:
        tests.append(("stem", lambda first, second: stem(first, stemmer) == stem(second, stemmer)))
    if lexicon is not None:
        tests += [("synonym", lexicon.are_synonyms), ("paraphrase", lexicon.are_paraphrases)]
    found: dict[int, tuple[int, str]] = {}
    free = set(range(len(left)))
    for stage, test in tests:
        for place, word in enumerate(right):
            if place in found:
                continue
            candidates = [index for index in free if test(left[index], word)]
            if candidates:
                expected = found[place - 1][0] + 1 if place - 1 in found else place * len(left) / len(right)
                best = min(candidates, key=lambda index: (abs(index - expected), index))
                found[place] = best, stage
                free.discard(best)
    return Matches(
        left, right, function_words, tuple((found[place][0], place, found[place][1]) for place in sorted(found))
    )


class MeteorFeatures(FeatureGroup):
    """METEOR of the output against its source, and its components."""

    name = "meteor"
    description = "METEOR of the output against its source, with precision, recall, chunks and matches by stage"
    features: ClassVar[Mapping[str, str]] = {
        "score": "METEOR, 0-1",
        "precision": "weighted precision: the output's words that are matched",
        "recall": "weighted recall: the source's words that are matched",
        "f_mean": "their weighted harmonic mean",
        "penalty": "the penalty for matches that do not stand together",
        "chunks": "runs of adjacent matches, for each match",
        **{stage: f"share of the output's words matched by {stage}" for stage in STAGES},
    }

    def __init__(self) -> None:
        self._lexicon: Lexicon | None = None
        self._stemmer: str | None = None
        self._function_words: Collection[str] = ()

    def bind(self, parts: Parts) -> MeteorFeatures:
        """The group with the language's lexicon, stemmer and function words, as far as there are any."""
        bound, home = MeteorFeatures(), home_of(parts.code)
        bound._lexicon, bound._stemmer = parts.lexicon, STEMMERS.get(base_code(parts.code))
        bound._function_words = home.words().function_words if home and home.words else ()
        return bound

    @property
    def signature(self) -> str:
        """The lexicon."""
        return "" if self._lexicon is None else self._lexicon.signature

    def values(self, item: Item) -> Sequence[float]:
        """The score and its parts for one item."""
        found = match(
            item.source.words,
            item.output.words,
            self._lexicon,
            stemmer=self._stemmer,
            function_words=self._function_words,
        )
        return [
            found.score,
            found.weighted(1),
            found.weighted(0),
            found.f_mean,
            found.penalty,
            ratio(found.chunks, len(found.pairs)),
            *(ratio(found.count(stage), len(found.output)) for stage in STAGES),
        ]
