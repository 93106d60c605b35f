"""What a language knows of single words: how common each is, its syllables, which are function words.

Zipf scale: the base-10 logarithm of a word's occurrences per billion words, about 1 (very rare) to 7.7 (*the*); van
Heuven, Mandera, Keuleers and Brysbaert (2014).
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

UNKNOWN_ZIPF = 1.5
"""For words outside a table; tables stop at about 2.5."""


class WordTable:
    """Words with their frequencies and, where a dictionary has them, their syllables.

    Attributes:
        function_words: lower-cased words without a content of their own; may be empty.
        signature: the table's name and size.
    """

    def __init__(
        self,
        zipf: dict[str, float],
        syllables: dict[str, int],
        signature: str,
        function_words: Collection[str] = (),
    ) -> None:
        self._zipf = zipf
        self._syllables = syllables
        self.signature = signature
        self.function_words = frozenset(function_words)

    @classmethod
    def read(cls, path: Path, name: str, function_words: Collection[str] = ()) -> WordTable:
        """The table of an ``.npz`` file, as ``sema_english.training.frequencies`` writes it."""
        import numpy as np

        with np.load(path) as arrays:
            words = arrays["words"].tobytes().decode().split("\n")
            zipf = dict(zip(words, (arrays["zipf"] / 25).tolist(), strict=True))
            counts = dict(zip(words, arrays["syllables"].tolist(), strict=True))
        syllables = {word: count for word, count in counts.items() if count}
        return cls(zipf, syllables, f"{name}:{len(words)}", function_words)

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
