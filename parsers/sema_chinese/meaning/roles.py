"""Who does what to whom: Participants that have changed sides around a word that both texts say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema.meaning.views import SceneView
from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.lists import word_list
from sema_chinese.meaning.reading import Reading
from sema_chinese.meaning.spelling import BREAKS

NEIGHBOURS = 3
"""How many words behind it a word is compared with."""
UNSETTLED = 0.96
"""What is left of a word that has changed places with its neighbour."""
PASSIVE = word_list("passive")
"""Words that turn the sides of a statement round."""
FRONTED = word_list("marking place or means")
"""Words before which order says nothing: what they mark may stand on either side."""


def exchanged(
    source: Reading, output: Reading, views: Sequence[SceneView], others: Sequence[SceneView]
) -> Iterator[Contradiction]:
    """Two words of content on either side of a linked relation that stand the other way round in the output."""
    pivots = {t for view in views for t in view.relation} & {
        int(output.side.partners[t]) for view in others for t in view.relation if output.side.partners[t] >= 0
    }
    links = _sure_links(source, output)
    sides = {t for view in views for unit in view.participants for t in unit.tokens}
    sides -= {t for view in views for t in view.relation}
    taken: set[int] = set()
    for pivot in sorted(pivots & links.keys()):
        if source.side.weak[pivot]:
            continue
        found = _crossed(pivot, links, source, output)
        if found is not None and sides.issuperset(found) and not taken & set(found):
            taken.update(found)
            first, second = found
            said = f"role: {source.side.said([first])} and {source.side.said([second])} are exchanged"
            yield Contradiction(said, (first, second), (links[first], links[second]))


def _sure_links(source: Reading, output: Reading) -> dict[int, int]:
    """Words of content that both texts have once, or that are linked both ways."""
    found = {}
    for t in source.content(range(len(source.side.words))):
        partner = int(source.side.partners[t])
        if partner < 0 or output.side.weak[partner] or not source.side.linked(t, 0.7):
            continue
        if int(output.side.partners[partner]) == t:
            found[t] = partner
    return found


def _crossed(pivot: int, links: dict[int, int], source: Reading, output: Reading) -> tuple[int, int] | None:
    """The words next to a pivot on either side that have changed sides in the output."""
    here, there = source.clause(pivot), output.clause(links[pivot])
    before = [t for t in links if t in here and t < pivot and links[t] in there and links[t] > links[pivot]]
    after = [t for t in links if t in here and t > pivot and links[t] in there and links[t] < links[pivot]]
    for first in reversed(before):
        for second in after:
            if _turned(source, first, pivot, second) != _turned(output, links[second], links[pivot], links[first]):
                continue
            marked = _marked(source, first) or _marked(source, second)
            if marked or _marked(output, links[first]) or _marked(output, links[second]):
                continue
            return first, second
    return None


def unsettle(source: Reading, output: Reading) -> None:
    """Words that stood in one order within a clause and stand in the other now are a little less sure.

    Clauses may change places as wholes: a break between them costs nothing.
    """
    links = _sure_links(source, output)
    for clause in source.spelling.clauses:
        linked = [t for t in clause if t in links]
        for first, second in ((a, b) for at, a in enumerate(linked) for b in linked[at + 1 : at + 1 + NEIGHBOURS]):
            if links[second] < links[first] and not (_marked(source, first) and _marked(source, second)):
                for t in (first, second):
                    source.side.probabilities[t] *= UNSETTLED
                    output.side.probabilities[links[t]] *= UNSETTLED


def _turned(reading: Reading, first: int, pivot: int, second: int) -> bool:
    """Whether a passive marker stands between the first word and the last."""
    return any(reading.plain[t] in PASSIVE for t in range(first, second + 1))


def _marked(reading: Reading, token: int) -> bool:
    """Whether a word that makes order say nothing stands before a word's phrase."""
    for t in range(token - 1, max(-1, token - 5), -1):
        word = reading.plain[t]
        if word in BREAKS:
            return False
        if word in FRONTED:
            return True
    return False
