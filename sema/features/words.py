"""How common words are: frequencies on the Zipf scale, and syllables, from a compact table.

Zipf scale: the base-10 logarithm of a word's occurrences per billion words, about 1 (very rare) to 7.7 (*the*); van
Heuven, Mandera, Keuleers and Brysbaert (2014). The tables' origin and licence: ``data/CARD.md``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from sema.errors import ResourceError

DATA = Path(__file__).parent / "data"
UNKNOWN_ZIPF = 1.5
"""For words outside the table, which stops at about 2.5."""


class WordTable:
    """Words with their frequencies and, for English, their syllables by the CMU dictionary."""

    def __init__(self, zipf: dict[str, float], syllables: dict[str, int], signature: str) -> None:
        self._zipf = zipf
        self._syllables = syllables
        self.signature = signature

    def __contains__(self, word: str) -> bool:
        return word.lower() in self._zipf

    def zipf(self, word: str) -> float:
        """The frequency on the Zipf scale; a hyphenated word is as common as its rarest part."""
        folded = word.lower()
        found = self._zipf.get(folded)
        if found is None and "-" in folded.strip("-"):
            found = min(self._zipf.get(part, UNKNOWN_ZIPF) for part in folded.split("-") if part)
        return UNKNOWN_ZIPF if found is None else found

    def syllables(self, word: str) -> int | None:
        """The syllables that the dictionary lists; ``None`` for a word it has not."""
        return self._syllables.get(word.lower())


@cache
def word_table(language: str) -> WordTable:
    """The shipped table of a language.

    Raises:
        ResourceError: there is none.
    """
    path = DATA / f"{language}_words.npz"
    if not path.is_file():
        raise ResourceError(f"there are no word frequencies for language {language!r}; leave out what needs them")
    with np.load(path) as arrays:
        words = arrays["words"].tobytes().decode().split("\n")
        zipf = dict(zip(words, (arrays["zipf"] / 25).tolist(), strict=True))
        syllables = {word: count for word, count in zip(words, arrays["syllables"].tolist(), strict=True) if count}
    return WordTable(zipf, syllables, f"words-{language}:{len(words)}")
