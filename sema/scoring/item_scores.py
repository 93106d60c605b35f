"""One scored item: its scores and rows by metric, or the error that replaced them, and its evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sema.errors import InputError, SemaError
from sema.metrics.base import Metric, Row
from sema.model.item import Item


@dataclass(frozen=True)
class ItemScore:
    """One item of one system: its scores by metric, or the error that replaced them.

    Attributes:
        index: the number of the item, from 0.
        scores: by metric.
        rows: by metric, the numbers that corpus scores are summed from.
        error: why the item has no scores, as a person reads it.
        cause: the error itself.
        item: the analysed item, where it was kept.
        kept: the item's evidence as it was read back from a run on disk.
    """

    index: int
    scores: dict[str, float]
    rows: dict[str, Row] = field(default_factory=dict, repr=False)
    error: str | None = None
    cause: SemaError | None = field(default=None, repr=False, compare=False)
    item: Item | None = field(default=None, repr=False, compare=False)
    kept: dict[str, Any] | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The row that ``--per-item`` writes, without the system's name; NaN becomes ``None``."""
        row: dict[str, Any] = {"item": self.index, "scores": plain_scores(self.scores)}
        if self.error is not None:
            row["error"] = self.error
        return row

    def evidence(self, metrics: Sequence[Metric] = ()) -> dict[str, Any]:
        """The item's evidence as plain data: tokens, Scenes, and the explanations of ``metrics``."""
        if self.kept is not None:
            return self.kept
        if self.item is None:
            return {"item": self.index, **({} if self.error is None else {"error": self.error})}
        return {"item": self.index, **evidence_of(self.item, metrics)}

    def _repr_html_(self) -> str:
        from sema.display.pictures.pages import in_notebook, item_html

        source, output = ("", "") if self.item is None else (self.item.source.raw, self.item.output.raw)
        return in_notebook(item_html(self.evidence(), self.scores, source_text=source, output_text=output))

    def _repr_svg_(self) -> str | None:
        """A picture of the item's links; ``None`` if none were kept."""
        from sema.display.pictures.arcs import alignment_svg

        found = self.evidence()
        if "links" not in found:
            return None
        return alignment_svg(found["source"], found["sentences"], found["links"])


class RowWidths:
    """Checks the lengths of metrics' rows: rows of one metric are summed, so all must have one length."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def checked(self, item: ItemScore) -> ItemScore:
        """The item, or an error if a row's length differs from that of the first item."""
        for name, row in item.rows.items():
            width = self._known.setdefault(name, len(row))
            if len(row) != width:
                what = f"it returns {len(row)} numbers for this item and {width} for others"
                error = InputError(f"{name} cannot score this item ({what}); leave the metric or the item out")
                return ItemScore(item.index, {}, {}, str(error), error)
        return item


def evidence_of(item: Item, metrics: Sequence[Metric] = ()) -> dict[str, Any]:
    """An item's evidence: tokens, each Scene's sentence and its centers, and the explanations of ``metrics``.

    With links, ``links[s]`` are those to output sentence ``s``: source index, index in the sentence, kind.
    """
    found: dict[str, Any] = {
        "source": list(item.source.words),
        "sentences": [list(words) for words in item.output.sentence_words],
        "scenes": [scene.to_dict() for evidence in item.evidence for scene in evidence.scenes],
    }
    if item.links:
        found["links"] = [[list(link[:3]) for link in sentence] for sentence in item.links]
    for metric in metrics:
        found.update(metric.explain(item))
    return found


def plain_scores(scores: Mapping[str, float]) -> dict[str, float | None]:
    """Scores as JSON has them: NaN (no item could be scored) becomes ``None``."""
    return {name: None if math.isnan(value) else value for name, value in scores.items()}
