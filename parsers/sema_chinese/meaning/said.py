"""Facts that are said otherwise: other numbers, opposites, other degrees of quantity, certainty and duty."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.lists import word_list
from sema_chinese.meaning.negation import denies_somehow
from sema_chinese.meaning.numbers import Number, numbers, unmatched
from sema_chinese.meaning.polarity import is_denied
from sema_chinese.meaning.reading import Reading, in_place
from sema_chinese.meaning.wording import known_names, replacements
from sema_chinese.relations import OPPOSITE_CHARACTERS

if TYPE_CHECKING:
    from sema_chinese.facts import ChineseFacts

_DEGREE = "较更最很太极越偏非常比"
"""Characters before an adjective that leave its sense as it is."""
_HEDGE = "certainty"
UNLESS = "才方不只"
"""Characters behind which a modal of one character is not one by itself (才能, 方可, 不能)."""
ONLY_THEN = "才方"
"""Characters behind which 可以 tells a condition, not a permission."""
NOT, TOP = tuple("不没未"), 4
"""What makes *never* of the strongest frequency."""
PLANNED, TO_COME, DONE = word_list("planned"), word_list("to come"), word_list("done")
"""Words for what is planned, for what is still to come in any way, and for what has happened."""
EXPECTED = PLANNED | {"预计", "有望", "预期", "估计"}
DUTIES, OBLIGING = word_list("duties"), word_list("obliging")
"""Words that make a duty of something; all those by which a text may have said that it is one."""
LONGEST = 4
"""Characters of the longest word of a scale."""


def other_numbers(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """A number that the other text has not, where one stood that is gone."""
    gone, new = unmatched(numbers(source.spelling), numbers(output.spelling))
    for number in new:
        lost = [one for one in gone if _comparable(one, number)]
        here = next((one for one in lost if in_place(source, one.tokens, output, number.tokens)), None)
        if here is None and len(lost) == len(new) == 1 and lost[0].kind == number.kind != "":
            here = lost[0]
        if here is not None:
            gone.remove(here)
            said = f"number: {source.side.said(here.tokens)} became {output.side.said(number.tokens)}"
            yield Contradiction(said, here.tokens, number.tokens)


def _comparable(first: Number, second: Number) -> bool:
    kinds = {first.kind, second.kind}
    if kinds == {"%", "share"}:
        return True
    if len(kinds) == 2 and 1 in (first.value, second.value):
        return False  # 一年 for 年 counts nothing
    return len(kinds) == 1 or bool(kinds & {"", "vague"}) or not kinds & {"%", "share", "ordinal"}


def other_names(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """A known name that the other text has not, where one stood that is gone."""
    gone, new = (_lost_names(*pair) for pair in ((source, output), (output, source)))
    for o in new:
        strangers = [t for t in gone if not _akin(source.plain[t], output.plain[o])]
        here = next((t for t in strangers if in_place(source, [t], output, [o])), None)
        if here is not None:
            gone.remove(here)
            said = f"name: {source.side.said([here])} became {output.side.said([o])}"
            yield Contradiction(said, (here,), (o,))


def _akin(first: str, second: str) -> bool:
    """Whether names share a character, or one has the short form of the other (粤西, 广东)."""
    if not set(first).isdisjoint(second):
        return True
    return any(long in replacements(char) for short, long in ((first, second), (second, first)) for char in short)


def _lost_names(reading: Reading, other: Reading) -> list[int]:
    names, chars = known_names(), other.spelling.chars
    return [t for t, word in enumerate(reading.plain) if word in names and word[0] not in chars]


def opposites(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """Words whose opposite stands in their place, unless a negation sets it right."""
    new = [o for o in output.content(range(len(output.side.words))) if not _elsewhere(output, o, source)]
    for t in source.content(range(len(source.side.words))):
        if _elsewhere(source, t, output):
            continue
        word = source.plain[t]
        for o in new:
            if not are_opposed(word, output.plain[o], source.facts) or not _in_clause(source, t, output, o):
                continue
            if is_denied(source, t) == is_denied(output, o):
                said = f"opposite: {source.side.said([t])} became {output.side.said([o])}"
                yield Contradiction(said, (t,), (o,))
            break


def _in_clause(source: Reading, token: int, output: Reading, other: int) -> bool:
    """Whether a word stands where another did, by the words of their clauses alone."""
    return in_place(source, [token], output, [other], within=(source.clause(token), output.clause(other)))


def _elsewhere(reading: Reading, token: int, other: Reading) -> bool:
    """Whether the other text has the word as often, or a word that may replace it."""
    word = reading.plain[token]
    mine, theirs = reading.plain.count(word), other.plain.count(word)
    return theirs >= mine or reading.side.linked(token, 0.6)


def are_opposed(first: str, second: str, facts: ChineseFacts) -> bool:
    """Whether words are listed as opposites, or words that may replace them, or differ by opposite characters."""
    whole = {first, second}
    first, second = first.lstrip(_DEGREE) or first, second.lstrip(_DEGREE) or second
    if first == second:
        return False
    if facts.opposed(first, second):
        return True
    if len(first) == len(second) > 1:
        differing = [frozenset(pair) for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
        if len(differing) == 1 and differing[0] in OPPOSITE_CHARACTERS:
            return True
    if second in replacements(first) or any(len(word) == 1 and word not in whole for word in (first, second)):
        return False  # 最低 is no opposite of 超过
    return second in _opposites_of(first, facts) or first in _opposites_of(second, facts)


@lru_cache(1 << 12)
def _opposites_of(word: str, facts: ChineseFacts) -> frozenset[str]:
    """The opposites of the words that may replace a word; of a single character, which may mean much, its own."""
    words = replacements(word) if len(word) > 1 else (word,)
    return frozenset(other for mine in words for other in facts.opposites_of(mine))


def other_degrees(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """Quantity, frequency, certainty and duty that are stronger or weaker than they were said to be."""
    here, there = _degrees(source), _degrees(output)
    taken: set[tuple[int, ...]] = set()
    for scale, level, tokens in here:
        if any(_same_degree(scale, level, other) for other in there if in_place(source, tokens, output, other[2])):
            continue
        if [s[:2] for s in there].count((scale, level)) >= [s[:2] for s in here].count((scale, level)):
            continue
        for name, other, found in there:
            same = name == scale and abs(level - other) >= _LEAST.get(scale, 1)
            if not same or found in taken or not in_place(source, tokens, output, found):
                continue
            if any(_same_degree(scale, other, one) for one in here if in_place(source, one[2], output, found)):
                continue
            taken.add(found)
            said = f"{scale}: {source.side.said(tokens)} became {output.side.said(found)}"
            yield Contradiction(said, tokens, found)
            break
        else:
            hedged = any(name == _HEDGE and lev <= 1 for name, lev, _ in there)
            if scale == _HEDGE and level == 0 and not hedged and not _ruled_out(source, tokens[0]):
                said = f"certainty: {source.side.said(tokens)} is gone"
                yield Contradiction(said, tokens, ())


def _ruled_out(reading: Reading, token: int) -> bool:
    """Whether a word that denies stands before a hedge in its clause: *排除 了 纵火 的 可能* leaves nothing open."""
    before = range(reading.clause(token).start, token)
    return any(denies_somehow(reading.plain[t], reading.facts) for t in before)


def already_done(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """A plan that has been carried out in the output: *计划 建成*, *已 建成*."""
    plans = [t for t, word in enumerate(source.plain) if word in PLANNED]
    done = [o for o, word in enumerate(output.plain) if word in DONE]
    settled = DONE.isdisjoint(source.plain) and TO_COME.isdisjoint(output.plain)
    if plans and done and settled and in_place(source, plans[:1], output, done[:1]):
        said = f"certainty: {source.side.said(plans[:1])} became {output.side.said(done[:1])}"
        yield Contradiction(said, tuple(plans[:1]), tuple(done[:1]))


def made_a_duty(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """What is planned or expected, said to be a duty: *计划 新建*, *必须 新建*."""
    plans = [t for t, word in enumerate(source.plain) if word in EXPECTED]
    duties = [o for o, word in enumerate(output.plain) if word in DUTIES]
    settled = OBLIGING.isdisjoint(source.plain) and EXPECTED.isdisjoint(output.plain)
    if plans and duties and settled and in_place(source, plans[:1], output, duties[:1]):
        said = f"certainty: {source.side.said(plans[:1])} became {output.side.said(duties[:1])}"
        yield Contradiction(said, tuple(plans[:1]), tuple(duties[:1]))


_LEAST = {"quantity": 2, "frequency": 2, "certainty": 2, "duty": 1}

Degree = tuple[str, int, tuple[int, ...]]


def _same_degree(scale: str, level: int, other: Degree) -> bool:
    return other[0] == scale and abs(other[1] - level) < _LEAST.get(scale, 1)


def _degrees(reading: Reading) -> list[Degree]:
    """The words of scales, the longest at each place, however the text is cut."""
    found: list[Degree] = []
    spelling = reading.spelling
    edges = set(spelling.starts)
    at = 0
    while at < len(spelling.chars):
        for end in range(min(at + LONGEST, len(spelling.chars)), at, -1):
            after = spelling.chars[max(0, at - 1) : at]
            strength = reading.facts.strength(spelling.chars[at:end]) if {at, end} <= edges else None
            if after and after in (UNLESS if end == at + 1 else ONLY_THEN):
                continue
            if strength is not None:
                if strength[0] == "frequency" and strength[1] == TOP and spelling.chars[end : end + 1] in NOT:
                    strength = ("frequency", 0)  # 从来 不, 一直 没有
                found.append((*strength, tuple(spelling.tokens(at, end))))
                at = end - 1
                break
        at += 1
    return found
