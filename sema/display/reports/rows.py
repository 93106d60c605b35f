"""The table of all items of a chapter, the worst first, and the evidence that its rows open."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from sema.display.pictures.pages import item_html, items_html, rendered
from sema.display.reports.chapters import Chapter
from sema.display.tables import cut
from sema.scoring.results import item_label

LISTED_BYTES = 1_700_000  # the maximum size of the table; items beyond it are left out, and the table says so
PACKED_BYTES = 4_000_000  # the maximum size of the packed evidence; rows beyond it open only their texts
BLOCK = 20  # items whose evidence is packed together
CUT = 400  # characters of a text in the table


class Row(NamedTuple):
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
    columns: Sequence[tuple[str, str]]  # system and metric of each cell of a row
    rows: Sequence[Row]  # the worst item first
    problems_known: bool
    left_out: str  # the note about items that are left out


def items_table(chapter: Chapter) -> ItemsTable:
    """The items of a chapter, within :data:`LISTED_BYTES`."""
    report, profiles = chapter.report, chapter.profiles
    metrics = [chapter.metric, *(name for name in report.metrics if name != chapter.metric)]
    columns = list(product(report.names, metrics))
    rows: list[Row] = []
    room = LISTED_BYTES
    unscored = sorted({*range(report.items)}.difference(chapter.worst_first))
    for item in (*unscored, *chapter.worst_first):
        texts, scores = chapter.texts[item], {system.name: system.items[item].scores for system in report}
        cells = [
            (scores[name].get(metric), profiles[name].problems.get(item, "") if metric == "meaning" else "")
            for name, metric in columns
        ]
        source, *outputs = (cut(text, CUT) for text in (texts["source"], *texts["outputs"].values()))
        room -= 150 + 15 * len(cells) + sum(len(text.encode()) + 20 for text in (source, *outputs))
        if room < 0:
            break
        rows.append(Row(item, item_label(item, report.ids), source, outputs, cells))
    left_out = len(rows) < report.items
    note = f"{len(rows)} of {report.items} items are listed; the run's folder has all." if left_out else ""
    problems_known = any(profile.problems for profile in profiles.values())
    return ItemsTable(report.names, metrics, columns, rows, problems_known, note)


def packed_evidence(chapter: Chapter, table: ItemsTable) -> list[str]:
    """The evidence of the rows as HTML by item: blocks of :data:`BLOCK` rows, compressed, within the bytes allowed."""
    blocks: list[str] = []
    room = PACKED_BYTES
    for start in range(0, len(table.rows), BLOCK):
        if room <= 0:
            break
        items = [row.item for row in table.rows[start : start + BLOCK]]
        shown = json.dumps({item: shown_item(chapter, item) for item in items}, ensure_ascii=False)
        blocks.append(base64.b64encode(zlib.compress(shown.encode(), 9)).decode())
        room -= len(blocks[-1])
    return blocks


def shown_item(chapter: Chapter, item: int) -> str:
    """All outputs of an item with their evidence, and its references."""
    texts, evidence = chapter.texts[item], chapter.run.evidence(item)
    parts = [
        item_html(
            evidence[system.name], system.items[item].scores, name=system.name,
            source_text=texts["source"], output_text=texts["outputs"][system.name],
        )
        for system in chapter.report
    ]  # fmt: skip
    return items_html(parts) + rendered("references.html", references=texts["references"])
