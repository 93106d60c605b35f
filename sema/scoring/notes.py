"""Warnings about missing scores and scores that their own metric doubts, each given once."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

from sema.errors import SemaWarning
from sema.metrics.base import Metric
from sema.scoring.engine import ChunkScores


def warn_of_scores(part: ChunkScores, metrics: Sequence[Metric], warned: set[str]) -> None:
    """Warn of each metric's first item without a score, and first doubtful score, once (``warned``)."""
    for item in (item for items in part for item in items):
        for metric in metrics:
            if metric.name not in item.rows or metric.name in item.errors:
                continue
            value, doubt = item.scores[metric.name], metric.doubt(item.rows[metric.name])
            said = f"{metric.name} {bool(doubt)}"
            if (doubt or math.isnan(value)) and said not in warned:
                warned.add(said)
                message = f"no {metric.name}, and is left out of its mean"
                if doubt:
                    message = f"{metric.name} {value:.2f}: it {doubt}"
                warnings.warn(f"item {item.index} has {message}; others may be like it", SemaWarning, stacklevel=4)
