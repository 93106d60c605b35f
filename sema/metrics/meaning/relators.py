"""Two phrases that have each other's relators: *from the lungs into the blood*, *from the blood into the lungs*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema.meaning.views import SceneView
from sema.metrics.meaning.contradictions import Contradiction
from sema.metrics.meaning.opposites import TIED
from sema.metrics.meaning.words import Side
from sema.model.meaning import WordFacts

Related = dict[int, str]
"""By token, the word that relates its phrase."""


def exchanged_relators(
    source: Side, output: Side, views: Sequence[SceneView], others: Sequence[SceneView], facts: WordFacts
) -> Iterator[Contradiction]:
    """Phrases of one Scene that each now have the other's relator; not in another voice."""
    if sum(map(facts.marks_agent, source.words)) != sum(map(facts.marks_agent, output.words)):
        return
    there = {token: (relator, number) for number, view in enumerate(others) for token, relator in _heads(view, output)}
    told: set[frozenset[int]] = set()
    for view in views:
        moved = []
        for token, relator in _heads(view, source):
            partner = int(source.partners[token])
            same = partner in there and facts.likeness(source.words[token], output.words[partner]) >= TIED
            if same and source.linked(token) and there[partner][0] != relator:
                moved.append((token, relator, partner, *there[partner]))
        for number, (first, mine, here, now, home) in enumerate(moved):
            for second, theirs, place, then, other in moved[number + 1 :]:
                pair = frozenset((first, second))
                if home == other and mine == then and theirs == now and here != place and pair not in told:
                    told.add(pair)
                    said = f"role: {source.said([first])} and {source.said([second])} are exchanged"
                    yield Contradiction(said, (first, second), (here, place))


def _heads(view: SceneView, side: Side) -> Iterator[tuple[int, str]]:
    """The last word of content of every Participant that one word relates to its Scene, and that word."""
    for unit in view.participants:
        content = [t for t in (unit.centers or unit.tokens) if not side.weak[t]]
        if content and len(unit.relators) == 1:
            yield content[-1], side.lower[unit.relators[0]]
