"""Word knowledge of a language: the lexicon protocol, and tables of word frequencies and syllables.

Lexicons live outside ``sema``; an aligner asks them about pairs of words. Zipf scale: the base-10 logarithm of a word's
occurrences per billion words, about 1 (very rare) to 7.7 (*the*); van Heuven, Mandera, Keuleers and Brysbaert (2014).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

from sema.model.text import Signed


@runtime_checkable
class Lexicon(Signed, Protocol):
    """Word knowledge of one language. Words are passed as in the text; a lexicon folds case itself.

    Every method is symmetric unless it says otherwise, is quick enough to be asked for every pair of words of two
    sentences, and answers ``False`` or the empty set for words it does not know.
    """

    def lemmas(self, word: str) -> frozenset[str]:
        """The base forms the word may have, lower-cased (``left`` -> leave, left); empty when unknown."""

    def are_synonyms(self, first: str, second: str) -> bool:
        """Whether some sense of one word is also a sense of the other (a shared synset)."""

    def are_paraphrases(self, first: str, second: str) -> bool:
        """Whether the words are listed as paraphrases of each other without being synonyms by sense."""

    def is_hyponym(self, word: str, other: str, *, depth: int = 3) -> bool:
        """Whether ``word`` is a kind of ``other`` (beer, drink), at most ``depth`` hypernym steps up. Not symmetric."""


@runtime_checkable
class IndexedLexicon(Lexicon, Protocol):
    """A lexicon with lookup keys, so that an aligner finds related words without comparing all pairs.

    The pairwise answers follow from the keys: synonyms share a sense; a word is a hyponym of another when one of its
    ``hypernyms`` is one of the other's ``wider_senses``; paraphrases are listed by lower-cased base form.
    """

    def senses(self, word: str) -> frozenset[Hashable]:
        """Keys of the word's senses; words that share one are synonyms."""

    def hypernyms(self, word: str, depth: int = 3) -> frozenset[Hashable]:
        """Keys of the senses at most ``depth`` steps above the word."""

    def wider_senses(self, word: str) -> frozenset[Hashable]:
        """The keys by which another word's ``hypernyms`` match this word."""

    def paraphrases(self, word: str) -> frozenset[str]:
        """The lower-cased forms listed as paraphrases of the word or of one of its lemmas."""


class LayeredLexicon:
    """The lemmas and senses of another lexicon, ``base``; a subclass, called ``name``, adds paraphrases."""

    def __init__(self, base: IndexedLexicon, name: str) -> None:
        self.base = base
        self.signature = f"{base.signature}+{name}"
        self.senses, self.hypernyms, self.wider_senses = base.senses, base.hypernyms, base.wider_senses
        self.are_synonyms, self.is_hyponym = base.are_synonyms, base.is_hyponym

    def lemmas(self, word: str) -> frozenset[str]:
        """The base lexicon's lemmas."""
        return self.base.lemmas(word)


UNKNOWN_ZIPF = 1.5
"""The frequency of words outside a table; tables stop at about 2.5."""


class WordTable:
    """Words with their frequencies, their syllables where a dictionary has them, and lower-cased function words."""

    def __init__(
        self, zipf: dict[str, float], syllables: dict[str, int], signature: str, function_words: Collection[str] = ()
    ) -> None:
        self._zipf = zipf
        self._syllables = syllables
        self.signature = signature
        self.function_words = frozenset(function_words)

    @classmethod
    def read(cls, path: Path, name: str, function_words: Collection[str] = ()) -> WordTable:
        """The table of an ``.npz`` file, as ``training.english.frequencies`` writes it."""
        import numpy as np

        with np.load(path) as arrays:
            words = arrays["words"].tobytes().decode().split("\n")
            zipf = dict(zip(words, (arrays["zipf"] / 25).tolist(), strict=True))
            counts = dict(zip(words, arrays["syllables"].tolist(), strict=True))
        syllables = {word: count for word, count in counts.items() if count}
        return cls(zipf, syllables, f"{name}:{len(words)}", function_words)

    def __contains__(self, word: str) -> bool:
        return word.lower() in self._zipf

    def __iter__(self) -> Iterator[str]:
        return iter(self._zipf)

    def zipf(self, word: str) -> float:
        """The frequency on the Zipf scale; a hyphenated word is as common as its rarest part."""
        folded = word.lower()
        frequency = self._zipf.get(folded)
        if frequency is None and "-" in folded.strip("-"):
            frequency = min(self._zipf.get(part, UNKNOWN_ZIPF) for part in folded.split("-") if part)
        return UNKNOWN_ZIPF if frequency is None else frequency

    def syllables(self, word: str) -> int | None:
        """The syllables that the dictionary lists; ``None`` for a word without an entry."""
        return self._syllables.get(word.lower())
