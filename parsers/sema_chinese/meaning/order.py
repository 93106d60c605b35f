"""Order of events and causes: connectives that join clauses the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema.meaning.kinds import ClauseOrder, Joined
from sema.model.fact import Fact
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.listed import table, word_list
from sema_chinese.meaning.words import Words, read_words

_AFTERWARDS = "后"
"""At the head of a clause it stands before what came last (先 实习，后 调入), elsewhere behind what came first."""


def _listed(name: str) -> frozenset[str]:
    return word_list("order", name)


class Order(ClauseOrder):
    """Two clauses joined the other way round: *after* for *before*, effect for cause."""

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every connective that orders two clauses, anchored in both."""
        words = read_words(text)
        found = []
        for token, aspect, *sides in _joins(words):
            first, last = (frozenset(char for t in side for char in words.plain[t]) for side in sides)
            anchor = tuple(sorted({t for side in sides for t in side}))
            found.append(Fact(self.kind, Joined(first - last, last - first), (token,), anchor, aspect))
        return found


Join = tuple[int, str, tuple[int, ...], tuple[int, ...]]


def _joins(words: Words) -> Iterator[Join]:
    """The connectives within sentences and what they join: token, aspect, first clause, last clause."""
    joining = frozenset(word for listed in table("order").values() for word in listed) | {_AFTERWARDS}
    for start, end in words.spelling.sentences:
        for t in (t for t in range(start, end) if words.plain[t] in joining):
            for aspect, made in (("cause", _caused(words, t, start, end)), ("time", _timed(words, t, start, end))):
                if made is not None:
                    first, last = words.among(made[0]), words.among(made[1])
                    if first and last:
                        yield t, aspect, first, last


Stretches = tuple[Sequence[int], Sequence[int]]


def _caused(words: Words, t: int, start: int, end: int) -> Stretches | None:
    """Cause and effect joined by a word."""
    plain, clause = words.plain, words.clause(t)
    before, after = range(clause.start, t), range(t + 1, clause.stop)
    then = next((e for e in range(t + 2, clause.stop - 1) if plain[e] == "而"), None)
    if plain[t] in _listed("before a cause") and then is not None and not _is_cut(words, t):
        return range(t + 1, then), range(then + 1, clause.stop)  # 因 亏损 而 换人
    if plain[t] in _listed("before a cause") and (t == clause.start or plain[t - 1] == "是") and not _is_cut(words, t):
        return after, [*range(start, t), *range(clause.stop, end)]
    if plain[t] in _listed("before an effect") and (t == start or plain[t - 1] != "之"):
        return (before if words.among(before) else range(start, t)), range(t + 1, end)
    return (after, before) if plain[t] in _listed("between effect and cause") else None


def _is_cut(words: Words, t: int) -> bool:
    """Whether 因 is split off from 因此 or 因而."""
    return t + 1 < len(words.plain) and words.plain[t + 1][:1] in _listed("cut off")


def _timed(words: Words, t: int, start: int, end: int) -> Stretches | None:
    """Earlier and later event joined by a word."""
    word, clause = words.plain[t], words.clause(t)
    before, after = range(clause.start, t), range(t + 1, end)
    happens = bool(words.among(before)) and words.plain[t - 1] not in _listed("spans")
    if word in _listed("behind what came first") and happens:
        return before, after
    if word in _listed("behind what came last") and happens:
        return after, before
    if word in _listed("heading what came first") and clause.stop < end:
        return range(t + 1, clause.stop), range(clause.stop, end)
    if word == _AFTERWARDS and t > start and not words.among(before):
        return range(start, t), after
    if word == "方" and t > start and words.plain[t - 1] in _listed("party"):
        return None
    if word in _listed("heading what came last") and (
        word in _listed("anywhere in what came last") or not words.among(before)
    ):
        return range(start, t), after
    return None
