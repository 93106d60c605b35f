"""The report as Markdown, for the appendix of a paper."""

from __future__ import annotations

from collections.abc import Sequence

from sema.display.pictures.pages import rendered, score_text
from sema.display.reports.chapters import Chapter, works_of
from sema.display.reports.picks import pick_items
from sema.display.reports.statistics import comparison_tables, steps_table
from sema.display.tables import Cell, Row, Table, to_markdown
from sema.display.visible import visible
from sema.scoring.results import short_signature

MARKS = {"best": "★", "tied": "≈", "": ""}


def report_markdown(chapters: Sequence[Chapter], *, title: str = "", shown: int = 6) -> str:
    """The tables, the telling items and the signatures; arguments as :func:`sema.display.reports.html.report_html`."""
    return rendered(
        "report.md",
        title=title or "How well do the simplifications keep the meaning?",
        chapters=[
            {
                "chapter": chapter,
                "tables": [to_markdown(table) for table in _tables(chapter)],
                "picks": pick_items(chapter, shown),
                "short_signature": short_signature(chapter.report.signature),
                "works": works_of(chapter.report.metrics, chapter.report.signature),
            }
            for chapter in chapters
        ],
        line=_line,
    )


def _tables(chapter: Chapter) -> list[Table]:
    report = chapter.report
    rows: list[Row] = [[name, *(_cell(chapter, name, metric) for metric in report.metrics)] for name in chapter.systems]
    notes = [f"{report.items} items, 95 % bootstrap intervals. ★ best, ≈ not significantly behind the best."]
    tables = [Table("Scores", ["system", *report.metrics], rows, notes)]
    if chapter.comparison is not None:
        tables.append(comparison_tables(chapter.comparison)[1])
    steps = steps_table(report)
    if steps is not None:
        tables.append(steps)
    if len(report.metrics) > 1:
        matrix = [
            [name, *("–" if value is None else f"{value:.2f}" for value in values)]
            for name, values in zip(report.metrics, chapter.correlations, strict=True)
        ]
        tables.append(Table("Metric against metric (Spearman, over outputs)", ["", *report.metrics], matrix))
    return [*tables, chapter.operations()]


def _cell(chapter: Chapter, system: str, metric: str) -> Cell:
    found, mark = chapter.estimates[system][metric], chapter.mark(system, metric)
    interval = "" if found.low != found.low else f" [{found.low:.1f}, {found.high:.1f}]"
    return Cell(f"{score_text(found.value)}{MARKS[mark]}{interval}", strong=mark == "best")


def _line(text: str) -> str:
    """Text on one line that Markdown shows as it is."""
    joined = visible(" ".join(text.split()))
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in joined)
