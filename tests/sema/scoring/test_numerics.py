"""Numerical guarantees: order, other items, threads and workers never change a score."""

from collections.abc import Sequence

import pytest

from sema import Item, MeanMetric, Scorer
from sema.metrics.base import NETWORK_DECIMALS
from tests.conftest import ROOT

METRICS = ("meaning", "meaning_recall", "meaning_precision", "fluency", "sema", "samsa")
NETWORKS = METRICS[:4]


def lines(name: str) -> list[str]:
    return (ROOT / "examples" / "en" / name).read_text("utf-8").splitlines()


Scores = list[dict[str, float]]


def scores(sources: Sequence[str], outputs: Sequence[str], threads: int = 1) -> Scores:
    scorer = Scorer("en", METRICS, options={"threads": threads})
    return [item.scores for item in scorer.score(sources, outputs, keep_items=False).systems[0].items]


@pytest.fixture(scope="module")
def together() -> Scores:
    return scores(lines("original.txt"), lines("reference.txt"))


def check(scores: Scores, expected: Scores) -> None:
    for one, other in zip(scores, expected, strict=True):
        for name in METRICS:
            if name in NETWORKS:
                assert one[name] == pytest.approx(other[name], rel=0, abs=1.1 * 10**-NETWORK_DECIMALS)
            else:
                assert one[name] == other[name]


def test_order_and_threads_change_nothing(together: Scores) -> None:
    check(scores(lines("original.txt")[::-1], lines("reference.txt")[::-1], threads=2)[::-1], together)


def test_network_scores_are_rounded(together: Scores) -> None:
    assert all(item[name] == round(item[name], NETWORK_DECIMALS) for item in together for name in NETWORKS)


class Third(MeanMetric):
    """Two thirds of a hundred."""

    name = "third"
    decimals = 2

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [200 / 3] * len(items)


def test_a_mean_metric_rounds_to_its_decimals() -> None:
    system = Scorer("en", [Third()]).score(["One cat sat."] * 3, ["A cat sat."] * 3).systems[0]
    assert [item.scores["third"] for item in system.items] == [66.67] * 3
    assert system.scores["third"] == 66.67
