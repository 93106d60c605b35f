"""Which words of a text are negated: by *not* and the like, or by words that deny by their sense (*fail*, *refuse*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from sema_wordnet.antonyms import antonyms

from sema.model.text import Text
from sema_english.listed import table
from sema_english.meaning.quantities import read_quantities
from sema_english.meaning.words import Words, read_words

_REACH = 4
"""Words behind a negator in which it has the word that it negates."""
_SHORTEST = 5
"""Letters of the shortest word in which a negative affix is one."""


@dataclass(frozen=True)
class Polarity:
    """The negations of a text.

    Attributes:
        negated: by word of content that is negated, the words that negate it.
        loose: words that can make up for a negation elsewhere (*only*, *lack*, *useless*), and negators without a word
            that they negate or of which two stand in one clause (*cannot work without*).
    """

    negated: Mapping[int, tuple[int, ...]]
    loose: frozenset[int]

    def turns(self, words: Words, token: int) -> bool:
        """Whether a word is said to be not so: it is negated, has *no* behind it or *less* before it."""
        before, after = (
            words.lower[place] if 0 <= place < len(words.lower) else "" for place in (token - 1, token + 1)
        )
        if after == "no" or before in ("less", "least", "not", "n't", "cannot"):
            return True
        return self.odd(token)

    def odd(self, token: int) -> bool:
        """Whether a word is negated, and not twice."""
        return len(self.negated.get(token, ())) % 2 == 1


@lru_cache(64)
def read_polarity(text: Text) -> Polarity:
    """The negations of a text."""
    words = read_words(text)
    negators = [token for token in range(len(words.lower)) if _negates(words, token)]
    loose = {token for token, word in enumerate(words.lower) if _stands_for_one(word)}
    negated: dict[int, tuple[int, ...]] = {}
    twice = _double(words, negators)
    for token in negators:
        targets = () if token in twice else _targets(words, token)
        if not targets:
            loose.add(token)
        for target in targets:
            negated[target] = (*negated.get(target, ()), token)
    return Polarity(negated, frozenset(loose))


def is_negator(word: str) -> bool:
    """Whether a lower-cased word negates by itself."""
    return word in _negators()


def _stands_for_one(word: str) -> bool:
    superlative = len(word) > _SHORTEST - 1 and word.endswith("est")
    return word in _standing() or word in _denials() or superlative or has_negative_affix(word)


def has_negative_affix(word: str) -> bool:
    """Whether a lower-cased word begins or ends like one with a negation in it (*unknown*, *useless*)."""
    if len(word) < _SHORTEST:
        return False
    bare = {word[len(prefix) :] for prefix in _weak_prefixes() if word.startswith(prefix)}
    return word.startswith(_prefixes()) or word.endswith(_suffixes()) or not bare.isdisjoint(antonyms().get(word, ()))


def _negates(words: Words, token: int) -> bool:
    word, following = words.lower[token], words.lower[token + 1] if token + 1 < len(words.lower) else ""
    if word in _failures():
        return following == "to"
    return word in _negators() and following not in _limiting() and not following.isdecimal()


def _targets(words: Words, token: int) -> tuple[int, ...]:
    """The next word of content, not beyond a mark, with those that *or* joins to it; none if it is a number."""
    target = _next(words, token)
    end = words.sentence[token][1]
    if target is None or "than" in words.lower[target + 1 : min(end, target + _REACH)]:
        return ()  # *must not take more than 4*
    if any(target in found.tokens for found in read_quantities(words.text)):
        return ()
    joined = target + 1 < end and words.lower[target + 1] in ("or", "nor")
    further = _next(words, target + 1) if joined else None
    return (target,) if further is None else (target, further)


def _next(words: Words, token: int) -> int | None:
    passed = 0
    for place in range(token + 1, min(words.sentence[token][1], token + 1 + _REACH + _REACH)):
        word = words.lower[place]
        if not word[0].isalnum() and word not in ("'", '"', "``", "n't", "-"):
            return None
        if word in _adverbs() or word.endswith("ly"):
            continue
        if words.content[place]:
            return place
        passed += 1
        if passed == _REACH:
            return None
    return None


def _double(words: Words, negators: Sequence[int]) -> set[int]:
    """Negators with another behind them that may set them right (*not … without*, *never … unless*), and that one."""
    found: set[int] = set()
    for token, word in enumerate(words.lower):
        before = [other for other in negators if words.sentence[token][0] <= other < token]
        if word in _second() and before:
            found.update((before[-1], token))
    return found


@cache
def _negators() -> frozenset[str]:
    return frozenset(table("negation")["negators"])


@cache
def _limiting() -> frozenset[str]:
    """Words behind a negator that keep it from denying the rest (*not only*, *not all*)."""
    return frozenset(table("negation")["limiting"])


@cache
def _adverbs() -> frozenset[str]:
    return frozenset(table("negation")["adverbs"])


@cache
def _failures() -> frozenset[str]:
    return frozenset(table("negation")["negating before to"])


@cache
def _denials() -> frozenset[str]:
    return frozenset(table("negation")["denials"])


@cache
def _standing() -> frozenset[str]:
    return frozenset(table("negation")["standing for one"])


@cache
def _second() -> frozenset[str]:
    return frozenset(table("negation")["second"])


@cache
def _prefixes() -> tuple[str, ...]:
    return tuple(table("negation")["negative prefixes"])


@cache
def _weak_prefixes() -> tuple[str, ...]:
    return tuple(table("negation")["prefixes of antonyms"])


@cache
def _suffixes() -> tuple[str, ...]:
    return tuple(table("negation")["negative suffixes"])
