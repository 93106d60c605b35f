"""Systems compared, and scores in two steps: low precision first, then what was done."""

from collections.abc import Sequence
from typing import Any

import pytest

from sema.display.reports.statistics import comparison_table, item_table, pairs_table, steps_table
from sema.display.tables import to_latex, to_markdown, to_text
from sema.errors import InputError, UsageError
from sema.evaluation.comparison import compare
from sema.metrics.base import Item, MeanMetric, Row
from sema.scoring.item_scores import ItemScore
from sema.scoring.results import Report, SystemScore


class Mean(MeanMetric):
    """Scores that the reports bring along."""

    def __init__(self, name: str) -> None:
        self.name = name

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        raise AssertionError("a comparison never scores again")


class TenfoldMean(Mean):
    """A corpus score that is no mean of the items' scores, and better low."""

    higher_is_better = False

    def value(self, row: Row) -> float:
        return 10 * row[0] / row[1]


def system(name: str, scores: list[float | None]) -> SystemScore:
    """A system whose metric ``m`` is a mean and ``low`` is better low; ``None`` is a broken item."""
    items = tuple(
        ItemScore(index, {}, errors={"": "broken"})
        if score is None
        else ItemScore(index, {"m": score, "low": score}, {"m": (score, 1.0), "low": (score, 1.0)})
        for index, score in enumerate(scores)
    )
    return SystemScore(name, {}, items)


def report(*systems: SystemScore) -> Report:
    return Report("sig", "en", "sentence", ("m", "low"), systems, (Mean("m"), TenfoldMean("low")))


@pytest.mark.parametrize("wrong", [{}, None, [], "run"])
def test_only_a_report_is_compared(wrong: Any) -> None:
    with pytest.raises(UsageError, match="give what Scorer"):
        compare(wrong)


@pytest.mark.parametrize(
    ("options", "lacks"),
    [
        ({"samples": 0}, "samples must be at least 1, not 0"),
        ({"seed": -1}, "seed must be at least 0, not -1"),
        ({"confidence": 95}, "confidence must be between 0 and 1, such as 0.95, not 95"),  # no pair would differ
        ({"clusters": ["one", "two", "three"]}, "2 items but 3 labels of clusters"),
        ({"clusters": []}, "2 items but 0 labels of clusters"),
    ],
)
def test_wrong_arguments_are_refused(options: Any, lacks: str) -> None:
    with pytest.raises(InputError, match=lacks):
        compare(report(system("a", [1, 5]), system("b", [2, 5])), **options)


def test_scores_wins_and_ties() -> None:
    comparison = compare(report(system("a", [1, 5, 3, 9]), system("b", [2, 5, 1, 1])), samples=200)
    assert comparison.systems["a"]["m"].value == pytest.approx(4.5)
    assert comparison.systems["a"]["low"].value == pytest.approx(45)
    assert (comparison.best("m"), comparison.best("low")) == ("a", "b")
    pair, turned = comparison.pairs
    assert (pair.metric, pair.first, pair.second) == ("m", "a", "b")
    assert pair.first_wins == ((3, 8), (2, 2))
    assert pair.second_wins == ((0, 1),)
    assert pair.ties == 1
    assert [item for item, _ in turned.first_wins] == [0]  # lower is better
    assert pair.difference.value == pytest.approx(4.5 - 2.25)


def test_an_item_broken_for_one_system_is_left_out_for_all() -> None:
    comparison = compare(report(system("a", [1, None, 3, 9]), system("b", [None, 5, 1, 1])), samples=50)
    assert (comparison.items, comparison.left_out) == (2, 2)
    assert comparison.systems["a"]["m"].value == pytest.approx(6)
    assert comparison.systems["b"]["low"].value == pytest.approx(10)
    assert comparison.pairs[0].first_wins == ((3, 8), (2, 2))


@pytest.mark.parametrize(
    ("baseline", "pairs"), [(None, [("a", "b"), ("a", "c"), ("b", "c")]), ("b", [("b", "a"), ("b", "c")])]
)
def test_all_are_compared_with_each_other_or_with_a_baseline(
    baseline: str | None, pairs: list[tuple[str, str]]
) -> None:
    three = compare(report(*(system(name, [1, 2, 3]) for name in "abc")), baseline=baseline, samples=20)
    assert [(pair.first, pair.second) for pair in three.pairs if pair.metric == "m"] == pairs


def test_tables_in_all_formats() -> None:
    comparison = compare(report(system("a_1", [1, 5, 3, 9]), system("b", [2, 5, 1, 1])), samples=50)
    tables = [comparison_table(comparison), pairs_table(comparison), item_table(comparison)]
    for render in (to_text, to_markdown, to_latex):
        shown = "\n".join(render(table) for table in tables)
        assert "4.50" in shown and "2.25" in shown and "3 (+8.0)" in shown
        assert ("a\\_1" in shown) == (render is to_latex)
    assert comparison.to_dict()["pairs"][0]["first_wins"] == [3, 2]


def test_of_systems_that_differ_by_rounding_the_first_is_the_best() -> None:
    close = report(system("one", [70.0] * 4), system("two", [70.0 + 1e-12] * 4))
    assert compare(close, samples=10).best("m") == "one"


def test_outputs_of_one_source_are_drawn_together() -> None:
    scores = [1.0, 5, 3, 9, 2, 7]
    both = report(system("a", scores), system("b", scores[::-1]))
    comparison = compare(both, clusters=list("aabbcc"), samples=50)
    assert comparison.clusters == 3 and comparison.to_dict()["clusters"] == 3
    assert "6 items of 3 sources, drawn by source" in comparison_table(comparison).notes[0]
    assert compare(both, clusters=list("abcdef")).clusters is None


NAMES = ("bertscore_p", "sari", "samsa")


def stepped(**systems: list[tuple[float, float, float] | None]) -> Report:
    """Systems of items with precision, SARI and SAMSA; an item that could not be scored is ``None``."""

    def item(place: int, scores: tuple[float, ...] | None) -> ItemScore:
        return ItemScore(place, dict(zip(NAMES, scores or (), strict=False)), {}, {} if scores else {"": "broken"})

    made = [SystemScore(name, {}, [item(*one) for one in enumerate(items)]) for name, items in systems.items()]
    return Report("", "en", "sentence", NAMES, tuple(made), ())


def cells(scored: Report) -> list[list[str]]:
    return [[cell.text for cell in row] for row in steps_table(scored).cells()]  # type: ignore[union-attr]


def test_low_precision_is_counted_and_only_the_others_are_asked_further() -> None:
    """The median of 80, 90, 95 and 70 is 85: one output of the first system and one of the second are low."""
    scored = stepped(ours=[(80, 10, 20), (90, 40, 60), None], theirs=[(95, 30, 50), (70, 99, 99)])
    assert cells(scored) == [["ours", "50", "1", "40.00", "60.00"], ["theirs", "50", "1", "30.00", "50.00"]]
