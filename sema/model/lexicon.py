"""The lexicon protocol: what an aligner may ask about words. Implementations live outside ``sema``."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol, runtime_checkable


@runtime_checkable
class Lexicon(Protocol):
    """Word knowledge of one language. Words come as they stand in the text; a lexicon folds case itself.

    Every method is symmetric unless it says otherwise, is quick enough to be asked for every pair of words of two
    sentences, and answers ``False`` or the empty set for words it does not know.
    """

    @property
    def signature(self) -> str:
        """Name and version of the word list, for the result's signature."""
        ...

    def lemmas(self, word: str) -> frozenset[str]:
        """The base forms the word may have, lower-cased (``left`` -> leave, left); empty when unknown."""
        ...

    def are_synonyms(self, first: str, second: str) -> bool:
        """Whether some sense of one word is also a sense of the other (a shared synset)."""
        ...

    def are_paraphrases(self, first: str, second: str) -> bool:
        """Whether the words are listed as paraphrases of each other without being synonyms by sense."""
        ...

    def is_hyponym(self, word: str, other: str, *, depth: int = 3) -> bool:
        """Whether ``word`` is a kind of ``other`` (beer, drink), at most ``depth`` hypernym steps up. Not symmetric."""
        ...


@runtime_checkable
class IndexedLexicon(Lexicon, Protocol):
    """A lexicon that also says by which keys its words meet, so that an aligner finds related words without pairing.

    The pairwise answers follow from the keys: synonyms share a sense; a word is a hyponym of another when one of its
    ``hypernyms`` is one of the other's ``wider_senses``; paraphrases are listed by lower-cased base form.
    """

    def senses(self, word: str) -> frozenset[Hashable]:
        """Keys of the word's senses; words that share one are synonyms."""
        ...

    def hypernyms(self, word: str, depth: int = 3) -> frozenset[Hashable]:
        """Keys of what lies at most ``depth`` steps above the word."""
        ...

    def wider_senses(self, word: str) -> frozenset[Hashable]:
        """The keys by which the word is found among another's ``hypernyms``."""
        ...

    def paraphrases(self, word: str) -> frozenset[str]:
        """The lower-cased forms listed as paraphrases of the word or of one of its lemmas."""
        ...
