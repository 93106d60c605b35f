"""What came first and what caused what: clauses that connectives join the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.lists import word_list
from sema_chinese.meaning.reading import Reading

CAUSES = word_list("before a cause")
"""Words before a cause; what else the sentence says came of it."""
EFFECTS = word_list("before an effect")
"""Words between a cause and what came of it."""
BROUGHT_BY = word_list("between effect and cause")
"""Words between what came of something and its cause."""
AFTER = word_list("behind what came first")
"""Words behind what came first."""
BEFORE = word_list("behind what came last")
"""Words behind what came last."""
THEN = word_list("heading what came last")
"""Words at the head of what came last."""
MOSTLY, SOME = 0.5, 0.35
"""The share of a stretch's words that must have gone to the other; how surely a word must be linked to count."""
FIRST = word_list("heading what came first")
"""Words at the head of what came first."""
ONLY_THEN = frozenset(["才", "再", "才能", "才可", "才可以", "才会", "方", "方可", "方能"])
"""Those that may stand anywhere in their clause."""
SIDES = frozenset("双各对我敌甲乙丙官警军校单多")
"""Characters that make a party of 方 where a text is cut behind them."""
AFTERWARDS = "后"
"""At the head of a clause it stands before what came last (先 实习，后 调入), elsewhere behind what came first."""
JOINING = CAUSES | EFFECTS | BROUGHT_BY | AFTER | BEFORE | THEN | FIRST | {AFTERWARDS}
"""All of these."""
CUT_OFF = frozenset("此而之")
"""What follows 因 in words that name no cause."""
SPANS = frozenset(
    ["年", "月", "日", "天", "周", "小时", "分钟", "秒", "世纪", "个月", "星期", "年代", "不久", "多年", "几年"]
)
"""Words that tell, before 前 and 后, when something was and not what came first."""


@dataclass(frozen=True)
class Join:
    """Two stretches of words that a connective puts in an order."""

    token: int
    causal: bool
    first: tuple[int, ...]
    last: tuple[int, ...]


def reversed_order(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """Stretches of words that come first in one text and last in the other."""
    there = list(joins(output))
    for one in joins(source):
        first, last = (_apart(source, side, output) for side in (one.first, one.last)) if there else ((), ())
        for other in there:
            if _both_said(source.plain[one.token], output.plain[other.token], source, output):
                continue
            joined = one.causal == other.causal
            if joined and _goes(source, first, other.last, other) and _goes(source, last, other.first, other):
                mine, theirs = source.side.words[one.token], output.side.words[other.token]
                said = f"order: {mine!r} became {theirs!r}, or joins them the other way round"
                yield Contradiction(said, (one.token,), (other.token,))
                return


def _both_said(one: str, other: str, source: Reading, output: Reading) -> bool:
    """Whether each text has both of two connectives (之所以 and 是因为), so that neither stands for the other."""
    return one != other and all({one, other} <= set(reading.plain) for reading in (source, output))


def _apart(source: Reading, tokens: Sequence[int], output: Reading) -> list[int]:
    """Some words but the one that begins a sentence in both texts: a subject is both clauses'."""
    starts = {next(iter(output.content(range(*span))), -1) for span in output.spelling.sentences}
    heads = {next(iter(source.content(range(*span))), -1) for span in source.spelling.sentences}
    apart = [t for t in tokens if t not in heads or int(source.side.partners[t]) not in starts]
    return apart if any(source.side.linked(t, SOME) for t in apart) else list(tokens)


def _goes(source: Reading, tokens: Sequence[int], where: Sequence[int], join: Join) -> bool:
    """Whether most of what some words became of all that a connective joins stands on one side of it."""
    linked = (int(source.side.partners[t]) for t in tokens if source.side.linked(t, SOME))
    partners = [p for p in linked if p in join.first or p in join.last]
    return bool(partners) and sum(p in where for p in partners) >= MOSTLY * len(partners)


def joins(reading: Reading) -> Iterator[Join]:
    """The connectives of a text with what they join, within a sentence."""
    for start, end in reading.spelling.sentences:
        for t in (t for t in range(start, end) if reading.plain[t] in JOINING):
            for causal, made in ((True, _caused(reading, t, start, end)), (False, _timed(reading, t, start, end))):
                if made is None:
                    continue
                first, last = tuple(reading.content(made[0])), tuple(reading.content(made[1]))
                if first and last:
                    yield Join(t, causal, first, last)


Stretches = tuple[Sequence[int], Sequence[int]]


def _caused(reading: Reading, t: int, start: int, end: int) -> Stretches | None:
    """The cause and what came of it, where a word joins them."""
    plain, clause = reading.plain, reading.clause(t)
    before, after = range(clause.start, t), range(t + 1, clause.stop)
    then = next((e for e in range(t + 2, clause.stop - 1) if plain[e] == "而"), None)
    if plain[t] in CAUSES and then is not None and not _is_cut(reading, t):
        return range(t + 1, then), range(then + 1, clause.stop)  # 因 亏损 而 换人
    if plain[t] in CAUSES and (t == clause.start or plain[t - 1] == "是") and not _is_cut(reading, t):
        return after, [*range(start, t), *range(clause.stop, end)]
    if plain[t] in EFFECTS and (t == start or plain[t - 1] != "之"):
        return (before if reading.content(before) else range(start, t)), range(t + 1, end)
    return (after, before) if plain[t] in BROUGHT_BY else None


def _is_cut(reading: Reading, t: int) -> bool:
    """Whether 因 is what was cut off 因此 or 因而."""
    return t + 1 < len(reading.plain) and reading.plain[t + 1][:1] in CUT_OFF


def _timed(reading: Reading, t: int, start: int, end: int) -> Stretches | None:
    """What came first and what last, where a word joins them."""
    word, clause = reading.plain[t], reading.clause(t)
    before, after = range(clause.start, t), range(t + 1, end)
    happens = bool(reading.content(before)) and reading.plain[t - 1] not in SPANS
    if word in AFTER and happens:
        return before, after
    if word in BEFORE and happens:
        return after, before
    if word in FIRST and clause.stop < end:
        return range(t + 1, clause.stop), range(clause.stop, end)
    if word == AFTERWARDS and t > start and not reading.content(before):
        return range(start, t), after
    if word == "方" and t > start and reading.plain[t - 1] in SIDES:
        return None
    if word in THEN and (word in ONLY_THEN or not reading.content(before)):
        return range(start, t), after
    return None
