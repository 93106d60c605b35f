"""The shared task's tables, and the points of the picture of meaning against level."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sema.display.tables import Cell, Row, Table, number
from sema.evaluation.significance import Estimate
from sema_tsar.table import FIGURES, LEVEL, MEANING, TaskRow


def task_tables(rows: Sequence[TaskRow], *, texts: int, signature: str, settings: str) -> list[Table]:
    """The table of all runs in the order of their ranks, and their best and worst items."""
    figures = {name: figure for name, figure in FIGURES.items() if name in rows[0].scores}
    best = {
        name: max(figure.better * row.scores[name].value for row in rows)
        for name, figure in figures.items()
        if figure.better
    }

    def cell(estimate: Estimate, name: str) -> Cell:
        value, low, high = (number(one, figures[name].digits) for one in (estimate.value, estimate.low, estimate.high))
        shown = f"{value} [{low}, {high}]" if math.isfinite(estimate.low) else value
        return Cell(shown, figures[name].better * estimate.value == best.get(name))

    lines: list[Row] = [
        [f"{row.place}. {row.name}", str(row.items), *(cell(row.scores[name], name) for name in figures)]
        for row in rows
    ]
    notes = [f"{len(rows)} runs, {texts} texts; {settings} | {signature}"]
    short = ", ".join(f"{row.name} lacks {row.missing}" for row in rows if row.missing)
    if short:
        notes.append(f"figures of an incomplete run are those of the texts that it has: {short}")
    title = "Levels against targets, meaning, and the task's rank, with intervals over originals (best marked)"
    header = ["run", "texts", *(figure.heading for figure in figures.values())]
    named: list[Row] = [
        [row.name, *("; ".join(item.described() for item in items) for items in (row.best, row.worst))] for row in rows
    ]
    note = "an item: id, level, meaning; sorted by meaning, BERTScore and the distance from the target"
    return [Table(title, header, lines, notes), Table("Best and worst items", ["run", "best", "worst"], named, [note])]


def task_picture(rows: Sequence[TaskRow]) -> dict[str, dict[str, Estimate]]:
    """Level and meaning of each run, in the order of their ranks, for the picture of meaning against level."""
    return {row.name: {name: row.scores[name] for name in (LEVEL, MEANING)} for row in rows}
