"""What English words say about facts: negation, modality, quantity, pronouns, agents of passives, opposites."""

from __future__ import annotations

from functools import lru_cache

from sema.model.lexicon import Lexicon
from sema.model.text import is_punctuation
from sema_english.relations import FUNCTION_WORDS, number_value, relations

VERSION = 1
RELATED = 0.97
"""What a link between words that some relation ties is worth, against the same word's 1."""
UNRELATED = 0.75
"""What one is worth that their surroundings alone speak for."""
_NEGATIONS = frozenset(
    ["not", "n't", "never", "no", "nor", "neither", "none", "nobody", "nothing", "nowhere", "without", "cannot"]
)
_PRONOUNS = frozenset(
    [
        "he",
        "she",
        "it",
        "they",
        "him",
        "her",
        "them",
        "his",
        "its",
        "their",
        "hers",
        "theirs",
        "himself",
        "herself",
        "itself",
        "themselves",
    ]
)
_FORCES = {
    "possible": "may might perhaps possibly maybe could probably likely apparently allegedly reportedly",
    "able": "can able",
    "must": "must required",
    "should": "should ought",
    "would": "would",
    "all": "all every each entire whole always",
    "most": "most mostly mainly primarily usually generally",
    "some": "some several sometimes",
    "many": "many often frequently numerous",
    "few": "few rarely seldom hardly",
    "only": "only just solely",
    "more": "more over",
    "less": "less fewer under",
    "about": "about around approximately roughly nearly almost",
}
_FORCE = {word: group for group, words in _FORCES.items() for word in words.split()}
_NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis")


class EnglishFacts:
    """Closed classes by list, opposites by WordNet's antonyms and by prefix (*happy*, *unhappy*)."""

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        """``lexicon`` gives base forms; without one a word is its own."""
        self._lexicon = lexicon
        self._kind = relations(lexicon, reverse_hyponymy=True).kind
        self.likeness = lru_cache(1 << 18)(self._likeness)
        self.is_weak = lru_cache(1 << 17)(self._is_weak)
        self.value = lru_cache(1 << 17)(number_value)

    @property
    def signature(self) -> str:
        """Name and version."""
        return f"en-facts-{VERSION}"

    def _is_weak(self, word: str) -> bool:
        lower = word.lower()
        return lower in FUNCTION_WORDS or lower in _PRONOUNS or is_punctuation(word)

    def negates(self, word: str) -> bool:
        """Whether it is a word of negation."""
        return word.lower() in _NEGATIONS

    def force(self, word: str) -> str | None:
        """The group of a modal or a quantifier."""
        return _FORCE.get(word.lower())

    def is_pronoun(self, word: str) -> bool:
        """Whether it is a personal pronoun of the third person."""
        return word.lower() in _PRONOUNS

    def marks_agent(self, word: str) -> bool:
        """Whether it is *by*."""
        return word.lower() == "by"

    def _likeness(self, source: str, output: str) -> float:
        if self._kind(source, output) is not None:
            return RELATED if source.lower() != output.lower() else 1.0
        return 0.0 if self._opposed(source, output) else UNRELATED

    def _opposed(self, first: str, second: str) -> bool:
        from sema_wordnet.antonyms import antonyms

        if first == second or not (first.isalpha() and second.isalpha()):
            return False
        here, there = self._bases(first), self._bases(second)
        if here & there:
            return False
        known = antonyms()
        if any(known.get(word, frozenset()) & there for word in here):
            return True
        return any(
            longer == prefix + shorter
            for longer, shorter in ((x, y) for a, b in ((here, there), (there, here)) for x in a for y in b)
            for prefix in _NEGATIVE_PREFIXES
            if len(shorter) > 3
        )

    def _bases(self, word: str) -> frozenset[str]:
        lower = word.lower()
        return (self._lexicon.lemmas(word) if self._lexicon is not None else frozenset()) | {lower}

    def __reduce__(self) -> tuple[type[EnglishFacts], tuple[Lexicon | None]]:
        return type(self), (self._lexicon,)
