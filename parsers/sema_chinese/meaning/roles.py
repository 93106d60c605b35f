"""Roles: who gives and who gets, who wins and who loses, which is more, who does what to whom, however it is expressed.

*甲 输给 乙* means the same as *乙 击败 甲*, *乙 向 甲 借书* the same as *甲 把 书 借给 乙*: the two sides of each
clause are read, and compared between the texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from sema.meaning.views import scene_views
from sema.model.fact import Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.listed import word_list
from sema_chinese.meaning.words import Words, read_words

CONTEST, TRANSFER, COMPARISON, DEED = "contest", "transfer", "comparison", "deed"
CONVERSE = (CONTEST, TRANSFER)
"""The statements that have converse verbs (*win* and *lose*, *give* and *get*)."""
_listed = partial(word_list, "roles")


class Roles:
    """Two sides of a statement, each in the other's part."""

    kind = Kind.ROLE
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Both sides of every statement: those of a deed are anchored in the verb, others in all that it names."""
        words = read_words(text)
        stated = []
        for frame in frames(words, graphs):
            anchor = (frame.verb,) if frame.kind == DEED else (*frame.first, *frame.last)
            for part, tokens in (("first", frame.first), ("last", frame.last)):
                stated += [
                    Fact(self.kind, words.plain[token], (token,), anchor, (frame.kind, part)) for token in tokens
                ]
        return stated

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Different sides conflict only if they exchanged their parts."""
        return None if source.value == output.value else ""


class Frame(NamedTuple):
    """A statement with two sides: winner, giver, greater or agent; and loser, receiver, smaller or patient."""

    kind: str
    verb: int
    first: tuple[int, ...]
    last: tuple[int, ...]


Sides = tuple[Sequence[int], Sequence[int]]
"""The tokens of both sides: winner and loser, giver and receiver, greater and smaller, agent and patient."""


def frames(words: Words, graphs: Sequence[SceneGraph]) -> Iterator[Frame]:
    """The statements of a text with both sides in one clause; of deeds only the main relations of Scenes."""
    relations = frozenset(token for view in scene_views(graphs) for token in view.relation)
    for clause in words.spelling.clauses:
        for verb in clause:
            kind, sides = _read(words, clause, verb, is_relation=verb in relations)
            first, last = map(words.among, sides or ((), ()))
            if first and last:
                yield Frame(kind, verb, first, last)


def _read(words: Words, clause: range, verb: int, *, is_relation: bool) -> tuple[str, Sides | None]:
    """The kind of statement that a word makes, and its sides if both are named."""
    word = words.plain[verb]
    before, after = range(clause.start, verb), range(verb + 1, clause.stop)
    if word in _listed("more than"):
        return COMPARISON, (before, after)
    if word in _listed("less than"):
        return COMPARISON, (after, before)
    if word == "比":
        return COMPARISON, _compared(words, before, after)
    if contest := _contest(words, word, before, after):
        return CONTEST, contest
    if word in _listed("giving"):
        return TRANSFER, _given(words, word, before, after)
    if word in _listed("taking"):
        return TRANSFER, _taken(words, before)
    named = bool(after) and words.plain[after[0]] == "的"
    if is_relation and words.content[verb] and word[-1] not in _listed("at") and not named:
        return DEED, _deed(words, before, after)
    return DEED, None


def _compared(words: Words, before: range, after: range) -> Sides | None:
    """``甲 比 乙 高``: the adjective decides which side is greater."""
    for t in after[1:]:
        chars = set(words.plain[t])
        if chars & _listed("high"):
            return before, range(after.start, t)
        if chars & _listed("low"):
            return range(after.start, t), before
    return None


def _contest(words: Words, word: str, before: range, after: range) -> Sides | None:
    """Winner and loser, if the word is about a contest."""
    if word in _listed("losing") or (word.endswith("败") and after and words.plain[after[0]] in _listed("beaten by")):
        return after, before
    if word not in _listed("winning"):
        return None
    by = _last_of(words, _listed("by"), before)
    return (before, after) if by is None else (range(by + 1, before.stop), range(before.start, by))


def _taken(words: Words, before: range) -> Sides | None:
    """Giver and receiver of a verb whose subject receives."""
    source = _last_of(words, _listed("from"), before)
    return None if source is None else (_marked(words, source, before), _subject(words, before))


def _given(words: Words, word: str, before: range, after: range) -> Sides | None:
    """Giver and receiver of a verb whose subject gives."""
    by = _last_of(words, _listed("by") - {"受"}, before)
    giver = _subject(words, before) if by is None else _marked(words, by, before)
    if word.endswith(("给", "予")) or (after and words.plain[after[0]] == "给"):
        return giver, after
    to = _last_of(words, _listed("to"), before)
    if to is not None:
        return giver, _marked(words, to, before)
    to = next((t for t in after if words.plain[t] == "给"), None)
    return None if to is None else (giver, range(to + 1, after.stop))


def _deed(words: Words, before: range, after: range) -> Sides | None:
    """Agent and patient: by 被, 把 or 对, else by word order."""
    by = _last_of(words, _listed("by"), before)
    if by is not None:
        return _marked(words, by, before), range(before.start, by)
    for name in ("object", "toward"):
        mark = _last_of(words, _listed(name), before)
        if mark is not None:
            return range(before.start, mark), _marked(words, mark, before)
    placed = any(words.plain[t] in _listed("places") for t in before)
    return None if placed or (after and words.plain[after[0]] in _listed("at")) else (before, after)


@cache
def _marks() -> frozenset[str]:
    """Words that mark the sides of a statement."""
    return _listed("to") | _listed("from") | _listed("object") | _listed("by")


def _last_of(words: Words, listed: frozenset[str], where: range) -> int | None:
    return next((t for t in reversed(where) if words.plain[t] in listed), None)


def _marked(words: Words, mark: int, before: range) -> range:
    """The tokens that a word before the verb marks: up to the next marker."""
    stops = (t for t in range(mark + 1, before.stop) if words.plain[t] in _marks())
    return range(mark + 1, next(stops, before.stop))


def _subject(words: Words, before: range) -> range:
    """The tokens before the first marker."""
    return range(before.start, next((t for t in before if words.plain[t] in _marks()), before.stop))
