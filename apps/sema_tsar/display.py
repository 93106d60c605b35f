"""The shared task's table and the picture of meaning against level, for terminal, Markdown, LaTeX and files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sema_tsar.table import ADJACENT, F1, LEVEL, RANK, REFERENCE, RMSE, TaskItem, TaskRow

from sema.display.reports.figures import LEVELS, MEANING, trade_figure
from sema.display.tables import Cell, Row, Table, number
from sema.evaluation.significance import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEADINGS = {
    RANK: "AutoRank",
    RMSE: "RMSE",
    F1: "F1",
    ADJACENT: "within one",
    LEVEL: "level",
    MEANING: "meaning",
    REFERENCE: "BERTScore",
}
LOWER_IS_BETTER = (RANK, RMSE)


def task_tables(rows: Sequence[TaskRow], *, texts: int, signature: str, settings: str) -> list[Table]:
    """The table of all runs in the order of their ranks, and their best and worst items."""
    figures = list(rows[0].scores)
    best = {name: _best(rows, name) for name in figures if name != LEVEL}
    lines: list[Row] = [
        [
            f"{row.place}. {row.name}",
            str(row.items),
            *(
                Cell(_shown(row.scores[name], name), strong=row.scores[name].value == best.get(name))
                for name in figures
            ),
        ]
        for row in rows
    ]
    notes = [f"{len(rows)} runs, {texts} texts; {settings} | {signature}"]
    short = [row for row in rows if row.missing]
    if short:
        named = ", ".join(f"{row.name} lacks {row.missing}" for row in short)
        notes.append(f"figures of an incomplete run are those of the texts that it has: {named}")
    title = "Levels against targets, meaning, and the task's rank, with intervals over originals (best marked)"
    header = ["run", "texts", *(HEADINGS[name] for name in figures)]
    return [Table(title, header, lines, notes), *_items(rows)]


def _shown(estimate: Estimate, name: str) -> str:
    digits = 2 if name in (RANK, RMSE, LEVEL) else 1
    ends = f" [{number(estimate.low, digits)}, {number(estimate.high, digits)}]" if math.isfinite(estimate.low) else ""
    return f"{number(estimate.value, digits)}{ends}"


def _best(rows: Sequence[TaskRow], name: str) -> float:
    return (min if name in LOWER_IS_BETTER else max)(row.scores[name].value for row in rows)


def _items(rows: Sequence[TaskRow]) -> list[Table]:
    if not any(row.best for row in rows):
        return []
    lines = [[row.name, _named(row.best), _named(row.worst)] for row in rows]
    note = "an item: id, level, meaning; sorted by meaning, BERTScore and the distance from the target"
    return [Table("Best and worst items", ["run", "best", "worst"], lines, [note])]


def _named(items: Sequence[TaskItem]) -> str:
    return "; ".join(item.described() for item in items)


def task_picture(rows: Sequence[TaskRow]) -> dict[str, dict[str, Estimate]]:
    """Level and meaning of each run by its place and name, as the pictures of meaning against level take them."""
    return {f"{row.place} {row.name}": {name: row.scores[name] for name in (LEVELS[0], MEANING)} for row in rows}


def task_figure(rows: Sequence[TaskRow]) -> Figure:
    """Meaning against level, each run by its place in the table."""
    return trade_figure(task_picture(rows), LEVELS[0])
