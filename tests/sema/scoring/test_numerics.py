"""Numerical guarantees: a score depends on its own texts, not on other items, metrics, their order or threads."""

from collections.abc import Sequence
from random import Random

import pytest
from sema_ud.formulas import formulas

from sema import Item, MeanMetric, ResourceError, Scorer, UsageError
from sema.metrics.base import NETWORK_DECIMALS
from sema.metrics.registry import metric_names
from tests.conftest import ROOT

METRICS = ("meaning", "meaning_recall", "meaning_precision", "fluency", "sema", "samsa")
NETWORKS = METRICS[:4]
Scores = list[dict[str, float]]


def scores(sources: Sequence[str], outputs: Sequence[str], threads: int = 1) -> Scores:
    scorer = Scorer("en", METRICS, options={"threads": threads})
    return [item.scores for item in scorer.score(sources, outputs, keep_items=False).systems[0].items]


def test_order_and_threads_change_nothing_and_scores_of_networks_are_rounded() -> None:
    original, reference = (
        (ROOT / "examples" / "en" / name).read_text("utf-8").splitlines() for name in ("original.txt", "reference.txt")
    )
    together = scores(original, reference)
    for one, other in zip(scores(original[::-1], reference[::-1], threads=2)[::-1], together, strict=True):
        for name in METRICS:
            if name in NETWORKS:
                assert one[name] == pytest.approx(other[name], rel=0, abs=1.1 * 10**-NETWORK_DECIMALS)
                assert other[name] == round(other[name], NETWORK_DECIMALS)
            else:
                assert one[name] == other[name]


def test_a_mean_metric_rounds_to_its_decimals() -> None:
    class Third(MeanMetric, name="third"):
        """Two thirds of a hundred."""

        decimals = 2

        def scores(self, items: Sequence[Item]) -> Sequence[float]:
            return [200 / 3] * len(items)

    (system,) = Scorer("en", [Third()]).score(["One cat sat."] * 3, ["A cat sat."] * 3)
    assert [item.scores["third"] for item in system.items] == [66.67] * 3
    assert system.scores["third"] == 66.67


SOURCES = [
    "The old cat, which had slept on the mat since Tuesday, was sold by its owner for 20 euros.",
    "John got home and gave Mary a call because the train was late.",
    "About 13 million Syrians had to leave their homes because of danger.",
]
OUTPUTS = ["The old cat. Slept mat on the.", "John came home. He called Mary.", "Syrians left their homes in 1998."]
REFERENCES = ["The cat was sold.", "John called Mary at home.", "Many Syrians fled."]
ZH = ["这只老猫从星期二起一直睡在垫子上。", "他回家后给玛丽打了电话。"], ["老猫睡在垫子上。", "他给玛丽写了信。"]
TEXTS = {"en": (SOURCES, OUTPUTS, REFERENCES), "zh": (*ZH, ZH[0])}


def item_scores(lang: str, metrics: list[str], places: list[int]) -> Scores:
    texts = [[column[place] for place in places] for column in TEXTS[lang]]
    report = Scorer(lang, metrics).score(*texts, targets=[2.0] * len(places))
    return [dict(item.scores) for item in report.systems[0].items]


@pytest.mark.parametrize("lang", ["en", pytest.param("zh", marks=pytest.mark.stress)])
def test_a_metric_alone_equals_itself_among_all_others_in_any_order(lang: str) -> None:
    elsewhere = {name for name, formula in formulas().items() if formula.language}
    places, alone = list(range(len(TEXTS[lang][0]))), {}
    for name in metric_names():
        try:
            alone[name] = [values[name] for values in item_scores(lang, [name], places)]
        except (ResourceError, UsageError):
            assert lang != "en" or name.startswith("hsk") or name in elsewhere, name
    assert len(alone) > 40
    every = list(alone)
    together = item_scores(lang, every, places)
    assert {name: [values[name] for values in together] for name in every} == alone
    mixed = Random(3).sample(every, len(every))
    assert item_scores(lang, mixed, places[::-1])[::-1] == together
    assert item_scores(lang, every, [1]) == [together[1]]
