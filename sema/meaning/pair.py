"""Two texts side by side: which words are linked, and which replace each other between the same words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Self

import numpy as np

from sema.model.item import Item
from sema.runtime.forks import cached_property

LIKELY = 0.5
"""The least probability of a link that counts."""
FILLED = 2
"""How many words may replace each word of a fact."""
_NONE: frozenset[int] = frozenset()
Apart = tuple[frozenset[int], frozenset[int]]
"""Tokens of the source and of the output that stand in sentences without a counterpart."""
NONE_APART: Apart = (_NONE, _NONE)
Slots = Mapping[int, Sequence[int]]


@dataclass(frozen=True)
class Pair:
    """A source and an output with the likely links between their words.

    Attributes:
        source: the source's words.
        output: the output's words.
        partners: for each source token the output tokens linked to it.
        apart: no slot reaches over these tokens.
    """

    source: tuple[str, ...]
    output: tuple[str, ...]
    partners: Mapping[int, frozenset[int]]
    apart: Apart = NONE_APART

    @classmethod
    def of(cls, item: Item, apart: Apart = NONE_APART) -> Self:
        """The pair of an item, with its likely links."""
        found: dict[int, set[int]] = {}
        for (start, _), grid in zip(item.output.sentences, item.link_weights, strict=False):
            rows, others = np.nonzero(grid.weights >= LIKELY)
            for token, other in zip(grid.rows[rows].tolist(), others.tolist(), strict=True):
                found.setdefault(token, set()).add(start + other)
        partners = {token: frozenset(others) for token, others in found.items()}
        return cls(item.source.words, item.output.words, partners, apart)

    def linked(self, tokens: Sequence[int]) -> frozenset[int]:
        """The output tokens linked to some source tokens."""
        return _NONE.union(*(self.partners.get(token, _NONE) for token in tokens))

    def share(self, tokens: Sequence[int], others: Sequence[int]) -> float:
        """The smaller share of two sets of tokens that is linked to the other set."""
        if not tokens or not others:
            return 0.0
        reached = [self.partners.get(token, _NONE).intersection(others) for token in tokens]
        return min(sum(map(bool, reached)) / len(tokens), len(_NONE.union(*reached)) / len(others))

    @cached_property
    def _slots(self) -> tuple[Slots, Slots]:
        """For each replaced source token the output tokens that replace it, and for each of these the source tokens."""
        texts = zip((self.source, self.output), self.apart, strict=True)
        first, second = ([token for token in range(len(words)) if token not in apart] for words, apart in texts)
        spelt = [self.source[token].lower() for token in first], [self.output[token].lower() for token in second]
        in_output: dict[int, Sequence[int]] = {}
        in_source: dict[int, Sequence[int]] = {}
        for what, begin, end, start, stop in SequenceMatcher(None, *spelt, autojunk=False).get_opcodes():
            if what == "replace":
                in_output.update(dict.fromkeys(first[begin:end], second[start:stop]))
                in_source.update(dict.fromkeys(second[start:stop], first[begin:end]))
        return in_output, in_source

    def in_slot(self, tokens: Sequence[int]) -> bool:
        """Whether source tokens are replaced by other words between the same words."""
        return bool(tokens) and min(tokens) in self._slots[0]

    def same_slot(self, tokens: Collection[int], others: Collection[int]) -> bool:
        """Whether tokens of both texts replace each other between the same words, with few other words there."""
        if not tokens or not others:
            return False
        in_output, in_source = self._slots
        new, old = in_output.get(min(tokens), ()), in_source.get(min(others), ())
        together = set(new).issuperset(others) and set(old).issuperset(tokens)
        return together and len(new) <= FILLED * len(others) and len(old) <= FILLED * len(tokens)


def quote(words: Sequence[str], tokens: Iterable[int]) -> str:
    """Some of a text's words as reasons quote them."""
    return f"'{text_of(words, tokens)}'"


def text_of(words: Sequence[str], tokens: Iterable[int]) -> str:
    """Some of a text's words, in the text's order."""
    return " ".join(words[token] for token in sorted(set(tokens)))
