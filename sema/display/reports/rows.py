"""The table of all items of a chapter, the worst first, and the evidence that its rows open."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from sema.display.pictures.pages import item_html, items_html, rendered
from sema.display.reports.chapters import Chapter
from sema.display.reports.picks import worst_first
from sema.display.tables import cut
from sema.scoring.results import item_label

LISTED_BYTES = 1_700_000  # the maximum size of the table; items beyond it are left out, and the table says so
PACKED_BYTES = 4_000_000  # the maximum size of the packed evidence; rows beyond it open only their texts
BLOCK = 20  # items whose evidence is packed together
CUT = 400


@dataclass(frozen=True)
class Row:
    """An item of the table."""

    item: int
    name: str  # the id of the file, or the number
    source: str
    outputs: Sequence[str]
    cells: Sequence[tuple[float | None, str]]  # for each system and metric the score and the problems beside it


@dataclass(frozen=True)
class ItemsTable:
    """The table, its columns being systems by metrics."""

    systems: Sequence[str]
    metrics: Sequence[str]  # first the metric that items are ordered by
    rows: Sequence[Row]  # the worst item first
    told: bool  # whether problems are known
    left_out: str  # the note about items that are left out

    @property
    def columns(self) -> list[tuple[str, str]]:
        """System and metric of each cell of a row."""
        return [(system, metric) for system in self.systems for metric in self.metrics]


def items_table(chapter: Chapter) -> ItemsTable:
    """The items of a chapter, within :data:`LISTED_BYTES`."""
    metrics = [chapter.metric, *(name for name in chapter.report.metrics if name != chapter.metric)]
    rows: list[Row] = []
    room = LISTED_BYTES
    for item in worst_first(chapter):
        row = _row(chapter, item, metrics)
        room -= 150 + 15 * len(row.cells) + sum(len(text.encode()) + 20 for text in (row.source, *row.outputs))
        if room < 0:
            break
        rows.append(row)
    several = len(chapter.texts)
    left_out = "" if len(rows) == several else f"{len(rows)} of {several} items are listed; the run's folder has all."
    told = any(profile.problems for profile in chapter.profiles.values())
    return ItemsTable(chapter.report.names, metrics, rows, told, left_out)


def _row(chapter: Chapter, item: int, metrics: Sequence[str]) -> Row:
    texts = chapter.texts[item]
    cells = []
    for system in chapter.report:
        scores = system.items[item].scores
        problems = chapter.profiles[system.name].problems.get(item, "")
        cells += [(scores.get(metric), problems if metric == "meaning" else "") for metric in metrics]
    source, *outputs = (cut(text, CUT) for text in (texts["source"], *texts["outputs"].values()))
    return Row(item, item_label(item, chapter.report.ids), source, outputs, cells)


def packed_evidence(chapter: Chapter, table: ItemsTable) -> list[str]:
    """The evidence of the rows as HTML by item: blocks of :data:`BLOCK` rows, compressed, within the bytes allowed."""
    blocks: list[str] = []
    rows, room = iter(table.rows), PACKED_BYTES
    while room > 0 and (block := list(islice(rows, BLOCK))):
        shown = json.dumps({row.item: shown_item(chapter, row.item) for row in block}, ensure_ascii=False)
        blocks.append(base64.b64encode(zlib.compress(shown.encode(), 9)).decode())
        room -= len(blocks[-1])
    return blocks


def shown_item(chapter: Chapter, item: int) -> str:
    """All outputs of an item with their evidence, and its references."""
    references = rendered("references.html", references=chapter.texts[item]["references"])
    return shown_outputs(chapter, item, chapter.report.names) + references


def shown_outputs(chapter: Chapter, item: int, names: Sequence[str]) -> str:
    """Some systems' outputs of an item with their evidence."""
    texts, evidence = chapter.texts[item], chapter.evidence(item)
    parts = []
    for name in names:
        scores, output = chapter.report[name].items[item].scores, texts["outputs"][name]
        parts.append(item_html(evidence[name], scores, name=name, source_text=texts["source"], output_text=output))
    return items_html(parts)
