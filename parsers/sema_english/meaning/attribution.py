"""Attribution: whether a text says that something is so, or that somebody believes or claims it."""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.meaning.degrees import far_apart, read_scales


class Attribution:
    """What was believed or claimed, proved; or the other way round."""

    kind = Kind.ATTRIBUTION
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word of belief or of proof."""
        return read_scales(self.kind, "attribution", text)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Belief in the place of proof."""
        return BECAME if far_apart(source, output) else None
