"""The negations of a Chinese text: which words negate, and what they reach."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from sema.model.text import Text
from sema.runtime.caching import remembered
from sema_chinese.listed import table, word_list
from sema_chinese.meaning.words import Words, read_words
from sema_chinese.spelling import BREAKS

_FAR = 8
"""The number of words within which *so much* follows in a comparison."""
_REACH = 6
"""The number of tokens after a negation among which its target lies."""


@remembered
def read_negators(text: Text) -> tuple[int, ...]:
    """The tokens that negate, in order: negations, and words that imply one (否认, 避免)."""
    return _negators(read_words(text))


def denied(words: Words, negators: Sequence[int], token: int) -> bool:
    """Whether an odd number of negations precedes a word in its clause, near enough to negate it."""
    clause = words.clause(token)
    return sum(t in clause and t < token <= t + _REACH for t in negators) % 2 == 1


def _negators(words: Words) -> tuple[int, ...]:
    negators = set()
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
            negators.add(t)
    edges = set(spelling.starts)
    for word in word_list("negation", "cut"):  # the second character is cut off with the word behind it
        places = (at for at in spelling.find(word) if at in edges and at + 2 not in edges)
        negators.update(spelling.home[at + 1] for at in places)
    return tuple(sorted(negators))


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
