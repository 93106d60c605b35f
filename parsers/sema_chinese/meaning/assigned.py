"""What is said of whom: words that stand with each other's words, and a subject in another's place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from sema.meaning.views import SceneView
from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.reading import Reading

SURE = 0.7
"""How surely words must be linked, both ways."""
SAME = 0.5
"""The share of a clause's words, its subject aside, that must have gone to a clause for it to say the same."""


def regrouped(source: Reading, output: Reading, views: Sequence[SceneView]) -> Iterator[Contradiction]:
    """*Red in the morning, white at night* that became *white in the morning, red at night*.

    Of two clauses of a sentence each keeps some words and has some of the other's, and nothing else came or went; what
    changed places is no main relation, which says the same of either clause (*指出*, *说*).
    """
    links = _unique_links(source, output)
    acts = frozenset(t for view in views for t in view.relation)
    back = {o: t for t, o in links.items()}
    for start, end in source.spelling.sentences:
        clauses = [clause for clause in source.spelling.clauses if start <= clause.start < end]
        for first, second in pairwise(clauses):
            mine = [t for t in (*first, *second) if t in links]
            places = list(dict.fromkeys(output.clause(links[t]) for t in mine))
            if len(places) != 2 or any(back[o] not in mine for place in places for o in place if o in back):
                continue
            groups = [
                [t for t in mine if t in clause and links[t] in place] for clause in (first, second) for place in places
            ]
            ways = (groups[1] + groups[2], groups[0] + groups[3])
            moved = min((way for way in ways if acts.isdisjoint(way)), key=len, default=None)
            if all(groups) and moved is not None:
                said = f"role: {source.side.said(moved)} with each other's words"
                yield Contradiction(said, tuple(moved), tuple(links[t] for t in moved))
                return


def _unique_links(source: Reading, output: Reading) -> dict[int, int]:
    """Words of content that are linked both ways and surely, those said twice in either text left out."""
    found = {}
    for t in source.content(range(len(source.plain))):
        o = int(source.side.partners[t])
        if o < 0 or output.side.weak[o] or int(output.side.partners[o]) != t or not source.side.linked(t, SURE):
            continue
        if source.plain.count(source.plain[t]) == output.plain.count(output.plain[o]) == 1:
            found[t] = o
    return found


def other_subjects(
    source: Reading, output: Reading, views: Sequence[SceneView], others: Sequence[SceneView]
) -> Iterator[Contradiction]:
    """A clause said of somebody else whom both texts name."""
    mine, theirs = _things(views), _things(others)
    for clause in source.spelling.clauses:
        t = next(iter(source.content(clause)), None)
        if t is None or t not in mine:
            continue
        rest = [w for w in source.content(clause) if w > t and source.side.linked(w, SURE)]
        for other in output.spelling.clauses:
            o = next(iter(output.content(other)), None)
            if o is None or o not in theirs or not _is_moved(source, t, clause, output, o, other):
                continue
            gone = sum(int(source.side.partners[w]) in other for w in rest)
            came = [w for w in output.content(other) if w > o]
            kept = sum(output.side.linked(w, SURE) and int(output.side.partners[w]) in clause for w in came)
            if rest and gone >= SAME * len(source.content(clause)[1:]) and kept >= SAME * len(came):
                said = f"reference: {source.side.said([t])} became {output.side.said([o])}"
                yield Contradiction(said, (t,), (o,))
                return


def _things(views: Sequence[SceneView]) -> set[int]:
    """The tokens of Participants that are no main relations."""
    sides = {t for view in views for unit in view.participants for t in unit.tokens}
    return sides - {t for view in views for t in view.relation}


def _is_moved(source: Reading, t: int, clause: range, output: Reading, o: int, other: range) -> bool:
    """Whether two words are different ones that both texts have said before, neither of them in the other's clause."""
    first, second = source.plain[t], output.plain[o]
    return (
        not set(first) & set(second)
        and first in output.plain[: other.start]
        and second in source.plain[: clause.start]
        and first not in output.plain[other.start : other.stop]
        and second not in source.plain[clause.start : clause.stop]
    )
