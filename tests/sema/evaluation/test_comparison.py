from __future__ import annotations

import pytest

from sema.errors import InputError
from sema.evaluation.comparison import compare
from sema.metrics.base import MetricScores, Pooled
from sema.report.comparison import comparison_tables, item_table
from sema.report.tables import Cell, Table, latex_escape, to_latex, to_markdown, to_text
from sema.scoring.results import ItemScore, Report, SystemScore


def system(name: str, scores: list[float | None]) -> SystemScore:
    """A system whose metric ``m`` is a mean and ``low`` is better low; ``None`` is a broken item."""
    known = [score for score in scores if score is not None]
    items = tuple(
        ItemScore(index, {}, error="broken") if score is None else ItemScore(index, {"m": score, "low": score})
        for index, score in enumerate(scores)
    )
    if not known:
        return SystemScore(name, {}, items)
    pooled = Pooled(tuple((score, 1.0) for score in known), lambda sums: 10 * sums[0] / sums[1])
    results = {"m": MetricScores.averaged(known), "low": MetricScores.summed(known, pooled)}
    return SystemScore(name, {metric: result.corpus for metric, result in results.items()}, items, results)


def report(*systems: SystemScore) -> Report:
    return Report("sig", "en", "sentence", ("m", "low"), systems, {"m": True, "low": False})


def test_scores_wins_and_ties() -> None:
    found = compare(report(system("a", [1, 5, 3, 9]), system("b", [2, 5, 1, 1])), samples=200)
    assert found.systems["a"]["m"].value == pytest.approx(4.5)
    assert found.systems["a"]["low"].value == pytest.approx(45)
    assert (found.best("m"), found.best("low")) == ("a", "b")
    duel, turned = found.duels
    assert (duel.metric, duel.first, duel.second) == ("m", "a", "b")
    assert duel.first_wins == ((3, 8), (2, 2))
    assert duel.second_wins == ((0, 1),)
    assert duel.ties == 1
    assert [item for item, _ in turned.first_wins] == [0]  # less is better
    assert duel.difference.value == pytest.approx(4.5 - 2.25)


def test_an_item_broken_for_one_system_is_left_out_for_all() -> None:
    found = compare(report(system("a", [1, None, 3, 9]), system("b", [None, 5, 1, 1])), samples=50)
    assert (found.items, found.left_out) == (2, 2)
    assert found.systems["a"]["m"].value == pytest.approx(6)
    assert found.systems["b"]["low"].value == pytest.approx(10)
    assert found.duels[0].first_wins == ((3, 8), (2, 2))


def test_pairs_and_baseline() -> None:
    three = report(*(system(name, [1, 2, 3]) for name in "abc"))
    pairs = [(duel.first, duel.second) for duel in compare(three, samples=20).duels if duel.metric == "m"]
    assert pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    pairs = [(duel.first, duel.second) for duel in compare(three, baseline="b", samples=20).duels if duel.metric == "m"]
    assert pairs == [("b", "a"), ("b", "c")]


def test_what_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="two systems"):
        compare(report(system("a", [1])))
    with pytest.raises(InputError, match="'c'"):
        compare(report(system("a", [1]), system("b", [1])), baseline="c")
    with pytest.raises(InputError, match="no item"):
        compare(report(system("a", [None]), system("b", [1])))


def test_tables_in_all_formats() -> None:
    found = compare(report(system("a_1", [1, 5, 3, 9]), system("b", [2, 5, 1, 1])), samples=50)
    for render in (to_text, to_markdown, to_latex):
        shown = "\n".join(render(table) for table in [*comparison_tables(found), item_table(found)])
        assert "4.50" in shown and "2.25" in shown and "3 (+8.0)" in shown
        assert ("a\\_1" in shown) == (render is to_latex)
    assert found.to_dict()["duels"][0]["first_wins"] == [3, 2]


def test_table_forms_exactly() -> None:
    table = Table("T", ["name", "x"], [["a|b", Cell("1.0", strong=True)], ["c", "10.0"]], ["note"])
    assert to_text(table) == "T\nname      x\na|b     1.0*\nc      10.0\nnote"
    assert to_markdown(table) == "**T**\n\n| name | x |\n| --- | ---: |\n| a\\|b | **1.0** |\n| c | 10.0 |\n\nnote"
    assert r"a\textbar{}b & \textbf{1.0} \\" in to_latex(table)


def test_latex_escapes_what_would_be_a_command() -> None:
    assert latex_escape(r"50% of $x_1$ \& {~^#}") == (
        r"50\% of \$x\_1\$ \textbackslash{}\& \{\textasciitilde{}\textasciicircum{}\#\}"
    )
