"""The two sides of a statement, however it is expressed: giver and receiver, winner and loser, more and less.

*甲 输给 乙* means the same as *乙 击败 甲*, *乙 向 甲 借书* the same as *甲 把 书 借给 乙*: the two sides of each
clause are read, and compared between the texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sema_chinese.listed import word_list
from sema_chinese.meaning.words import Words

THAN = "比"
CONTEST, TRANSFER, COMPARISON, DEED = "contest", "transfer", "comparison", "deed"


def _listed(name: str) -> frozenset[str]:
    return word_list("roles", name)


def _marks() -> frozenset[str]:
    """Words that mark the sides of a statement."""
    return _listed("to") | _listed("from") | _listed("object") | _listed("by")


@dataclass(frozen=True)
class Frame:
    """A statement with two sides: winner, giver, greater or agent; and loser, receiver, smaller or patient."""

    kind: str
    verb: int
    first: tuple[int, ...]
    last: tuple[int, ...]

    @property
    def converse(self) -> bool:
        """Whether a converse verb exists (*win* and *lose*, *give* and *get*)."""
        return self.kind in (CONTEST, TRANSFER)


def frames(words: Words, relations: frozenset[int]) -> Iterator[Frame]:
    """The statements of a text with both sides in one clause.

    Args:
        words: the text.
        relations: the tokens that are main relations of Scenes: of other verbs those alone are read.
    """
    for clause in words.spelling.clauses:
        for verb in clause:
            made = _read(words, clause, verb, relations)
            if made is not None:
                kind, sides = made
                first, last = (tuple(words.among(side)) for side in sides)
                if first and last:
                    yield Frame(kind, verb, first, last)


Sides = tuple[Sequence[int], Sequence[int]]


def _read(words: Words, clause: range, verb: int, relations: frozenset[int]) -> tuple[str, Sides] | None:
    word = words.plain[verb]
    before, after = range(clause.start, verb), range(verb + 1, clause.stop)
    if word in _listed("more than"):
        return COMPARISON, (before, after)
    if word in _listed("less than"):
        return COMPARISON, (after, before)
    if word == THAN:
        return _compared(words, before, after)
    contest = _contest(words, word, before, after)
    if contest is not None:
        return CONTEST, contest
    transfer = _transfer(words, word, before, after)
    if transfer is not None:
        return TRANSFER, transfer
    named = verb + 1 < clause.stop and words.plain[verb + 1] == "的"
    other = (
        word not in _listed("giving") and word not in _listed("taking") and word[-1] not in _listed("at") and not named
    )
    if verb in relations and words.content[verb] and other:
        deed = _deed(words, before, after)
        return None if deed is None else (DEED, deed)
    return None


def _compared(words: Words, before: range, after: range) -> tuple[str, Sides] | None:
    """``甲 比 乙 高``: the adjective decides which side is greater."""
    for t in after[1:]:
        chars = set(words.plain[t])
        if chars & _listed("high"):
            return COMPARISON, (before, range(after.start, t))
        if chars & _listed("low"):
            return COMPARISON, (range(after.start, t), before)
    return None


def _last_of(words: Words, listed: frozenset[str], where: Sequence[int]) -> int | None:
    return next((t for t in reversed(where) if words.plain[t] in listed), None)


def _contest(words: Words, word: str, before: range, after: range) -> Sides | None:
    if word in _listed("losing") or (word.endswith("败") and after and words.plain[after[0]] in _listed("beaten by")):
        return after, before
    if word not in _listed("winning"):
        return None
    by = _last_of(words, _listed("by"), before)
    if by is not None:
        return range(by + 1, before.stop), range(before.start, by)
    return before, after


def _transfer(words: Words, word: str, before: range, after: range) -> Sides | None:
    """Giver and receiver; ``None`` if one is not named."""
    if word not in _listed("giving") and word not in _listed("taking"):
        return None
    marked = [t for t in before if words.plain[t] in _marks()]
    subject = range(before.start, marked[0] if marked else before.stop)
    if word in _listed("taking"):
        source = _last_of(words, _listed("from"), before)
        return None if source is None else (_up_to_mark(words, source, before.stop), subject)
    by = _last_of(words, _listed("by") - {"受"}, before)
    giver = subject if by is None else _up_to_mark(words, by, before.stop)
    behind = word.endswith(("给", "予")) or (bool(after) and words.plain[after[0]] == "给")
    if behind:
        return giver, after
    to = _last_of(words, _listed("to"), before)
    if to is not None:
        return giver, _up_to_mark(words, to, before.stop)
    to = next((t for t in after if words.plain[t] == "给"), None)
    return None if to is None else (giver, range(to + 1, after.stop))


def _up_to_mark(words: Words, mark: int, stop: int) -> range:
    """The tokens that a word marks: up to the next marker."""
    marks = _marks()
    return range(mark + 1, next((t for t in range(mark + 1, stop) if words.plain[t] in marks), stop))


def _deed(words: Words, before: range, after: range) -> Sides | None:
    """Agent and patient: by word order, 把 or 被."""
    by, what = _last_of(words, _listed("by"), before), _last_of(words, _listed("object"), before)
    if by is not None:
        return _up_to_mark(words, by, before.stop), range(before.start, by)
    if what is not None:
        return range(before.start, what), _up_to_mark(words, what, before.stop)
    toward = _last_of(words, _listed("toward"), before)
    if toward is not None:
        return range(before.start, toward), _up_to_mark(words, toward, before.stop)
    placed = [t for t in before if words.plain[t] in _listed("places")] or (
        after and words.plain[after[0]] in _listed("at")
    )
    return None if placed else (before, after)
