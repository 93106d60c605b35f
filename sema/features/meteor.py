"""METEOR of the output against its source, with its match detail (Denkowski and Lavie 2014).

Words are matched exactly, then by stem, then as synonyms, then as paraphrases; Mathias and Bhattacharyya (2016) take
the score as the one feature of meaning. Weights and parameters are METEOR's for English.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, ClassVar, Literal

from sema.features.base import FeatureGroup, base_language, ratio
from sema.features.english_words import FUNCTION_WORDS
from sema.model.item import Item
from sema.model.text import is_punctuation

if TYPE_CHECKING:
    from nltk.stem.snowball import SnowballStemmer

    from sema.model.language import Parts
    from sema.model.lexicon import Lexicon

ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75
STAGES = {"exact": 1.0, "stem": 0.6, "synonym": 0.8, "paraphrase": 0.6}
"""The matchers in their order, and the weight of a match."""


@dataclass(frozen=True)
class Matches:
    """What was matched: (source index, output index, stage), ascending by output index."""

    source: tuple[str, ...]
    output: tuple[str, ...]
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
        return ratio(sum(_weight(word) * STAGES[stage] for word, stage in matched), sum(map(_weight, words)))

    @property
    def f_mean(self) -> float:
        """The weighted harmonic mean of precision and recall."""
        precision, recall = self.weighted(1), self.weighted(0)
        return ratio(precision * recall, ALPHA * precision + (1 - ALPHA) * recall)

    @property
    def penalty(self) -> float:
        """What is taken off for matches that do not stand together."""
        if not self.pairs or (self.chunks == 1 and len(self.pairs) == len(self.source) == len(self.output)):
            return 0.0
        return float(GAMMA * (self.chunks / len(self.pairs)) ** BETA)

    @property
    def score(self) -> float:
        """METEOR, 0-1."""
        return (1 - self.penalty) * self.f_mean


def _weight(word: str) -> float:
    return 1 - DELTA if word in FUNCTION_WORDS else DELTA


@cache
def _stemmer() -> SnowballStemmer:
    from nltk.stem.snowball import SnowballStemmer

    return SnowballStemmer("english")


@lru_cache(maxsize=1 << 14)
def _stem(word: str) -> str:
    return str(_stemmer().stem(word))


def match(source: Sequence[str], output: Sequence[str], lexicon: Lexicon | None, *, stems: bool = True) -> Matches:
    """Match the words of two texts, stage by stage.

    Each word is matched once. Of several candidates the one that continues the previous word's match is taken, else
    the nearest in relative position.
    """
    left = tuple(word.lower() for word in source if not is_punctuation(word))
    right = tuple(word.lower() for word in output if not is_punctuation(word))
    tests: list[tuple[str, Callable[[str, str], bool]]] = [("exact", lambda first, second: first == second)]
    if stems:
        tests.append(("stem", lambda first, second: _stem(first) == _stem(second)))
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
    return Matches(left, right, tuple((found[place][0], place, found[place][1]) for place in sorted(found)))


class Meteor(FeatureGroup):
    """METEOR of the output against its source, and what it is made of."""

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
        self._stems = True

    def bind(self, parts: Parts) -> Meteor:
        """The group with the language's lexicon; stems are English."""
        bound = Meteor()
        bound._lexicon, bound._stems = parts.lexicon, base_language(parts.code) == "en"
        return bound

    @property
    def signature(self) -> str:
        """The lexicon."""
        return "" if self._lexicon is None else self._lexicon.signature

    def values(self, item: Item) -> Sequence[float]:
        """The score and its parts for one item."""
        found = match(item.source.words, item.output.words, self._lexicon, stems=self._stems)
        return [
            found.score,
            found.weighted(1),
            found.weighted(0),
            found.f_mean,
            found.penalty,
            ratio(found.chunks, len(found.pairs)),
            *(ratio(found.count(stage), len(found.output)) for stage in STAGES),
        ]
