"""Who gives and who gets, who wins and who loses, which is more: the two sides of a statement, however it is put.

*甲 输给 乙* says what *乙 击败 甲* says, *乙 向 甲 借书* what *甲 把 书 借给 乙*: each clause is read for its two
sides, and the sides are compared where both texts speak of the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sema.meaning.views import SceneView
from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.lists import word_list
from sema_chinese.meaning.reading import Reading

BY = frozenset("被遭由受")
"""Words before whoever does it."""
OBJECT = frozenset("把将")
"""Words before whom or what it is done to."""
TO, FROM = frozenset("向给为对替"), frozenset("向从跟问由")
"""Words before whoever gets it, and before whoever it is got from."""
PLACES, AT = frozenset(["上", "里", "中", "内", "下", "外", "在", "于"]), frozenset("在于到至从自以为成")
"""Words of places: where one of them is said, what stands there may come before or behind (*路上 出 了 事故*)."""
TOWARD = frozenset("对向给跟")
THAN = "比"
WINNING, LOSING = word_list("winning"), word_list("losing")
BEATEN_BY = frozenset(["于", "给", "在"])
"""Words before the winner, behind 败."""
GIVING, TAKING = word_list("giving"), word_list("taking")
MORE, LESS = word_list("more than"), word_list("less than")
HIGH, LOW = frozenset("高大多早强好优长快重贵胜深宽厚远"), frozenset("低小少晚弱差短慢轻劣浅窄薄近")
"""Characters of what is compared, by the end of the scale that they name."""
SOME = 0.35
"""How surely a word must be linked to count."""
CONTEST, TRANSFER, COMPARISON, DEED = "contest", "transfer", "comparison", "deed"


@dataclass(frozen=True)
class Frame:
    """A statement with two sides: who wins, gives, is more or does it; and who loses, gets it, is less, suffers it."""

    kind: str
    verb: int
    first: tuple[int, ...]
    last: tuple[int, ...]


def frames(reading: Reading, relations: frozenset[int]) -> Iterator[Frame]:
    """The statements of a text of which both sides are said in one clause.

    Args:
        reading: the text.
        relations: the tokens that are main relations of Scenes: of other verbs those alone are read.
    """
    for clause in reading.spelling.clauses:
        for verb in clause:
            made = _read(reading, clause, verb, relations)
            if made is not None:
                kind, sides = made
                first, last = (tuple(reading.content(side)) for side in sides)
                if first and last:
                    yield Frame(kind, verb, first, last)


Sides = tuple[Sequence[int], Sequence[int]]


def _read(reading: Reading, clause: range, verb: int, relations: frozenset[int]) -> tuple[str, Sides] | None:
    word = reading.plain[verb]
    before, after = range(clause.start, verb), range(verb + 1, clause.stop)
    if word in MORE:
        return COMPARISON, (before, after)
    if word in LESS:
        return COMPARISON, (after, before)
    if word == THAN:
        return _compared(reading, before, after)
    contest = _contest(reading, word, before, after)
    if contest is not None:
        return CONTEST, contest
    transfer = _transfer(reading, word, before, after)
    if transfer is not None:
        return TRANSFER, transfer
    named = verb + 1 < clause.stop and reading.plain[verb + 1] == "的"
    other = word not in GIVING and word not in TAKING and word[-1] not in AT and not named
    if verb in relations and not reading.side.weak[verb] and other:
        deed = _deed(reading, before, after)
        return None if deed is None else (DEED, deed)
    return None


def _compared(reading: Reading, before: range, after: range) -> tuple[str, Sides] | None:
    """``甲 比 乙 高``: the end of the scale turns the sides."""
    for t in after[1:]:
        chars = set(reading.plain[t])
        if chars & HIGH:
            return COMPARISON, (before, range(after.start, t))
        if chars & LOW:
            return COMPARISON, (range(after.start, t), before)
    return None


def _last_of(reading: Reading, words: frozenset[str], where: Sequence[int]) -> int | None:
    return next((t for t in reversed(where) if reading.plain[t] in words), None)


def _contest(reading: Reading, word: str, before: range, after: range) -> Sides | None:
    if word in LOSING or (word.endswith("败") and after and reading.plain[after[0]] in BEATEN_BY):
        return after, before
    if word not in WINNING:
        return None
    by = _last_of(reading, BY, before)
    if by is not None:
        return range(by + 1, before.stop), range(before.start, by)
    return before, after


def _transfer(reading: Reading, word: str, before: range, after: range) -> Sides | None:
    """Who gives and who gets; ``None`` where one of them is not said."""
    if word not in GIVING and word not in TAKING:
        return None
    marked = [t for t in before if reading.plain[t] in TO | FROM | OBJECT | BY]
    subject = range(before.start, marked[0] if marked else before.stop)
    if word in TAKING:
        source = _last_of(reading, FROM, before)
        return None if source is None else (_up_to_mark(reading, source, before.stop), subject)
    by = _last_of(reading, BY - {"受"}, before)
    giver = subject if by is None else _up_to_mark(reading, by, before.stop)
    behind = word.endswith(("给", "予")) or (bool(after) and reading.plain[after[0]] == "给")
    if behind:
        return giver, after
    to = _last_of(reading, TO, before)
    if to is not None:
        return giver, _up_to_mark(reading, to, before.stop)
    to = next((t for t in after if reading.plain[t] == "给"), None)
    return None if to is None else (giver, range(to + 1, after.stop))


def _up_to_mark(reading: Reading, mark: int, stop: int) -> range:
    """What a word marks: up to the next such word."""
    marks = TO | FROM | OBJECT | BY
    return range(mark + 1, next((t for t in range(mark + 1, stop) if reading.plain[t] in marks), stop))


def _deed(reading: Reading, before: range, after: range) -> Sides | None:
    """Who does something, to whom: by order, by 把 or by 被."""
    by, what = _last_of(reading, BY, before), _last_of(reading, OBJECT, before)
    if by is not None:
        return _up_to_mark(reading, by, before.stop), range(before.start, by)
    if what is not None:
        return range(before.start, what), _up_to_mark(reading, what, before.stop)
    toward = _last_of(reading, TOWARD, before)
    if toward is not None:
        return range(before.start, toward), _up_to_mark(reading, toward, before.stop)
    placed = [t for t in before if reading.plain[t] in PLACES] or (after and reading.plain[after[0]] in AT)
    return None if placed else (before, after)


@dataclass(frozen=True)
class Sidedness:
    """What comparing the frames of two texts says: exchanged sides, and words of frames that agree."""

    found: tuple[Contradiction, ...]
    agreed: frozenset[int]
    """The source's tokens of statements that the output makes with the same sides."""
    converse: frozenset[int]
    """Those of the verbs of winning, losing, giving and getting among them."""


def compare_sides(
    source: Reading, output: Reading, views: Sequence[SceneView], others: Sequence[SceneView]
) -> Sidedness:
    """Statements of both texts whose sides are the other way round, and those whose are not."""
    here, there = (
        list(frames(reading, frozenset(t for view in scenes for t in view.relation)))
        for reading, scenes in ((source, views), (output, others))
    )
    found: list[Contradiction] = []
    agreed: set[int] = set()
    converse: set[int] = set()
    for one in here:
        for other in there:
            if one.kind != other.kind or (one.kind == DEED and not _same_verb(source, one, output, other)):
                continue
            straight = _goes(source, one.first, other.first) + _goes(source, one.last, other.last)
            crossed = min(_goes(source, one.first, other.last), _goes(source, one.last, other.first))
            if crossed and (not straight or one.kind == COMPARISON):  # what is compared stands on either side
                said = f"role: {source.side.said([one.first[-1]])} and {source.side.said([one.last[-1]])} are exchanged"
                found.append(Contradiction(said, (one.first[-1], one.last[-1]), (other.first[-1], other.last[-1])))
            elif straight and not crossed:
                agreed.update(one.first, one.last)
                converse.update([one.verb] if one.kind in (CONTEST, TRANSFER) else [])
    return Sidedness(tuple(found[:1]), frozenset(agreed), frozenset(converse))


def _goes(source: Reading, tokens: Sequence[int], where: Sequence[int]) -> int:
    """How many words of a side are linked into a side of the other text."""
    return sum(source.side.linked(t, SOME) and int(source.side.partners[t]) in where for t in tokens)


def _same_verb(source: Reading, one: Frame, output: Reading, other: Frame) -> bool:
    partner = int(source.side.partners[one.verb])
    return partner == other.verb and source.side.linked(one.verb, 0.6) and output.side.linked(other.verb, 0.6)
