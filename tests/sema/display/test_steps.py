"""Scores in two steps: low precision first, then what was done."""

import math

import pytest

from sema.display.reports.statistics import steps_table
from sema.scoring.item_scores import ItemScore
from sema.scoring.results import Report, SystemScore


def report(**systems: list[tuple[float, float, float] | None]) -> Report:
    """Systems of items with precision, SARI and SAMSA; an item that could not be scored is ``None``."""
    names = ("bertscore_p", "sari", "samsa")
    made = tuple(
        SystemScore(
            name,
            {},
            [
                ItemScore(place, {}, {}, "broken")
                if scores is None
                else ItemScore(place, dict(zip(names, scores, strict=True)), {})
                for place, scores in enumerate(items)
            ],
        )
        for name, items in systems.items()
    )
    return Report("", "en", "sentence", names, made, ())


def cells(scored: Report) -> list[list[str]]:
    table = steps_table(scored)
    assert table is not None
    return [[cell.text for cell in row] for row in table.cells()]


def test_low_precision_is_counted_and_only_the_others_are_asked_further() -> None:
    """The median of 80, 90, 95 and 70 is 85: one output of the first system and one of the second are low."""
    scored = report(ours=[(80, 10, 20), (90, 40, 60), None], theirs=[(95, 30, 50), (70, 99, 99)])
    assert cells(scored) == [["ours", "50", "1", "40.00", "60.00"], ["theirs", "50", "1", "30.00", "50.00"]]


def test_a_system_whose_outputs_are_all_low_is_asked_nothing() -> None:
    scored = report(bad=[(10, 90, 90)], good=[(90, 40, 40), (95, 50, 50)])
    (name, low, others, *means), _ = cells(scored)
    assert (name, low, others) == ("bad", "100", "0")
    assert means == ["-", "-"] or all(math.isnan(float(mean)) for mean in means)


@pytest.mark.parametrize("metrics", [("sari", "samsa"), ("bertscore_p",), ("bertscore_f1", "sari")])
def test_there_is_a_table_only_of_both_steps(metrics: tuple[str, ...]) -> None:
    assert steps_table(Report("", "en", "sentence", metrics, (), ())) is None


def test_without_scores_there_is_no_table() -> None:
    assert steps_table(report(ours=[None])) is None
