"""What the model reads of every word: its links, its likeness in context and sense, its partner, breaks, what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sema.alignment.relations import WordRelations
from sema.model.item import Item
from sema.model.language import TextReader
from sema.model.links import LinkKind
from sema.model.text import is_punctuation
from sema_english.features.reading import worst
from sema_english.judge.ties import Ties, ties
from sema_english.relations import FUNCTION_WORDS, number_value, stem

Numbers = NDArray[np.float32]

SCALARS = (
    "likeliest link", "all links", "most alike context", "lead of the likeliest", "likeness of the partner",
    "identical", "form", "synonym", "paraphrase", "hyponymy", "no relation",
    "same word", "same stem", "weak", "punctuation", "number", "name", "length", "content",
    "links of neighbours", "links of neighbours at two", "rival's lead", "output",
    "most alike sense", "sense of the partner", "sense of the text", "new break", "new breaks of the text",
)  # fmt: skip
"""The numbers of a word, in order."""
_AT = {name: index for index, name in enumerate(SCALARS)}
_KINDS = {
    LinkKind.EXACT: "identical",
    LinkKind.FORM: "form",
    LinkKind.SYNONYM: "synonym",
    LinkKind.PARAPHRASE: "paraphrase",
    LinkKind.HYPONYMY: "hyponymy",
}
LIKELIEST_LINK = _AT["likeliest link"]
"""Where the probability of a word's likeliest link stands."""
NEW_BREAKS = _AT["new breaks of the text"]
"""Where the number stands that says how much more broken the output is than the source."""
WORD_ITSELF = tuple(_AT[name] for name in ("weak", "punctuation", "number", "name", "length", "content"))
"""The numbers that say what a word is, whatever became of it: what it counts is decided by them."""
AGAINST = ("no relation", "rival's lead", "new break", "new breaks of the text")
"""The numbers that speak against a word when they are high."""
FOR = tuple(name for name in SCALARS if name not in AGAINST and _AT[name] not in WORD_ITSELF and name != "output")
"""The numbers that speak for a word when they are high."""
COPY = {
    **dict.fromkeys(FOR, 1.0),
    **dict.fromkeys(("form", "synonym", "paraphrase", "hyponymy"), 0.0),
    "all links": 0.5,
}
"""What ties every word to its counterpart in a copy; the numbers that are not here are 0."""
_COPIED = {_AT[name]: value for name, value in COPY.items()}
_ITSELF = [*WORD_ITSELF, _AT["output"]]
_POSSIBLE = 0.05
_LONGEST = 15


@dataclass(frozen=True)
class Between:
    """What ties the words of one text to those of the other.

    Attributes:
        ties, back: of every word, and of every word of the other text.
        whole: the likeness of both texts' senses.
        here, there: how likely each word of the one and of the other stands at a break.
        broken: how much more broken the output is than the source.
    """

    ties: Ties
    back: Ties
    whole: float
    here: Numbers
    there: Numbers
    broken: float

    def turned(self) -> Between:
        """The same seen from the other text."""
        return Between(self.back, self.ties, self.whole, self.there, self.here, self.broken)


class WordFeatures:
    """Features of the words of both texts of an item."""

    def __init__(self, relations: WordRelations, reader: TextReader) -> None:
        """``relations`` name what ties a word to its partner; ``reader`` reads states."""
        self._relations = relations
        self._reader = reader
        self._word = lru_cache(1 << 14)(_describe)

    def prepare(self, items: Sequence[Item]) -> None:
        """Have the texts of many items read together, which is quicker than one by one."""
        self._reader.prepare(
            text for item in items for text in ((item.source, item.source_states), (item.output, item.output_states))
        )

    def of(self, item: Item) -> tuple[Numbers, Numbers]:
        """(source tokens, features) and (output tokens, features); needs link weights and states."""
        between = self._between(item)
        return (
            self._side(item.source.words, item.output.words, between, output_side=False),
            self._side(item.output.words, item.source.words, between.turned(), output_side=True),
        )

    @staticmethod
    def in_copy(numbers: Numbers) -> Numbers:
        """The features that the words of one side would have if the other text were the same."""
        found = np.zeros_like(numbers)
        found[:, _ITSELF] = numbers[:, _ITSELF]
        found[:, list(_COPIED)] = list(_COPIED.values())
        return found

    def _between(self, item: Item) -> Between:
        source, output = item.source.words, item.output.words
        here, there = _states(item.source_states, len(source)), _states(item.output_states, len(output))
        known = len(output) and here.shape[1] == there.shape[1] > 0
        (senses, breaks), (others, new) = self._reader.read(item.source, here), self._reader.read(item.output, there)
        vectors = (_unit(here), _unit(there), senses, others) if known else None
        return Between(
            *ties(item, vectors),
            float(np.sum(_unit(senses.mean(0, keepdims=True)) * _unit(others.mean(0, keepdims=True))))
            if known
            else 0.0,
            breaks,
            new,
            max(0.0, worst(new) - worst(breaks)),
        )

    def _side(self, words: Sequence[str], others: Sequence[str], between: Between, *, output_side: bool) -> Numbers:
        numbers = np.zeros((len(words), len(SCALARS)), np.float32)
        if not words:
            return numbers
        numbers[:, WORD_ITSELF] = [self._word(word) for word in words]
        numbers[0, _AT["name"]] = 0.0
        numbers[:, _AT["output"]] = output_side
        if others:
            self._link_scalars(numbers, words, others, between, output_side)
        return numbers

    def _link_scalars(
        self,
        numbers: Numbers,
        words: Sequence[str],
        others: Sequence[str],
        between: Between,
        output_side: bool,
    ) -> None:
        """What ties the words to the other text; filled in place."""
        ties = between.ties
        best, partner = ties.best, ties.partner
        content = np.flatnonzero(numbers[:, _AT["content"]])
        lower, stems = {word.lower() for word in others}, {_stem(word) for word in others}
        columns = {
            "likeliest link": best,
            "all links": np.minimum(ties.total, 2) / 2,
            "lead of the likeliest": best - ties.second,
            "most alike context": ties.context,
            "likeness of the partner": np.where(best > _POSSIBLE, ties.context_of_partner, 0.0),
            "same word": np.array([word.lower() in lower for word in words]),
            "same stem": np.array([_stem(word) in stems for word in words]),
            "links of neighbours": _around(best, content, 1),
            "links of neighbours at two": _around(best, content, 2),
            "rival's lead": between.back.best[partner] - best,
            "most alike sense": ties.sense,
            "sense of the partner": np.where(best > _POSSIBLE, ties.sense_of_partner, 0.0),
            "sense of the text": between.whole,
            "new break": np.maximum((1 if output_side else -1) * (between.here - between.there[partner]), 0.0),
            "new breaks of the text": between.broken,
        }
        for name, column in columns.items():
            numbers[:, _AT[name]] = column
        for row in np.flatnonzero(best > _POSSIBLE).tolist():
            pair = words[row], others[partner[row]]
            kind = self._relations.kind(*(pair[::-1] if output_side else pair))
            numbers[row, _AT[_KINDS.get(kind, "no relation") if kind else "no relation"]] = 1.0


def _describe(word: str) -> tuple[float, ...]:
    weak, mark = word.lower() in FUNCTION_WORDS, is_punctuation(word)
    number, name = number_value(word) is not None, word[:1].isupper()
    return weak, mark, number, name, min(len(word), _LONGEST) / 10, not (weak or mark)


_stem = lru_cache(1 << 14)(stem)


def in_common(words: Sequence[str], others: Sequence[str]) -> float:
    """The share of both texts' words of content that both have, by stem and as often, in [0, 1]."""
    here, there = (
        Counter(_stem(word) for word in text if not (word.lower() in FUNCTION_WORDS or is_punctuation(word)))
        for text in (words, others)
    )
    return (here & there).total() / max(1, (here | there).total())


def _states(states: Numbers | None, length: int) -> Numbers:
    return np.zeros((length, 0), np.float32) if states is None else states


def _unit(states: Numbers) -> Numbers:
    found: Numbers = states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), 1e-6)
    return found


def _around(values: Numbers, content: NDArray[np.int64], distance: int) -> Numbers:
    """The mean of the values of the content words so far off on either side; at the ends the last one's, or one's own.

    Words of grammar do not count: a passive has others than the active has.
    """
    if not len(content):
        return values
    rows = np.arange(len(values))
    before, after = np.searchsorted(content, rows), np.searchsorted(content, rows, side="right")
    left = np.where(before >= distance, content[np.maximum(before - distance, 0)], rows)
    right = np.where(
        after + distance <= len(content), content[np.minimum(after + distance - 1, len(content) - 1)], rows
    )
    found: Numbers = (values[left] + values[right]) * np.float32(0.5)
    return found
