"""A pair of Chinese texts: its links and its contradictions together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sema.meaning.views import SceneView
from sema.metrics.meaning.contradictions import Contradiction
from sema.metrics.meaning.places import MAX_WORDS
from sema.metrics.meaning.words import Side
from sema.model.item import Item
from sema_chinese.meaning.assigned import other_subjects, regrouped
from sema_chinese.meaning.dropped import dropped, no_longer_open
from sema_chinese.meaning.frames import compare_sides
from sema_chinese.meaning.latter import other_latter
from sema_chinese.meaning.limits import changed_limits
from sema_chinese.meaning.links import read
from sema_chinese.meaning.order import reversed_order
from sema_chinese.meaning.people import other_people
from sema_chinese.meaning.polarity import turned
from sema_chinese.meaning.roles import exchanged, unsettle
from sema_chinese.meaning.said import already_done, made_a_duty, opposites, other_degrees, other_names, other_numbers
from sema_chinese.meaning.shares import other_shares
from sema_chinese.meaning.slots import each_for_the_other, rearranged, rearranged_clauses, replaced

if TYPE_CHECKING:
    from sema_chinese.facts import ChineseFacts


class ChinesePair:
    """One item as Chinese reads it."""

    def __init__(self, item: Item, facts: ChineseFacts) -> None:
        self.source, self.output = read(item, facts)

    @property
    def sides(self) -> tuple[Side, Side]:
        """Source and output."""
        return self.source.side, self.output.side

    def contradictions(self, views: Sequence[SceneView], others: Sequence[SceneView]) -> list[Contradiction]:
        """What the output says otherwise; nothing in texts of more than a thousand words."""
        unsettle(self.source, self.output)
        if max(len(self.source.plain), len(self.output.plain)) > MAX_WORDS:
            return []
        pair = self.source, self.output
        sides = compare_sides(*pair, views, others)
        return [
            *other_numbers(*pair),
            *other_names(*pair),
            *other_people(*pair),
            *other_latter(*pair, views, others),
            *(said for said in opposites(*pair) if sides.converse.isdisjoint(said.source)),
            *other_degrees(*pair),
            *other_shares(*pair),
            *changed_limits(*pair),
            *already_done(*pair),
            *made_a_duty(*pair),
            *turned(*pair),
            *(said for said in exchanged(*pair, views, others) if not sides.agreed.issuperset(said.source)),
            *sides.found,
            *regrouped(*pair, views),
            *other_subjects(*pair, views, others),
            *reversed_order(*pair),
            *(told := list(rearranged(*pair))),
            *(() if told else rearranged_clauses(*pair)),
            *each_for_the_other(*pair),
            *replaced(*pair, views),
            *dropped(*pair),
            *no_longer_open(*pair),
        ]
