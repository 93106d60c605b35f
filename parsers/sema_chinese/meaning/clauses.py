"""Clauses: what came first or caused what, *and* for *or*, conditions that are omitted or became irrelevant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from sema.meaning.kinds import ClauseOrder, Exclusive, Joined
from sema.model.fact import BECAME, Fact, Kind
from sema_chinese.listed import table, word_list
from sema_chinese.meaning.words import WordFacts, Words

_AFTERWARDS = "后"
"""At the head of a clause it stands before what came last (先 实习，后 调入), elsewhere behind what came first."""
_AND, _OR = "and", "or"
_ITEM = 2
"""The largest number of content words of a list's last item but one."""
_SAME = 0.3
"""The share of a condition's characters from which a clause can restate it."""
_SHORTEST = 2
"""The least number of content words in a condition whose omission counts."""
_HEADS = 2
"""The number of first words of a clause among which its condition opens."""
_order = partial(word_list, "order")
Stretches = tuple[Sequence[int], Sequence[int]]
"""The tokens of the earlier and the later event, or of a cause and its effect."""


class Order(ClauseOrder, WordFacts):
    """Two clauses joined the other way round: *after* for *before*, effect for cause."""

    def found(self, words: Words) -> Iterator[Fact]:
        """Every connective that orders two clauses, anchored in the content words of both."""
        joining = frozenset(word for listed in table("order").values() for word in listed) | {_AFTERWARDS}
        for start, end in words.spelling.sentences:
            for token in range(start, end):
                if words.plain[token] not in joining:
                    continue
                for aspect, read in (("cause", _caused), ("time", _timed)):
                    first, last = map(words.among, read(words, token, start, end) or ((), ()))
                    if first and last:
                        before, after = (frozenset("".join(words.plain[t] for t in clause)) for clause in (first, last))
                        anchor = tuple(sorted({*first, *last}))
                        yield Fact(self.kind, Joined(before - after, after - before), (token,), anchor, aspect)


def _caused(words: Words, token: int, start: int, end: int) -> Stretches | None:
    """Cause and effect joined by a word of the sentence from ``start`` to ``end``."""
    word, clause, previous = words.plain[token], words.clause(token), words.plain[token - 1]
    before, after = range(clause.start, token), range(token + 1, clause.stop)
    if word in _order("before a cause") and not _is_cut(words, token):
        then = next((t for t in range(token + 2, clause.stop - 1) if words.plain[t] == "而"), None)
        if then is not None:
            return range(token + 1, then), range(then + 1, clause.stop)  # 因 亏损 而 换人
        if token == clause.start or previous == "是":
            return after, [*range(start, token), *range(clause.stop, end)]
    if word in _order("before an effect") and (token == start or previous != "之"):
        return (before if words.among(before) else range(start, token)), range(token + 1, end)
    return (after, before) if word in _order("between effect and cause") else None


def _is_cut(words: Words, token: int) -> bool:
    """Whether 因 is split off from 因此 or 因而."""
    return token + 1 < len(words.plain) and words.plain[token + 1][:1] in _order("cut off")


def _timed(words: Words, token: int, start: int, end: int) -> Stretches | None:
    """The earlier and the later event joined by a word of the sentence from ``start`` to ``end``."""
    word, clause = words.plain[token], words.clause(token)
    before, after = range(clause.start, token), range(token + 1, end)
    happens = bool(words.among(before)) and words.plain[token - 1] not in _order("spans")
    if word in _order("behind what came first") and happens:
        return before, after
    if word in _order("behind what came last") and happens:
        return after, before
    if word in _order("heading what came first") and clause.stop < end:
        return range(token + 1, clause.stop), range(clause.stop, end)
    if word == _AFTERWARDS and token > start and not words.among(before):
        return range(start, token), after
    if word == "方" and token > start and words.plain[token - 1] in _order("party"):
        return None  # 双 方: a party, not *only then*
    heads = word in _order("anywhere in what came last") or not words.among(before)
    return (range(start, token), after) if word in _order("heading what came last") and heads else None


class Alternatives(Exclusive, WordFacts):
    """*A or B* became *A and B*, or the other way round."""

    kind = Kind.ALTERNATIVE

    def found(self, words: Words) -> Iterator[Fact]:
        """Every conjunction between two content words, every mark of a list, every pair of conjunctions."""
        for token, word in enumerate(words.plain):
            meaning = _of_list(words, token) if word in word_list("alternatives", "list") else _joints().get(word)
            around = words.near((token,), 1) if meaning else ()
            if meaning and len(around) == 2:
                yield Fact(self.kind, meaning, (token,), around)
        for meaning, pairs in table("alternatives")["paired"].items():
            for first, second in map(str.split, pairs):
                for start in (token for token, word in enumerate(words.plain) if word == first):
                    _, end = words.sentence(start)
                    other = next((t for t in range(start + 2, end) if words.plain[t] == second), None)
                    if other is not None:
                        joined = range(start + 1, other), range(other + 1, end)
                        around = tuple(token for part in joined for token in words.among(part)[:2])
                        yield Fact(self.kind, meaning, (start, other), around)


@cache
def _joints() -> Mapping[str, str]:
    """What each conjunction between two words means."""
    return {word: meaning for meaning in (_AND, _OR) for word in table("alternatives")[meaning]}


def _of_list(words: Words, token: int) -> str | None:
    """What a list's mark means: what its conjunction means (*A、B 或 C*), else *and*; ``None`` if that is unsure."""
    rest = range(token + 1, words.clause(token).stop)
    joint = next((t for t in rest if words.plain[t] in _joints()), None)
    if joint is not None and len(words.among(range(token + 1, joint))) <= _ITEM:
        return _joints()[words.plain[joint]]
    return None if any(_joints().get(words.plain[t]) == _OR for t in rest) else _AND


@dataclass(frozen=True)
class Limit:
    """A sentence's condition, by its characters; a loose one is a clause that may restate it."""

    chars: frozenset[str]
    open: bool = True
    loose: bool = False


class Conditions(WordFacts):
    """A statement that lost its condition or exception, or for which it became irrelevant (*whether or not*)."""

    kind = Kind.CONDITION

    def found(self, words: Words) -> Iterator[Fact]:
        """Every sentence with its condition, if any, anchored in its other words; then every clause."""

        def is_open(clause: Sequence[int]) -> bool:
            return word_list("conditions", "whatever").isdisjoint(words.plain[t] for t in clause[:_HEADS])

        def chars(tokens: Sequence[int]) -> frozenset[str]:
            return frozenset("".join(words.plain[t] for t in tokens))

        for start, end in words.spelling.sentences:
            limits = _limits(words, start, end)
            content, rest = words.among(limits), words.among([t for t in range(start, end) if t not in limits])
            value = Limit(chars(content), is_open(limits)) if len(content) >= _SHORTEST else None
            if rest:
                yield Fact(self.kind, value, content or rest, rest)
        for clause in words.spelling.clauses:
            if words.among(clause) and is_open(clause):
                yield Fact(self.kind, Limit(chars(words.among(clause)), loose=True), tuple(clause))

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """An omitted condition, or one that became irrelevant."""
        first, second = source.value, output.value
        if first is None or first.loose:
            return ""
        if second is None:
            return "{source} is gone"
        if not second.loose and first.open != second.open:
            return BECAME
        return None if len(first.chars & second.chars) >= _SAME * len(first.chars) else ""


def _limits(words: Words, start: int, end: int) -> tuple[int, ...]:
    """The tokens of the first condition or exception of a sentence."""
    openers = tuple(word for part in ("conditions", "whatever", "contrasts") for word in table("conditions")[part])
    for clause in words.spelling.clauses:
        if not start <= clause.start < end:
            continue
        if "".join(words.plain[t] for t in clause).startswith(openers):
            return tuple(clause)
        for t in clause:
            if words.plain[t] in table("conditions")["exceptions"]:
                return tuple(range(t, clause.stop))
    return ()
