import numpy as np
import pytest
from sema_tsar.table import TaskItem, autorank, task_table

from sema.errors import UsageError


def items(levels: list[int | None], meaning: float, targets: tuple[int, ...] = (2, 3, 2, 3)) -> list[TaskItem]:
    return [
        TaskItem(
            f"{at}", f"original {at // 2}", target, None if level is None else float(level), level, meaning, meaning
        )
        for at, (level, target) in enumerate(zip(levels, targets, strict=True))
    ]


def test_ranks_are_stretched_over_the_runs() -> None:
    figures = {
        "rmse": np.array([0.2, 0.6, 1.0]),
        "meaning": np.array([80.0, 70.0, 60.0]),
        "bertscore_f1": np.array([60.0, 60.0, 70.0]),
    }
    # by hand: (1, 2, 3), (1, 2, 3), (3, 3, 1)
    assert autorank(figures).tolist() == pytest.approx([5 / 3, 7 / 3, 7 / 3])
    unknown = {"rmse": np.array([0.0, 1.0]), "bertscore_f1": np.array([np.nan, np.nan])}
    assert autorank(unknown).tolist() == [1.0, 2.0], "a figure that no run has does not count"


def test_figures_are_those_of_the_task() -> None:
    levels = [2, 2, 4, 3]
    (first, second) = task_table({"b": items([6, 6, 6, 6], 10), "a": items(levels, 90)}, texts=4, samples=20)
    assert (first.name, first.place, second.name, second.place) == ("a", 1, "b", 2)
    assert first.scores["rmse"].value == pytest.approx(np.sqrt((0 + 1 + 4 + 0) / 4))
    assert first.scores["adjacent"].value == 75
    assert first.scores["f1"].value == pytest.approx(100 * (1 / 2 + 2 / 3) / 2)  # of A2 and of B1
    assert first.scores["autorank"].value == 1 and second.scores["autorank"].value == 2
    (row,) = task_table({"a": items([None, 3, 2, 3], 50)}, texts=4, samples=5)  # without words: the highest level
    assert row.scores["rmse"].value == pytest.approx(np.sqrt((6 - 2) ** 2 / 4)) and row.scores["adjacent"].value == 75
    (row,) = task_table({"a": items([2, 6, 2, 3], 50)}, texts=4, samples=1, shown=1)
    assert [item.text_id for item in row.worst] == ["1"] and row.best[0].text_id == "0"


def test_intervals_draw_the_versions_of_an_original_together() -> None:
    alike = items([2, 3, 4, 5], 50)
    (row,) = task_table({"a": alike}, texts=4, samples=500)
    # Two originals, one without and one with a miss of 2: a sample has 0, 1 or 2 of the second, never half of one.
    assert (row.scores["rmse"].low, row.scores["rmse"].high) == (0, 2)
    (one,) = task_table({"a": [item for item in alike if item.cluster == "original 0"]}, texts=2, samples=50)
    assert one.scores["rmse"].low == one.scores["rmse"].high == 0


def test_incomplete_runs_have_the_figures_of_what_they_have() -> None:
    rows = task_table({"whole": items([2, 3, 2, 3], 50), "half": items([2, 3, 2, 3], 50)[:2]}, texts=4, samples=50)
    assert {row.name: (row.items, row.missing, row.scores["rmse"].value) for row in rows} == {
        "half": (2, 2, 0),
        "whole": (4, 0, 0),
    }
    with pytest.raises(UsageError, match="'empty' has no text"):
        task_table({"empty": []}, texts=4)
