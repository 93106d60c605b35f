"""Chinese function words in either script."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache

from sema_chinese.listed import table
from sema_chinese.relations import FUNCTION_WORDS, spell


@cache
def function_words() -> frozenset[str]:
    """Function words, in simplified script: function words, pronouns, particles and measure words."""
    return FUNCTION_WORDS.union(*table("closed_classes").values())


class FunctionWords(Collection[str]):
    """Function words in either script."""

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and spell(word, numerals=False) in function_words()

    def __iter__(self) -> Iterator[str]:
        return iter(function_words())

    def __len__(self) -> int:
        return len(function_words())
