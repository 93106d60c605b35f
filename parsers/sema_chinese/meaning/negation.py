"""Words that deny, in Chinese: what they are, and what only looks like one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from sema_chinese.meaning.lists import word_list
from sema_chinese.meaning.spelling import BREAKS, Spelling

if TYPE_CHECKING:
    from sema_chinese.facts import ChineseFacts

NEGATIVE = word_list("denying")
"""Words that may stand in for a negation in the other text."""
NOT_ONLY = word_list("no denials")
OPEN = word_list("open questions")
"""Questions that leave open what they ask."""
ADVERBS = frozenset("尚并仍还也都均从绝决毫暂却又且皆概素")
"""Characters that make a word of negation with one behind them (尚无, 仍未)."""
CUT = ("并无", "并未", "并不", "尚无", "尚未", "毫无", "从未", "绝无")
"""Words of negation that are found where a text is cut within them, their second half with what follows (并, 无抢)."""
FAR = 8
"""Words within which *so much* follows in a comparison."""
BOUND = frozenset("不没未无非勿莫难免拒禁否停止")
"""Characters that make a word deny."""


def find_negations(spelling: Spelling, facts: ChineseFacts) -> list[int]:
    """The tokens that deny what follows: words of negation, and those that say it by their sense (否认, 避免)."""
    found = []
    plain, starts = spelling.plain, spelling.starts
    asked = {at + k for word in OPEN for at in spelling.find(word) for k in range(len(word))}
    for t, word in enumerate(plain):
        before, after = plain[t - 1] if t else "", plain[t + 1] if t + 1 < len(plain) else ""
        if starts[t] in asked or _compares(plain, t) or not NOT_ONLY.isdisjoint((word, word + after, before + word)):
            continue
        negates = word in NEGATIVE and facts.negates(word)
        negates |= len(word) == 2 and word[0] in ADVERBS and word[1] in "不没未无"
        if facts.force(after) != "only" and (facts.denies(word) or negates):
            found.append(t)
    edges = set(starts)
    cut = {spelling.home[at + 1] for word in CUT for at in spelling.find(word) if at in edges and at + 2 not in edges}
    return sorted({*found, *cut})


def _compares(plain: Sequence[str], token: int) -> bool:
    """Whether a word says that something is less than another (*没有 去年 那么 多*): what it denies is a degree."""
    if plain[token] not in ("没有", "没", "不如"):
        return False
    clause = takewhile(lambda word: word not in BREAKS, plain[token + 1 : token + 2 + FAR])
    return any(word.startswith(("那么", "这么", "那样", "这样")) for word in list(clause)[1:])


def denies_somehow(word: str, facts: ChineseFacts) -> bool:
    """Whether a word may stand in for a negation, as its sense or a part of it."""
    if word in NOT_ONLY:
        return False
    forbids = len(word) == 2 and word[0] == "别"  # 别动 is cut as one word
    return word in NEGATIVE or forbids or facts.negates(word) or not BOUND.isdisjoint(word)
