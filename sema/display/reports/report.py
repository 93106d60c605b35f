"""The report: a self-contained HTML page of saved runs."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import partial
from typing import Any

from sema.display.pictures.pages import rendered
from sema.display.pictures.svg import asset
from sema.display.pictures.words import say
from sema.display.reports import charts
from sema.display.reports.chapters import Chapter
from sema.display.reports.figures import page_svg
from sema.display.reports.profiles import levels_table
from sema.display.reports.rows import BLOCK, items_table, packed_evidence, shown_item
from sema.display.reports.statistics import pairs_table, steps_table
from sema.display.tables import missing_scores
from sema.scoring.results import short_signature

TITLE = "How well do the simplifications keep the meaning?"
SHOWN = 6  # the default number of worst items that are shown with their evidence
TITLES = {
    "intervals": "Corpus scores",
    "distributions": "How the scores are spread",
}
"""The titles of the charts, for who does not see them."""


def report_html(chapters: Sequence[Chapter], *, title: str = "", shown: int = SHOWN) -> str:
    """The page of some chapters with a heading, and the evidence of the ``shown`` worst items."""
    script = asset("sema.js") + asset("items.js") + asset("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return rendered(
        "report.html",
        title=title or say(TITLE),
        chapters=[_values(chapter, number, shown) for number, chapter in enumerate(chapters)],
        css=asset("sema.css") + asset("items.css") + asset("report.css"),
        per_block=BLOCK,
        js=script,
        script_hash=f"sha256-{digest}",
    )


def _values(chapter: Chapter, number: int, shown: int) -> dict[str, Any]:
    """The template values of a chapter."""
    report, table, compared = chapter.report, items_table(chapter), chapter.comparison
    figures = {
        "intervals": charts.intervals_figure(chapter.estimates, report.metrics, report.ranges)
        if len(report.systems) > 1
        else None,
        "distributions": charts.distributions_figure(chapter),
    }
    return {
        "chapter": chapter,
        "metrics": {name: report.higher_is_better.get(name, True) for name in report.metrics},
        "drawn": "items" if len(set(chapter.sources)) == report.items else "sources",
        "missing": [*missing_scores(report.summary)],
        "figures": {name: one and page_svg(one, TITLES[name], f"{name}{number}") for name, one in figures.items()},
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
