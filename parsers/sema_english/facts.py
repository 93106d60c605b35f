"""What English words say about facts: closed classes by list, opposites by WordNet, by list and by prefix."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from pathlib import Path

from sema_wordnet.nouns import mostly_noun, name_different_things

from sema.metrics.meaning.listed import ListedFacts
from sema.model.lexicon import Lexicon
from sema.model.text import is_punctuation
from sema_english.relations import FUNCTION_WORDS, number_value, relations
from sema_english.words import word_table

VERSION = 5
RELATED = 0.97
"""What a link between words that some relation ties is worth, against the same word's 1."""
UNRELATED = 0.75
"""What one is worth that their surroundings alone speak for."""
SIMPLER, PLAINER = 0.3, 1.0
"""How much commoner a simpler word is at least, and how much commoner one that hardly means something else (Zipf
scale)."""
SHORT = 4
"""Letters of *best* and *rest*."""
_NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis")
_NOT_NEGATIVE = frozenset(
    (  # noqa: SIM905
        "discharge discourse discover disease dispatch display dispose distribute impact impart import impose "
        "impress imprison improve income increase indeed indifferent indoor infamous inflame inflammable inform "
        "inhabit inland insect inside insight inspire install intend intense invaluable invest invoice unless"
    ).split()
)
"""Words that only look as if they began with one."""
_LASTING = frozenset(["lasts", "lasted", "lasting"])
"""Forms of a verb that is no opposite of *first*."""


class EnglishFacts(ListedFacts):
    """Facts about English words."""

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        """``lexicon`` gives base forms; without one a word is its own."""
        super().__init__(Path(__file__).parent / "facts.json")
        self._lexicon = lexicon
        self._kind = relations(lexicon, reverse_hyponymy=True).kind
        self._likely = lru_cache(1 << 16)(self._likeness)
        self._against = lru_cache(1 << 16)(self._opposed)
        self._weak = lru_cache(1 << 14)(self._is_weak)
        self._number = lru_cache(1 << 14)(number_value)

    @property
    def signature(self) -> str:
        """Name and version."""
        return f"en-facts-{VERSION}"

    def is_weak(self, word: str) -> bool:
        """Function words, pronouns and punctuation."""
        return self._weak(word)

    def _is_weak(self, word: str) -> bool:
        return word.lower() in FUNCTION_WORDS or self.is_pronoun(word) or is_punctuation(word)

    def unlisted(self, word: str) -> bool:
        """Whether the lexicon has no reading of it."""
        return word.isalpha() and self._lexicon is not None and not (self.is_weak(word) or self._lexicon.lemmas(word))

    def value(self, word: str) -> Hashable | None:
        """What a number, weekday or month stands for."""
        return self._number(word)

    def likeness(self, source: str, output: str) -> float:
        """1 for the same word, less for a related or an unknown one, 0 for an opposite."""
        return 1.0 if source == output else self._likely(source, output)

    def _likeness(self, source: str, output: str) -> float:
        if self.opposed(source, output):  # asked first: opposites are of a kind (*often*, *rarely*)
            return 0.0
        if self._kind(source, output) is not None:
            return RELATED if source.lower() != output.lower() else 1.0
        return UNRELATED

    def distinct(self, first: str, second: str, *, alone: bool = False) -> bool:
        """Whether WordNet has two nouns for different things, and no list ties them; alone, also of any two nouns.

        Who writes more simply chooses a commoner word, so a noun that is no commoner is there for what it names.
        """
        if self._kind(first, second) is not None or self._kind(second, first) is not None:
            return False
        return name_different_things(first, second) or (alone and self._no_simpler(first, second))

    def _no_simpler(self, first: str, second: str) -> bool:
        table = word_table()
        nouns = second in table and mostly_noun(first) and mostly_noun(second)
        return nouns and table.zipf(second) <= table.zipf(first) + SIMPLER

    def plainer(self, first: Sequence[str], second: Sequence[str]) -> bool:
        """Whether the rarest of the second words is ten times as common as the rarest of the first."""
        rarest = [min(map(word_table().zipf, words), default=0.0) for words in (first, second)]
        return rarest[1] > rarest[0] + PLAINER

    def implies_negation(self, word: str) -> bool:
        """Whether it is listed, bears a negation or is a superlative (*lowest*: *not so low*)."""
        return super().implies_negation(word) or (len(word) > SHORT and word.lower().endswith("est"))

    def converse(self, first: str, second: str) -> bool:
        """Whether base forms of the two are listed as converses, or both compare (*older*, *younger*)."""
        if first.lower().endswith("er") and second.lower().endswith("er"):
            return True
        return any(super(EnglishFacts, self).converse(a, b) for a in self._bases(first) for b in self._bases(second))

    def opposed(self, first: str, second: str) -> bool:
        """Whether WordNet, the list or a prefix (*happy*, *unhappy*) makes the two opposites."""
        return first != second and self._against(first, second)

    def _opposed(self, first: str, second: str) -> bool:
        from sema_wordnet.antonyms import antonyms

        if not (first.isalpha() and second.isalpha()) or self.order(first) or self.order(second):
            return False
        if {first[-3:], second[-3:]} >= {"est"} and {first[-2:], second[-2:]} >= {"er"}:
            return False  # *at the latest*, *or earlier*
        here, there = self._bases(first), self._bases(second)
        pairs = [(a, b) for a in here for b in there]
        if here & there or any(a == "inter" + b or b == "inter" + a for a, b in pairs):
            return False
        known = antonyms()
        return any(
            frozenset(pair) in self._opposites or pair[1] in known.get(pair[0], frozenset()) or _by_prefix(*pair)
            for pair in pairs
        )

    def _bases(self, word: str) -> frozenset[str]:
        lower = word.lower()
        if lower in _LASTING:
            return frozenset([lower])
        return (self._lexicon.lemmas(word) if self._lexicon is not None else frozenset()) | {lower}

    def __reduce__(self) -> tuple[type[EnglishFacts], tuple[Lexicon | None]]:
        return type(self), (self._lexicon,)


def _by_prefix(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return (
        len(shorter) > 3
        and longer not in _NOT_NEGATIVE
        and any(longer == prefix + shorter for prefix in _NEGATIVE_PREFIXES)
    )
