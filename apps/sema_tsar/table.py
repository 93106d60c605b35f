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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.errors import UsageError
from sema.evaluation.significance import CONFIDENCE, SAMPLES, SEED, Estimate, Result
from sema.metrics.cefr import weighted_f1
from sema.model.levels import CEFR, cefr_label

Numbers = NDArray[np.float64]

LEVELS = len(CEFR)
RMSE, F1, ADJACENT, LEVEL = "rmse", "f1", "adjacent", "cefr"
MEANING, REFERENCE, RANK = "meaning", "bertscore_f1", "autorank"
FIGURES = (RANK, RMSE, F1, ADJACENT, LEVEL, MEANING, REFERENCE)
RANKED: Mapping[str, bool] = {RMSE: False, MEANING: True, REFERENCE: True}
"""The figures that decide the rank, and whether more is better."""
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
        parts = [100 * (1 - away / (LEVELS - 1)), self.meaning, self.similar]
        known = [part for part in parts if part is not None]
        return sum(known) / len(known)

    def to_dict(self) -> dict[str, Any]:
        """The row of the item in per-item results."""
        names = {LEVEL: self.level, "target": self.target, MEANING: self.meaning, REFERENCE: self.similar}
        return {"item": self.text_id, "scores": names}

    def described(self) -> str:
        """``21-a2 B1, meaning 93``: what a table says of the item."""
        level = "no words" if self.level is None else cefr_label(self.whole or 0)
        return f"{self.text_id} {level}, {self.meaning:.0f}"


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
    runs: Mapping[str, Sequence[TaskItem]],
    *,
    texts: int,
    shown: int = 2,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> list[TaskRow]:
    """The runs in the order of their ranks.

    A run that lacks texts is measured on those that it has, as in the task.

    Args:
        runs: the items of each run.
        texts: how many texts the task has.
        shown: how many best and worst items each row names.
    """
    if not all(runs.values()):
        empty = next(name for name, items in runs.items() if not items)
        raise UsageError(f"the run {empty!r} has no text that could be scored")
    clusters = sorted({item.cluster for items in runs.values() for item in items})
    sums = np.stack([_sums(items, clusters) for items in runs.values()])
    value = {name: values[0] for name, values in _figures(sums.sum(1)[None]).items()}
    drawn = np.random.default_rng(seed).multinomial(len(clusters), np.full(len(clusters), 1 / len(clusters)), samples)
    resampled = _figures(np.einsum("sc,rck->srk", drawn.astype(float), sums))
    tail = 50 * (1 - confidence)
    names = [name for name in FIGURES if not np.isnan(value[name]).all()]
    ends = {name: np.nanpercentile(resampled[name], [tail, 100 - tail], axis=0) for name in names}
    order = sorted(range(len(runs)), key=lambda at: (value[RANK][at], list(runs)[at]))
    rows = []
    for place, at in enumerate(order, start=1):
        name, items = list(runs.items())[at]
        scores = {figure: Estimate(float(value[figure][at]), *map(float, ends[figure][:, at])) for figure in names}
        by_quality = sorted(items, key=lambda item: (-item.quality, item.text_id))
        best, worst = tuple(by_quality[:shown]), tuple(by_quality[::-1][:shown])
        rows.append(TaskRow(name, place, len(items), texts - len(items), scores, best, worst))
    return rows


def _sums(items: Sequence[TaskItem], clusters: Sequence[str]) -> Numbers:
    """The sums of the items' numbers by original (originals, numbers)."""
    rows = np.zeros((len(clusters), SUMS + LEVELS * (LEVELS + 1)))
    place = {cluster: at for at, cluster in enumerate(clusters)}
    for item in items:
        row = rows[place[item.cluster]]
        whole = LEVELS if item.whole is None else item.whole
        reference = math.nan if item.similar is None else item.similar
        near = item.whole is not None and abs(whole - item.target) <= 1
        level = float(LEVELS) if item.level is None else item.level
        row[:SUMS] += (1, (whole - item.target) ** 2, near, level, item.meaning, reference)
        column = LEVELS if item.whole is None else whole - 1
        row[SUMS + (item.target - 1) * (LEVELS + 1) + column] += 1
    return rows


def _figures(sums: Numbers) -> dict[str, Numbers]:
    """All figures (samples, runs) from sums of numbers (samples, runs, numbers); NaN where there is no item."""
    with np.errstate(invalid="ignore", divide="ignore"):
        count = sums[..., 0]
        figures = {
            RMSE: np.sqrt(sums[..., 1] / count),
            ADJACENT: 100 * sums[..., 2] / count,
            LEVEL: sums[..., 3] / count,
            MEANING: sums[..., 4] / count,
            REFERENCE: sums[..., 5] / count,
            F1: weighted_f1(sums[..., SUMS:].reshape(*sums.shape[:-1], LEVELS, LEVELS + 1)),
        }
    return {**figures, RANK: autorank({name: figures[name] for name in RANKED})}


def autorank(figures: Mapping[str, Numbers]) -> Numbers:
    """The mean of the figures' ranks (…, runs), 1 to the number of runs; figures that no run has are left out.

    >>> autorank({"rmse": np.array([0.0, 1.0, 0.5]), "meaning": np.array([80.0, 60.0, 70.0])})
    array([1., 3., 2.])
    """
    ranks = []
    for name, values in figures.items():
        if np.isnan(values).all():
            continue
        turned = -values if RANKED[name] else values
        low, high = np.nanmin(turned, -1, keepdims=True), np.nanmax(turned, -1, keepdims=True)
        share = np.divide(turned - low, high - low, out=np.zeros_like(turned), where=high > low)
        ranks.append(1 + (values.shape[-1] - 1) * share)
    means: Numbers = np.mean(ranks, axis=0)
    return means
