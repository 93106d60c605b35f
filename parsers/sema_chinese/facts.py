"""What Chinese words say about facts: closed classes and opposites by list, numbers by value; both scripts."""

from __future__ import annotations

import json
from collections.abc import Hashable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sema.metrics.meaning.listed import ListedFacts
from sema.model.text import is_punctuation
from sema_chinese.relations import FUNCTION_WORDS, number_value

if TYPE_CHECKING:
    from sema.model.item import Item
    from sema_chinese.meaning.pair import ChinesePair

VERSION = 5
_LISTS = Path(__file__).parent / "facts.json"
_NEGATIVE = "不没未无勿沒無"


class ChineseFacts(ListedFacts):
    """Facts about Chinese words."""

    def __init__(self) -> None:
        super().__init__(_LISTS)
        self._others = frozenset(json.loads(_LISTS.read_text(encoding="utf-8"))["no_negations"])
        self._number = lru_cache(1 << 14)(number_value)

    @property
    def signature(self) -> str:
        """Name and version."""
        return f"zh-facts-{VERSION}"

    def is_weak(self, word: str) -> bool:
        """Function words, pronouns and punctuation."""
        return word in FUNCTION_WORDS or self.is_pronoun(word) or is_punctuation(word)

    def negates(self, word: str) -> bool:
        """Whether it is a word of negation, or begins with one and is no word of its own (*不同*, *未来*)."""
        return super().negates(word) or (len(word) > 1 and word[0] in _NEGATIVE and word not in self._others)

    def value(self, word: str) -> Hashable | None:
        """What a number stands for."""
        return self._number(word)

    def likeness(self, source: str, output: str) -> float:
        """0 for opposites, else 1: the links' weights say how the words are related."""
        return float(not self.opposed(source, output))

    def read_pair(self, item: Item) -> ChinesePair:
        """The item with links and contradictions of its own (:class:`sema.metrics.meaning.reading.ReadsPairs`)."""
        from sema_chinese.meaning.pair import ChinesePair

        return ChinesePair(item, self)

    def __reduce__(self) -> tuple[type[ChineseFacts], tuple[()]]:
        return type(self), ()
