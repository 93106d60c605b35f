"""The report: as one self-contained HTML file, and as Markdown for the appendix of a paper."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from sema.display.pictures.pages import rendered, score_text
from sema.display.pictures.svg import asset
from sema.display.pictures.verdicts import problems_of
from sema.display.pictures.words import say
from sema.display.reports import charts
from sema.display.reports.chapters import Chapter, works_of
from sema.display.reports.figures import page_svg
from sema.display.reports.levels import levels_table
from sema.display.reports.picks import pick_items
from sema.display.reports.rows import BLOCK, items_table, packed_evidence, shown_outputs
from sema.display.reports.statistics import comparison_tables, steps_table
from sema.display.tables import Cell, Row, Table, markdown_escape, missing_scores, to_markdown
from sema.errors import counted
from sema.model.text import visible
from sema.scoring.results import short_signature

TITLE = "How well do the simplifications keep the meaning?"
SHOWN = 6  # the default number of example items of each kind
TITLES = {
    "intervals": "Corpus scores",
    "distributions": "How the scores are spread",
    "scatter": "Metric against metric",
    "fates": "What was kept, lost and added",
    "levels": "Words by level",
}
"""The titles of the charts, for who does not see them."""
MARKS = {"best": "★", "tied": "≈", "": ""}


def report_html(chapters: Sequence[Chapter], *, title: str = "", shown: int = SHOWN) -> str:
    """The page of some chapters with a heading, and ``shown`` example items of each kind."""
    script = asset("sema.js") + asset("items.js") + asset("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return rendered(
        "report.html",
        title=title or say(TITLE),
        chapters=[_values(chapter, shown) | _page_values(chapter, number) for number, chapter in enumerate(chapters)],
        css=asset("sema.css") + asset("items.css") + asset("report.css"),
        per_block=BLOCK,
        js=script,
        script_hash=f"sha256-{digest}",
    )


def report_markdown(chapters: Sequence[Chapter], *, title: str = "", shown: int = SHOWN) -> str:
    """The tables, the example items and the signatures; arguments as for :func:`report_html`."""
    values = [_values(chapter, shown) | _markdown_tables(chapter) for chapter in chapters]
    return rendered(
        "report.md", title=title or TITLE, chapters=values, line=_line, code=_code, to_markdown=to_markdown,
        problems_of=problems_of,
    )  # fmt: skip


def _values(chapter: Chapter, shown: int) -> dict[str, Any]:
    """The template values of a chapter that HTML and Markdown share."""
    return {
        "chapter": chapter,
        "pairs": None if chapter.comparison is None else comparison_tables(chapter.comparison)[1],
        "steps": steps_table(chapter.report),
        "picks": pick_items(chapter, shown),
        "missing": [*missing_scores(chapter.report.summary)],
        "short_signature": short_signature(chapter.report.signature),
        "commonest": chapter.commonest(),
        "levels": levels_table(chapter.levels) if chapter.levels else None,
        "paragraph": chapter.paragraph,
        "works": works_of(chapter.report.metrics, chapter.report.signature),
    }


def _page_values(chapter: Chapter, number: int) -> dict[str, Any]:
    report, table = chapter.report, items_table(chapter)
    several = len(report.systems) > 1
    drawn = "items" if len(set(chapter.sources)) == report.items else "sources"
    figures = {
        "intervals": charts.intervals_figure(chapter.estimates, report.metrics, report.ranges) if several else None,
        "distributions": charts.distributions_figure(chapter),
        "scatter": charts.scatter_figure(chapter),
        "fates": charts.fates_figure(chapter),
        "levels": charts.levels_figure(chapter.levels) if chapter.levels else None,
    }
    return {
        "metrics": {name: report.higher_is_better.get(name, True) for name in report.metrics},
        "drawn": drawn,
        "figures": {
            name: figure and page_svg(figure, TITLES[name], f"{name}{number}") for name, figure in figures.items()
        },
        "outputs": partial(shown_outputs, chapter),
        "table": table,
        "blocks": packed_evidence(chapter, table),
    }


def _markdown_tables(chapter: Chapter) -> dict[str, Any]:
    report = chapter.report
    scores: list[Row] = [[name, *(_cell(chapter, name, metric) for metric in report.metrics)] for name in report.names]
    counts = f"{counted(report.items, 'item')}, 95 % bootstrap intervals. ★ best, ≈ not significantly behind the best."
    matrix = [
        [name, *("–" if value != value else f"{value:.2f}" for value in values)]
        for name, values in zip(report.metrics, chapter.correlations, strict=True)
    ]
    title = "Metric against metric (Spearman, over outputs)"
    return {
        "scores": Table("Scores", ["system", *report.metrics], scores, [*missing_scores(report.summary), counts]),
        "correlations": Table(title, ["", *report.metrics], matrix),
    }


def _cell(chapter: Chapter, system: str, metric: str) -> Cell:
    estimate, mark = chapter.estimates[system][metric], chapter.mark(system, metric)
    interval = "" if estimate.low != estimate.low else f" [{estimate.low:.1f}, {estimate.high:.1f}]"
    letters = chapter.letters(metric).get(system, "")
    return Cell(f"{score_text(estimate.value)}{MARKS[mark]}{interval}", strong=mark == "best", raised=letters)


_BLOCK = re.compile(r"^(\d{0,9})([-+.)=])(?=[\s=-]|$)")  # of a list, rule or heading: `- `, `1. `, `---`, `===`


def _line(text: str) -> str:
    """Text on one line that Markdown shows as it is."""
    return _BLOCK.sub(r"\1\\\2", markdown_escape(" ".join(text.split())))


def _code(text: str) -> str:
    """Text on one line as inline code; its backticks are removed, since nothing else is markup there."""
    return f"`{visible(' '.join(text.split())).replace('`', '')}`"
