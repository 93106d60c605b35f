"""The table of the TSAR 2025 shared task: levels against targets, meaning kept, and the rank of every run.

Runs are ranked as in the task, by AutoRank (Kocmi et al., WMT 2024): each of three figures (RMSE of levels, meaning
kept from the source, BERTScore's F1 with the reference) is scaled linearly over the runs, from 1 for the best to
their number for the worst, and a run's rank is the mean of the three. Intervals resample originals, not items: the
versions of one original for several levels, and all runs' versions of it, are drawn together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sema import InputError
from sema.display.tables import Cell, Row, Table, number
from sema.evaluation.significance import CONFIDENCE, SAMPLES, SEED, Estimate, Result
from sema.model.levels import CEFR, cefr_label

Numbers = NDArray[np.float64]


class Figure(NamedTuple):
    """A column of the table; ``better`` is 1 where more is better, -1 where less is, 0 where neither is."""

    heading: str
    digits: int
    better: int
    ranked: bool = False


LEVELS = len(CEFR)
RANK, LEVEL, MEANING, REFERENCE = "autorank", "cefr", "meaning", "bertscore_f1"
FIGURES: Mapping[str, Figure] = {
    RANK: Figure("AutoRank", 2, -1),
    "rmse": Figure("RMSE", 2, -1, ranked=True),
    "f1": Figure("F1", 1, 1),
    "adjacent": Figure("within one", 1, 1),
    LEVEL: Figure("level", 2, 0),
    MEANING: Figure("meaning", 1, 1, ranked=True),
    REFERENCE: Figure("BERTScore", 1, 1, ranked=True),
}
SHOWN = 2
"""How many best and worst items each row names."""
SUMS = 6
"""Numbers of an item before its confusion counts: 1, squared distance, within one, level, meaning, BERTScore."""


@dataclass(frozen=True)
class TaskItem(Result):
    """One output: its level as a number and rounded to a whole level, its meaning, its BERTScore.

    An output without words has the level ``None``; it counts as a miss of the highest level.
    """

    text_id: str
    cluster: str
    target: int
    level: float | None
    whole: int | None
    meaning: float
    similar: float | None

    @property
    def quality(self) -> float:
        """The sort key of items: the mean of meaning, nearness to the reference and to the level, each 0-100."""
        away = LEVELS - 1 if self.whole is None else abs(self.whole - self.target)
        parts = [100 * (1 - away / (LEVELS - 1)), self.meaning, *([] if self.similar is None else [self.similar])]
        return sum(parts) / len(parts)

    def to_dict(self) -> dict[str, Any]:
        """The item in the command's JSON."""
        names = {LEVEL: self.level, "target": self.target, MEANING: self.meaning, REFERENCE: self.similar}
        return {"item": self.text_id, "scores": names}

    def described(self) -> str:
        """``21-a2 B1, meaning 93``: what a table says of the item."""
        level = "no words" if self.level is None else cefr_label(self.whole or 0)
        return f"{self.text_id} {level}, {self.meaning:.0f}"

    def numbers(self) -> Numbers:
        """The numbers that a run's figures are computed from; they add up over items."""
        away = (LEVELS if self.whole is None else self.whole) - self.target
        level = LEVELS if self.level is None else self.level
        similar = math.nan if self.similar is None else self.similar
        confusion = np.zeros((LEVELS, LEVELS + 1))
        confusion[self.target - 1, LEVELS if self.whole is None else self.whole - 1] = 1
        near = self.whole is not None and abs(away) <= 1
        return np.array([1, away**2, near, level, self.meaning, similar, *confusion.flat])


@dataclass(frozen=True)
class TaskRow(Result):
    """A run in the table: its place, its figures with intervals, and its best and worst items."""

    name: str
    place: int
    items: int
    missing: int
    scores: Mapping[str, Estimate]
    best: tuple[TaskItem, ...]
    worst: tuple[TaskItem, ...]


def task_table(
    runs: Mapping[str, Sequence[TaskItem]], *, texts: int, samples: int = SAMPLES, seed: int = SEED
) -> list[TaskRow]:
    """The runs in the order of their ranks.

    A run that lacks texts is measured on those that it has, as in the task; one without any is left out.

    Args:
        runs: the items of each run.
        texts: how many texts the task has.
    """
    runs = {name: items for name, items in runs.items() if items}
    if not runs:
        raise InputError("no run has a text that could be scored; give some")
    clusters = {name: at for at, name in enumerate(sorted({one.cluster for items in runs.values() for one in items}))}
    sums = np.zeros((len(runs), len(clusters), SUMS + LEVELS * (LEVELS + 1)))
    for at, items in enumerate(runs.values()):
        for item in items:
            sums[at, clusters[item.cluster]] += item.numbers()
    value = _figures(sums.sum(1))
    drawn = np.random.default_rng(seed).multinomial(len(clusters), np.full(len(clusters), 1 / len(clusters)), samples)
    resampled = _figures(np.einsum("sc,rck->srk", drawn.astype(float), sums))
    tail = 50 * (1 - CONFIDENCE)
    names = [name for name in FIGURES if not np.isnan(value[name]).all()]
    ends = {name: np.nanpercentile(resampled[name], [tail, 100 - tail], axis=0) for name in names}
    rows = []
    for place, (_, name, at) in enumerate(sorted(zip(value[RANK], runs, range(len(runs)), strict=True)), start=1):
        scores = {figure: Estimate(float(value[figure][at]), *map(float, ends[figure][:, at])) for figure in names}
        by_quality = sorted(runs[name], key=lambda item: (-item.quality, item.text_id))
        best, worst = tuple(by_quality[:SHOWN]), tuple(by_quality[::-1][:SHOWN])
        rows.append(TaskRow(name, place, len(by_quality), texts - len(by_quality), scores, best, worst))
    return rows


def _figures(sums: Numbers) -> dict[str, Numbers]:
    """All figures (samples, runs) from sums of numbers (samples, runs, numbers); NaN where there is no item."""
    with np.errstate(invalid="ignore", divide="ignore"):
        count = sums[..., 0]
        figures = {
            "rmse": np.sqrt(sums[..., 1] / count),
            "adjacent": 100 * sums[..., 2] / count,
            LEVEL: sums[..., 3] / count,
            MEANING: sums[..., 4] / count,
            REFERENCE: sums[..., 5] / count,
            "f1": weighted_f1(sums[..., SUMS:].reshape(*sums.shape[:-1], LEVELS, LEVELS + 1)),
        }
    return {**figures, RANK: autorank({name: figures[name] for name, figure in FIGURES.items() if figure.ranked})}


def autorank(figures: Mapping[str, Numbers]) -> Numbers:
    """The mean of the figures' ranks (…, runs), 1 to the number of runs; figures that no run has are left out.

    >>> autorank({"rmse": np.array([0.0, 1.0, 0.5]), "meaning": np.array([80.0, 60.0, 70.0])})
    array([1., 3., 2.])
    """
    ranks = []
    for name, values in figures.items():
        if not np.isnan(values).all():
            worse = -FIGURES[name].better * values
            low, high = np.nanmin(worse, -1, keepdims=True), np.nanmax(worse, -1, keepdims=True)
            share = np.divide(worse - low, high - low, out=np.zeros_like(worse), where=high > low)
            ranks.append(1 + (values.shape[-1] - 1) * share)
    return np.asarray(np.mean(ranks, axis=0))


def weighted_f1(counts: Numbers) -> Numbers:
    """F1 of levels weighted by the targets' frequencies, 0-100, of counts (…, targets, levels of outputs or none)."""
    targets, levels = counts.sum(-1), counts[..., :-1].sum(-2)
    hits = np.diagonal(counts[..., :-1], axis1=-2, axis2=-1)
    weighted = targets * 2 * hits / np.maximum(targets + levels, 1)
    return np.asarray(100 * weighted.sum(-1) / targets.sum(-1))


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
