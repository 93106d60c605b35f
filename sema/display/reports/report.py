"""The report: a self-contained HTML page of saved runs, with a table of all items whose rows open their evidence."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from sema.display.pictures.pages import item_html, items_html, rendered
from sema.display.pictures.svg import asset
from sema.display.pictures.words import say
from sema.display.reports.chapters import Chapter
from sema.display.reports.profiles import levels_table
from sema.display.reports.statistics import pairs_table, steps_table
from sema.display.tables import cut, missing_scores
from sema.scoring.results import Report, item_label, short_signature

TITLE = "How well do the simplifications keep the meaning?"
SHOWN = 6  # the default number of worst items that are shown with their evidence
BINS = 20  # of histograms
LISTED_BYTES = 1_700_000  # the maximum size of the table; items beyond it are left out, and the table says so
PACKED_BYTES = 4_000_000  # the maximum size of the packed evidence; rows beyond it open only their texts
BLOCK = 20  # items whose evidence is packed together
CUT = 400  # characters of a text in the table


def report_html(chapters: Sequence[Chapter], *, title: str = "", shown: int = SHOWN) -> str:
    """The page of some chapters with a heading, and the evidence of the ``shown`` worst items."""
    script = asset("sema.js") + asset("items.js") + asset("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return rendered(
        "report.html",
        title=title or say(TITLE),
        chapters=[_values(chapter, shown) for chapter in chapters],
        css=asset("sema.css") + asset("items.css") + asset("report.css"),
        per_block=BLOCK,
        js=script,
        script_hash=f"sha256-{digest}",
    )


def _values(chapter: Chapter, shown: int) -> dict[str, Any]:
    """The template values of a chapter."""
    report, table, compared = chapter.report, items_table(chapter), chapter.comparison
    return {
        "chapter": chapter,
        "metrics": {name: report.higher_is_better.get(name, True) for name in report.metrics},
        "drawn": "items" if len(set(chapter.sources)) == report.items else "sources",
        "missing": [*missing_scores(report.summary)],
        "intervals": {metric: _intervals(chapter, metric) for metric in report.metrics},
        "spread": {metric: _spread(report, metric) for metric in report.metrics},
        "pairs": compared and pairs_table(compared),
        "steps": steps_table(report),
        "commonest": chapter.commonest(),
        "levels": levels_table(chapter.levels) if chapter.levels else None,
        "worst": chapter.worst_first[:shown],
        "shown": partial(shown_item, chapter),
        "table": table,
        "blocks": packed_evidence(chapter, table),
        "short_signature": short_signature(report.signature),
    }


def _intervals(chapter: Chapter, metric: str) -> dict[str, list[float]]:
    """For each system the ends of its interval and between them its score, in percent of the systems' range."""
    found = {name: estimates[metric] for name, estimates in chapter.estimates.items()}
    found = {name: one for name, one in found.items() if math.isfinite(one.low)}
    low = min((one.low for one in found.values()), default=0.0)
    width = max((one.high for one in found.values()), default=0.0) - low or 1.0
    return {
        name: [round(100 * (value - low) / width, 1) for value in (one.low, one.value, one.high)]
        for name, one in found.items()
    }


def _spread(report: Report, metric: str) -> tuple[tuple[float, float], dict[str, list[int]]]:
    """The least and the greatest score, and for each system a histogram, in percent of its fullest bin."""
    scores = {system.name: system.columns(report.metrics).values(metric) for system in report.systems}
    known = [score for own in scores.values() for score in own.tolist() if score == score] or [0.0]
    ends = report.metric(metric).range
    if ends != (0.0, 100.0):
        ends = (min(known), max(known))
    counts = {name: np.histogram(own, BINS, ends)[0] for name, own in scores.items()}
    return ends, {name: (100 * own // max(own.max(), 1)).tolist() for name, own in counts.items()}


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
