"""Statements that are turned: negations gone or new, by clause, with other ways to deny taken into account."""

from __future__ import annotations

from collections.abc import Iterator

from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.lists import word_list
from sema_chinese.meaning.negation import denies_somehow
from sema_chinese.meaning.reading import Reading

REACH = 6
"""Tokens behind a negation in which the word stands that it denies."""

CONDITIONS = word_list("conditions")
SEPARATING = frozenset("；;")
"""Marks beyond which a condition does not reach."""
CLOSING = frozenset("的地")
"""Words that end what a negation before them denies."""
SOME = 0.35
"""How surely a word must be linked to be said in the other text in some way."""


def turned(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """Words that both texts say, denied in one of them alone."""
    for reading, other, why in ((source, output, "no longer negated"), (output, source, "negated")):
        for token in reading.negations:
            denied = _denied_by(reading, token)
            stated = _stated(reading, denied, other)
            if stated is None or _denies_too(reading, token, denied, other, int(reading.side.partners[stated])):
                continue
            reason = f"polarity: {why} ({reading.side.words[token]!r})"
            sides = (token, stated), (int(reading.side.partners[stated]),)
            yield Contradiction(reason, *(sides if reading is source else (sides[1], sides[0])))


def _stated(reading: Reading, denied: list[int], other: Reading) -> int | None:
    """The word among those denied that the other text has too.

    The first; or the second, unless the first is one that the other text has no word for: *不怕旱* denies no *旱*.
    """
    if not denied:
        return None
    reached = denied[:2] if reading.side.linked(denied[0], SOME) else denied[:1]
    return next((t for t in reached if _is_mutual(reading, t, other)), None)


def is_denied(reading: Reading, token: int) -> bool:
    """Whether an odd number of negations stands before a word in its clause, near enough to deny it."""
    clause = reading.clause(token)
    return sum(t in clause and t < token <= t + REACH for t in reading.negations) % 2 == 1


def _denied_by(reading: Reading, token: int) -> list[int]:
    """The words of content behind a negation, in its clause and in what 的 or 地 closes (*没有 想到 的 入球*)."""
    stop = min(token + 1 + REACH, reading.clause(token).stop)
    if token + 1 < stop and reading.plain[token + 1] in CLOSING:
        return []  # 粮食 不够 的 问题
    closed = next((t for t in range(token + 2, stop) if reading.plain[t] in CLOSING), stop)
    return reading.content(range(token + 1, closed))[:3]


def _is_mutual(reading: Reading, token: int, other: Reading) -> bool:
    """Whether a word and its partner are each other's, and surely."""
    partner = int(reading.side.partners[token])
    mutual = partner >= 0 and int(other.side.partners[partner]) == token
    return mutual and reading.side.linked(token, 0.7) and not other.side.weak[partner]


def _consequences(reading: Reading, clause: range) -> list[range]:
    """What follows in the sentence behind a condition: *若 过敏，或 怀孕，则 不得 使用* denies only at its end."""
    start, end = next(((b, e) for b, e in reading.spelling.sentences if b <= clause.start < e), (0, 0))
    open_to = next((t for t in range(clause.stop, end) if reading.plain[t] in SEPARATING), end)
    if CONDITIONS.isdisjoint(reading.plain[start : clause.stop]):
        return []
    return [then for then in reading.spelling.clauses if clause.stop <= then.start < open_to]


def _denies_too(reading: Reading, token: int, denied: list[int], other: Reading, partner: int) -> bool:
    """Whether another way to deny, a second negation or an opposite makes up for a negation.

    Looked for in the other text's clauses that the words of the negation's clause are linked into.
    """
    clause = reading.clause(token)
    if sum(t in clause for t in reading.negations) % 2 == 0:
        return True
    partners = {int(reading.side.partners[t]) for t in reading.content(clause) if reading.side.linked(t)}
    clauses = {other.clause(p) for p in (partner, *partners)}
    here = next((range(b, e) for b, e in other.spelling.sentences if b <= partner < e), range(0))
    clauses = {clause for clause in clauses if clause.start in here}
    clauses |= {then for clause in clauses for then in _consequences(other, clause)}
    facts = reading.facts
    if any(denies_somehow(other.plain[t], facts) for found in clauses for t in found):
        return True
    return any(facts.opposed(reading.plain[d], other.plain[t]) for d in denied for t in other.clause(partner))
