"""Metrics are values: which metrics are equal, whatever state their classes keep."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sema import Scorer
from sema.errors import UsageError
from sema.metrics.base import Item, MeanMetric, Metric
from tests.esperanto import esperanto

if TYPE_CHECKING:
    from nowhere import Unknown  # type: ignore[import-not-found]


class Counting(MeanMetric, name="counting"):
    """Counts."""

    def __init__(self, *sizes: int, weights: Unknown = None, **others: object) -> None:
        self.sizes, self.weights = sizes, weights

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [0.0] * len(items)


@dataclass
class Data(Counting, name="data"):
    """Is a dataclass."""

    table: Any = None


def configured(made: Metric, **values: object) -> Metric:
    vars(made).update(values)
    return made


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Counting(1, 2), Counting(1, 3)),
        (Counting(), configured(Counting(), name="mine")),
        (Counting(weights=np.ones(2)), Counting(weights=np.zeros(2))),
        (Data(np.ones(2)), configured(Data(np.zeros(2)), name="mine")),
    ],
)
def test_metrics_that_differ_are_all_scored(one: Metric, other: Metric) -> None:
    assert len(Scorer(esperanto(), [one, one, other]).metrics) == 2


def test_metrics_that_differ_in_what_no_name_says_are_refused() -> None:
    with pytest.raises(UsageError, match="two metrics are called"):
        Scorer(esperanto(), [configured(Counting(), k=1), configured(Counting(), k=2)])


def test_metrics_that_do_not_differ_are_one() -> None:
    assert len({Counting(1, k=2), Counting(1, k=2), pickle.loads(pickle.dumps(Counting(1, k=2)))}) == 1
    assert Counting(1, weights=None, k=2).full_name == "counting[k=2,sizes=(1,)]"
