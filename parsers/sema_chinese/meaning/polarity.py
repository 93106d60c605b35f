"""The negations of a Chinese text: which words negate, and which words they negate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from sema.model.text import Text
from sema_chinese.listed import table, word_list
from sema_chinese.meaning.words import Words, read_words
from sema_chinese.spelling import BREAKS

_FAR = 8
"""The number of words within which *so much* follows in a comparison."""
_REACH = 6
"""The number of tokens after a negation among which its target lies."""


@dataclass(frozen=True)
class Polarity:
    """The negations of a text.

    Attributes:
        negated: the content words that are negated an odd number of times, each with the words that negate it.
        loose: words that can compensate for a negation elsewhere.
        negators: the words that negate, in order.
    """

    negated: dict[int, tuple[int, ...]]
    loose: frozenset[int]
    negators: tuple[int, ...]

    def denied(self, words: Words, token: int) -> bool:
        """Whether an odd number of negations precedes a word in its clause, near enough to negate it."""
        clause = words.clause(token)
        return sum(t in clause and t < token <= t + _REACH for t in self.negators) % 2 == 1


@lru_cache(64)
def read_polarity(text: Text) -> Polarity:
    """The negations of a text."""
    words = read_words(text)
    negators = _negators(words)
    loose = {token for token, word in enumerate(words.plain) if may_deny(word)}
    negated: dict[int, tuple[int, ...]] = {}
    for token in negators:
        clause = words.clause(token)
        if sum(other in clause for other in negators) % 2 == 0:
            continue  # two negations affirm
        target = _target(words, token)
        if target is not None:
            negated[target] = (*negated.get(target, ()), token)
            loose.discard(token)
    odd = {token: by for token, by in negated.items() if len(by) % 2}
    return Polarity(odd, frozenset(loose), negators)


def _target(words: Words, token: int) -> int | None:
    """The first content word behind a negation in its clause, before 的 or 地 (*没有 想到 的 入球*)."""
    stop = min(token + 1 + _REACH, words.clause(token).stop)
    ends = [t for t in range(token + 1, stop) if words.plain[t] in table("grammar")["ends of scope"]]
    return next(iter(words.among(range(token + 1, min([*ends, stop])))), None)


def _negators(words: Words) -> tuple[int, ...]:
    """The tokens that negate what follows: negations, and words that imply one (否认, 避免)."""
    found = set()
    plain, spelling = words.plain, words.spelling
    open_questions, limited = word_list("negation", "open questions"), word_list("negation", "no denials")
    asked = {at + k for word in open_questions for at in spelling.find(word) for k in range(len(word))}
    for t, word in enumerate(plain):
        before, after = plain[t - 1] if t else "", plain[t + 1] if t + 1 < len(plain) else ""
        if spelling.starts[t] in asked or _compares(plain, t):
            continue
        if not limited.isdisjoint((word, word + after, before + word)) or after in word_list("negation", "only"):
            continue
        if word in word_list("negation", "denials") or _negates(word):
            found.add(t)
    edges = set(spelling.starts)
    for word in word_list("negation", "cut"):  # the second character is cut off with the word behind it
        places = (at for at in spelling.find(word) if at in edges and at + 2 not in edges)
        found.update(spelling.home[at + 1] for at in places)
    return tuple(sorted(found))


def _negates(word: str) -> bool:
    """Whether a word denies what follows: an adverb with a negation (*并未*), or a word of negation."""
    adverbs, characters = word_list("negation", "adverbs"), table("grammar")["negative characters"]
    if len(word) == 2 and word[0] in adverbs and word[1] in characters:
        return True
    return word in word_list("negation", "denying") and _begins_negative(word)


def _begins_negative(word: str) -> bool:
    """Whether a word is a negation, or begins with one and is no word of its own (*不同*, *未来*)."""
    if word in word_list("negation", "negations"):
        return True
    begins = len(word) > 1 and word[0] in table("grammar")["negative characters"]
    return begins and word not in word_list("negation", "no negations")


def _compares(plain: Sequence[str], token: int) -> bool:
    """Whether a word compares (*没有 去年 那么 多*): it denies a degree, not a statement."""
    if plain[token] not in word_list("grammar", "less"):
        return False
    clause = list(takewhile(lambda word: word not in BREAKS, plain[token + 1 : token + 2 + _FAR]))
    return any(word.startswith(tuple(word_list("grammar", "so"))) for word in clause[1:])


def may_deny(word: str) -> bool:
    """Whether a word can express a negation, by its sense or a part of it."""
    if word in word_list("negation", "no denials"):
        return False
    forbids = len(word) == 2 and word[0] == "别"  # 别动 is cut as one word
    bound = not word_list("negation", "bound").isdisjoint(word)
    return forbids or bound or word in word_list("negation", "denying") or _begins_negative(word)
