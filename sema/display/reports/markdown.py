"""The report as Markdown, for the appendix of a paper."""

from __future__ import annotations

from collections.abc import Sequence

from sema.display.pictures.pages import score_text
from sema.display.reports.chapters import Chapter, works_of
from sema.display.reports.picks import pick_items
from sema.display.reports.statistics import comparison_tables, steps_table
from sema.display.tables import Cell, Table, to_markdown
from sema.display.visible import visible
from sema.scoring.results import short_signature

MARKS = {"best": "★", "tied": "≈", "": ""}
TITLES = {"best": "Best", "worst": "Worst", "disputed": "Most disputed"}


def report_markdown(chapters: Sequence[Chapter], *, title: str = "", shown: int = 6) -> str:
    """The tables, the telling items and the signatures; arguments as :func:`sema.display.reports.html.report_html`."""
    parts = [f"# {_line(title or 'How well do the simplifications keep the meaning?')}"]
    for chapter in chapters:
        if len(chapters) > 1:
            parts.append(f"## {_line(', '.join(run.folder.name for run in chapter.runs))}")
        parts += [to_markdown(table) for table in _tables(chapter)]
        parts += _items(chapter, shown)
        parts.append("## Signature and works to cite")
        signature = chapter.report.signature
        parts.append(f"In short `{short_signature(signature)}`; all that decides the numbers:")
        parts.append(f"`{_line(signature).replace('`', '')}`")
        parts.append("\n".join(f"- {work}" for work in works_of(chapter.report.metrics, signature)))
    return "\n\n".join(parts) + "\n"


def _tables(chapter: Chapter) -> list[Table]:
    report = chapter.report
    rows: list[list[Cell | str]] = []
    for system in report.systems:
        cells: list[Cell | str] = [system.name]
        for metric in report.metrics:
            found, mark = chapter.estimates[system.name][metric], chapter.mark(system.name, metric)
            interval = "" if found.low != found.low else f" [{found.low:.1f}, {found.high:.1f}]"
            cells.append(Cell(f"{score_text(found.value)}{MARKS[mark]}{interval}", strong=mark == "best"))
        rows.append(cells)
    notes = [f"{report.items} items, 95 % bootstrap intervals. ★ best, ≈ not significantly behind the best."]
    tables = [Table("Scores", ["system", *report.metrics], rows, notes)]
    if chapter.comparison is not None:
        tables.append(comparison_tables(chapter.comparison)[1])
    steps = steps_table(report)
    if steps is not None:
        tables.append(steps)
    if len(report.metrics) > 1:
        matrix: list[list[Cell | str]] = [
            [name, *("–" if value is None else f"{value:.2f}" for value in values)]
            for name, values in zip(report.metrics, chapter.correlations, strict=True)
        ]
        tables.append(Table("Metric against metric (Spearman, over outputs)", ["", *report.metrics], matrix))
    return [*tables, chapter.operations()]


def _items(chapter: Chapter, shown: int) -> list[str]:
    parts = []
    systems = {system.name: system for system in chapter.report.systems}
    for key, picks in pick_items(chapter, shown).items():
        if not picks:
            continue
        parts.append(f"## {TITLES[key]}")
        for pick in picks:
            texts = chapter.texts[pick.item]
            lines = [f"**Item {pick.item}** ({_line(pick.why)})", "", f"> {_line(texts['source'])}", ""]
            for name in pick.systems:
                scores = systems[name].items[pick.item].scores
                figures = ", ".join(f"{metric} {score_text(value)}" for metric, value in scores.items())
                lines.append(f"- *{_line(name)}*: {_line(texts['outputs'][name]) or '(empty)'} ({figures})")
            parts.append("\n".join(lines))
    return parts


def _line(text: str) -> str:
    """Text on one line that Markdown shows as it is."""
    joined = visible(" ".join(text.split()))
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in joined)
