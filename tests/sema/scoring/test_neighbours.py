"""A score depends on its own texts: not on the other metrics asked for, their order, or the other items."""

from random import Random

import pytest
from sema_ud.readability.table import formulas

from sema import ResourceError, Scorer, UsageError
from sema.metrics.registry import metric_names

SOURCES = [
    "The old cat, which had slept on the mat since Tuesday, was sold by its owner for 20 euros.",
    "John got home and gave Mary a call because the train was late.",
    "About 13 million Syrians had to leave their homes because of danger.",
]
OUTPUTS = ["The old cat. Slept mat on the.", "John came home. He called Mary.", "Syrians left their homes in 1998."]
REFERENCES = [["The cat was sold."], ["John called Mary at home."], ["Many Syrians fled."]]
ZH = ["这只老猫从星期二起一直睡在垫子上。", "他回家后给玛丽打了电话。"], ["老猫睡在垫子上。", "他给玛丽写了信。"]


def scores(
    lang: str, metrics: list[str], chosen: list[int], sources: list[str], outputs: list[str]
) -> list[dict[str, float]]:
    given = [REFERENCES[i] if lang == "en" else [sources[i]] for i in chosen]
    report = Scorer(lang, metrics).score(
        [sources[i] for i in chosen], [outputs[i] for i in chosen], given, targets=[2.0] * len(chosen)
    )
    return [dict(item.scores) for item in report.systems[0].items]


def alone(lang: str, places: list[int], sources: list[str], outputs: list[str]) -> dict[str, list[float]]:
    """The scores of the items by each metric that the language has, each from a scorer of its own."""
    found = {}
    elsewhere = {name for name, formula in formulas().items() if formula.language}
    for name in metric_names():
        try:
            found[name] = [values[name] for values in scores(lang, [name], places, sources, outputs)]
        except (ResourceError, UsageError):
            assert lang != "en" or name.startswith("hsk") or name in elsewhere, name
    return found


@pytest.mark.parametrize("lang", ["en", pytest.param("zh", marks=pytest.mark.stress)])
def test_a_metric_alone_equals_itself_among_all_others_in_any_order(lang: str) -> None:
    sources, outputs = (SOURCES, OUTPUTS) if lang == "en" else ZH
    places = list(range(len(sources)))
    each = alone(lang, places, sources, outputs)
    assert len(each) > 40
    every = list(each)
    together = scores(lang, every, places, sources, outputs)
    assert {name: [values[name] for values in together] for name in every} == each
    mixed = Random(3).sample(every, len(every))
    assert scores(lang, mixed, places[::-1], sources, outputs)[::-1] == together
    assert scores(lang, every, [1], sources, outputs) == [together[1]]
