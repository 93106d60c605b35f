"""*The former* and *the latter*: who is meant, where the other text names one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema.meaning.views import SceneView
from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.frames import frames
from sema_chinese.meaning.reading import Reading

FORMER, LATTER = "前者", "后者"
AND = frozenset("和与跟及、")


def other_latter(
    source: Reading, output: Reading, views: Sequence[SceneView], others: Sequence[SceneView]
) -> Iterator[Contradiction]:
    """A statement about the former that the other text makes about the latter, or the other way round."""
    for reading, other, scenes in ((source, output, views), (output, source, others)):
        relations = frozenset(t for view in scenes for t in view.relation)
        for token, word in enumerate(reading.plain):
            pair = _pair(reading, token, relations) if word in (FORMER, LATTER) else None
            verb = next((t for t in range(token + 1, reading.clause(token).stop) if t in relations), None)
            if pair is None or verb is None or not reading.side.linked(verb):
                continue
            place = int(reading.side.partners[verb])
            subject = {other.plain[t] for t in other.clause(place) if t < place}
            meant, not_meant = (_said(reading, side, other) for side in (pair if word == FORMER else pair[::-1]))
            if not_meant & subject and not (meant | {word}) & subject:
                reason = f"reference: {reading.side.words[token]!r} became {sorted(not_meant & subject)[0]!r}"
                sides = (token,), (place,)
                yield Contradiction(reason, *(sides if reading is source else sides[::-1]))


def _pair(reading: Reading, token: int, relations: frozenset[int]) -> tuple[Sequence[int], Sequence[int]] | None:
    """The former and the latter before a token: two nouns that *and* joins, else the sides of the statement before."""
    start = next((b for b, e in reading.spelling.sentences if b <= token < e), 0)
    for t in range(token - 1, start, -1):
        before, after = reading.content(range(start, t)), reading.content(range(t + 1, token))
        if reading.plain[t] in AND and before and after:
            return before[-1:], after[:1]
    before_it = (frame for frame in frames(reading, relations) if start <= frame.verb < token)
    known = [frame for frame in before_it if relations.isdisjoint((*frame.first, *frame.last))]
    return (known[-1].first, known[-1].last) if known else None


def _said(reading: Reading, tokens: Sequence[int], other: Reading) -> set[str]:
    """How the other text says some words."""
    return {other.plain[int(reading.side.partners[t])] for t in tokens if reading.side.linked(t)}
