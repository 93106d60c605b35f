"""The report: a self-contained HTML page of saved runs."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from sema.display.pictures.pages import rendered
from sema.display.pictures.svg import asset
from sema.display.pictures.words import say
from sema.display.reports.chapters import Chapter
from sema.display.reports.profiles import levels_table
from sema.display.reports.rows import BLOCK, items_table, packed_evidence, shown_item
from sema.display.reports.statistics import pairs_table, steps_table
from sema.display.tables import missing_scores
from sema.scoring.results import Report, short_signature

TITLE = "How well do the simplifications keep the meaning?"
SHOWN = 6  # the default number of worst items that are shown with their evidence
BINS = 20  # of histograms


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
