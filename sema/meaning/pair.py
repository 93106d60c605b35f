"""Two texts side by side: which words stand for each other, and which stand in each other's place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Self

import numpy as np

from sema.model.item import Item

LIKELY = 0.5
"""The probability from which a word is linked."""
FILLED = 2
"""How many words may stand between the same words for each word of a fact."""
Partners = Mapping[int, frozenset[int]]


@dataclass(frozen=True)
class Pair:
    """A source and an output with the likely links between their words.

    Attributes:
        source: the source's words.
        output: the output's words.
        partners: for each source token the output tokens that stand for it.
    """

    source: tuple[str, ...]
    output: tuple[str, ...]
    partners: Partners

    @classmethod
    def of(cls, item: Item) -> Self:
        """The pair of an item, with its likely links."""
        found: dict[int, set[int]] = {}
        for (start, _), grid in zip(item.output.sentences, item.link_weights, strict=False):
            rows, others = np.nonzero(grid.weights >= LIKELY)
            for token, other in zip(grid.rows[rows].tolist(), others.tolist(), strict=True):
                found.setdefault(token, set()).add(start + other)
        partners = {token: frozenset(others) for token, others in found.items()}
        return cls(item.source.words, item.output.words, partners)

    def reached(self, tokens: Sequence[int]) -> frozenset[int]:
        """The output tokens that stand for some source tokens."""
        return frozenset().union(*(self.partners.get(token, frozenset()) for token in tokens))

    def share(self, tokens: Sequence[int], others: Sequence[int]) -> float:
        """The share of some source tokens that is linked to some output tokens, or the other way round: the smaller."""
        if not tokens or not others:
            return 0.0
        there = frozenset(others)
        reached = [self.partners.get(token, frozenset()) & there for token in tokens]
        came = frozenset[int]().union(*reached)
        return min(sum(map(bool, reached)) / len(tokens), len(came) / len(others))

    @cached_property
    def alike(self) -> float:
        """How much of both texts stands in the other word by word, in order (``difflib``'s ratio, 0 to 1)."""
        return self._matcher.ratio()

    @cached_property
    def _matcher(self) -> SequenceMatcher[str]:
        first, second = ([word.lower() for word in words] for words in (self.source, self.output))
        return SequenceMatcher(None, first, second, autojunk=False)

    @cached_property
    def _slots(self) -> tuple[Mapping[int, range], Mapping[int, range]]:
        """For each token of either text that stands in a slot the source tokens there, and the output tokens there."""
        here: dict[int, range] = {}
        there: dict[int, range] = {}
        for what, begin, end, start, stop in self._matcher.get_opcodes():
            if what == "replace":
                here.update(dict.fromkeys(range(begin, end), range(start, stop)))
                there.update(dict.fromkeys(range(start, stop), range(begin, end)))
        return here, there

    def in_slot(self, tokens: Sequence[int]) -> bool:
        """Whether source tokens stand where the output has other words between the same words."""
        return bool(tokens) and min(tokens) in self._slots[0]

    def same_slot(self, tokens: Collection[int], others: Collection[int]) -> bool:
        """Whether tokens of both texts replace each other between the same words, with few words beside them."""
        here, there = self._slots
        if not tokens or not others:
            return False
        place, home = here.get(min(tokens), range(0)), there.get(min(others), range(0))
        together = set(others) <= set(place) and set(tokens) <= set(home)
        return together and len(place) <= FILLED * len(others) and len(home) <= FILLED * len(tokens)

    def quote_source(self, tokens: Iterable[int]) -> str:
        """Some words of the source as reasons quote them."""
        return _quote(self.source, tokens)

    def quote_output(self, tokens: Iterable[int]) -> str:
        """Some words of the output as reasons quote them."""
        return _quote(self.output, tokens)


def _quote(words: Sequence[str], tokens: Iterable[int]) -> str:
    return "'" + " ".join(words[token] for token in sorted(set(tokens))) + "'"
