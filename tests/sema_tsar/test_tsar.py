import gzip
import json
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest
from sema_tsar.runs import read_gold, read_runs
from sema_tsar.table import TaskItem, autorank, task_table

from tests.commands import one_line, printed
from tests.conftest import ROOT, Run

EXAMPLES = ROOT / "examples" / "en" / "tsar"


GOLD, RUN = "gold.jsonl", "submissions/South/run1.jsonl"


def write_rows(path: Path, rows: list[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def rows_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Runs of two teams, without originals, and the task's file beside them."""
    for team, file in (("North", "close.jsonl"), ("South", "loose.jsonl")):
        rows = rows_of(EXAMPLES / file)
        run = [{key: row[key] for key in ("text_id", "simplified")} for row in rows]
        write_rows(tmp_path / "submissions" / team / "run1.jsonl", run)
        write_rows(tmp_path / GOLD, [{key: row[key] for key in row if key != "simplified"} for row in rows])
    return tmp_path


def tsar(command: Run, submissions: str = "submissions", *more: str) -> CompletedProcess[str]:
    return command("tsar", submissions, "--gold", GOLD, "--samples", "20", *more)


def test_a_figure_has_every_run_with_its_place(folder: Path, command: Run) -> None:
    pytest.importorskip("matplotlib")
    assert tsar(command, "submissions", "--figure", "picture.svg").returncode == 0
    assert "1 North/run1" in (folder / "picture.svg").read_text(encoding="utf-8")


def test_a_folder_of_teams_gives_the_table_of_the_task(folder: Path, command: Run) -> None:
    told = printed(tsar(command, "submissions", "--json"))
    assert [run["name"] for run in told["runs"]] == ["North/run1", "South/run1"]
    first = told["runs"][0]
    assert (first["place"], first["items"], first["missing"]) == (1, 6, 0)
    assert set(first["scores"]) == {"autorank", "rmse", "f1", "adjacent", "cefr", "meaning", "bertscore_f1"}
    assert first["scores"]["autorank"]["value"] == 1
    files = [str(EXAMPLES / name) for name in ("close.jsonl", "loose.jsonl")]
    texts = ("--lang", "en", "--level", "passage", "-s", files[0], "-r", files[0], "-o", *files)
    scored = printed(command("score", *texts, "--metrics", "cefr,cefr_adjacent,meaning,bertscore_f1", "--json"))
    for run, system in zip(told["runs"], scored["systems"], strict=True):
        alone = {name.removeprefix("cefr_"): value for name, value in system["scores"].items()}
        assert {name: run["scores"][name]["value"] for name in alone} == pytest.approx(alone)


def test_the_table_names_incomplete_runs_and_items(folder: Path, command: Run) -> None:
    write_rows(folder / RUN, rows_of(folder / RUN)[:4])
    done = tsar(command)
    assert done.returncode == 0, done.stderr
    assert "South/run1 lacks 2" in done.stdout and "Best and worst items" in done.stdout
    alone = printed(tsar(command, "submissions/South", "--json"))
    assert (alone["texts"], alone["runs"][0]["missing"]) == (6, 2)


@pytest.mark.parametrize(("kept", "runs"), [(4, ["North/run1", "South/run1"]), (0, ["North/run1"])])
def test_a_line_without_text_costs_no_other_text_or_run(folder: Path, command: Run, kept: int, runs: list[str]) -> None:
    rows = rows_of(folder / RUN)
    write_rows(folder / RUN, [*rows[:kept], {**rows[kept], "simplified": None}])
    done = tsar(command, "submissions", "--json")
    one_line(done, 1, f"run1.jsonl:{kept + 1}: has no text under 'simplified'; give it one")
    found = {one["name"]: one["items"] for one in printed(done)["runs"]}
    assert found == {name: {"North/run1": 6, "South/run1": kept}[name] for name in runs}


def test_a_packed_table_holds_several_runs_and_references_may_be_a_list(tmp_path: Path) -> None:
    text = 'team\trun\ttext_id\tsimplified\nA\t1\t01-a2\tHe said "no\nA\t2\t01-a2\tHe said no.\n'
    (tmp_path / "all.tsv.gz").write_bytes(gzip.compress(text.encode()))
    runs = {run.name: run.outputs for run in read_runs([str(tmp_path / "all.tsv.gz")])}
    assert runs == {"A/1": {"01-a2": 'He said "no'}, "A/2": {"01-a2": "He said no."}}
    row = {"text_id": "1", "original": "A.", "target_cefr": "A2", "reference": ["B.", "C."]}
    write_rows(tmp_path / GOLD, [row])
    assert read_gold(str(tmp_path / GOLD))["1"].references == ("B.", "C.")


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        (RUN, '{"simplified": "A."}', "run1.jsonl:1: has no 'text_id'; write an object with one a line"),
        (RUN, '{"text_id": "99-a2", "simplified": "A."}', "run1.jsonl: has the unknown text_id '99-a2'"),
        (RUN, "[1]", "run1.jsonl:1: has no 'text_id'"),
        (GOLD, '{"text_id": "1", "original": "A."}', "jsonl:1: has no 'target_cefr'; give every text its level, or"),
        (GOLD, '{"text_id": "1", "original": "A.", "target_cefr": "Z"}', "jsonl:1: under 'target_cefr': 'Z' is not"),
    ],
)
def test_bad_files_are_one_line(folder: Path, command: Run, file: str, line: str, message: str) -> None:
    (folder / file).write_text(line + "\n", encoding="utf-8")
    one_line(tsar(command), 1, message)
    (folder / "empty").mkdir()
    assert "empty: has no runs" in command("tsar", "empty", "--gold", str(EXAMPLES / "close.jsonl")).stderr


def items(levels: list[int | None], meaning: float) -> list[TaskItem]:
    """Two originals, each simplified to A2 and to B1."""
    made = []
    for at, (level, target) in enumerate(zip(levels, (2, 3, 2, 3), strict=True)):
        exact = None if level is None else float(level)
        made.append(TaskItem(f"{at}", f"original {at // 2}", target, exact, level, meaning, meaning))
    return made


def test_ranks_are_stretched_over_the_runs() -> None:
    rows = {"rmse": [0.2, 0.6, 1.0], "meaning": [80.0, 70.0, 60.0], "bertscore_f1": [60.0, 60.0, 70.0]}
    figures = {name: np.array(row) for name, row in rows.items()}
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
    (row,) = task_table({"a": items([2, 6, 2, 3], 50)}, texts=4, samples=1)
    assert row.worst[0].text_id == "1" and row.best[0].text_id == "0"


def test_intervals_draw_the_versions_of_an_original_together() -> None:
    alike = items([2, 3, 4, 5], 50)
    (row,) = task_table({"a": alike}, texts=4, samples=500)
    # Two originals, one without and one with a miss of 2: a sample has 0, 1 or 2 of the second, never half of one.
    assert (row.scores["rmse"].low, row.scores["rmse"].high) == (0, 2)
    (one,) = task_table({"a": [item for item in alike if item.cluster == "original 0"]}, texts=2, samples=50)
    assert one.scores["rmse"].low == one.scores["rmse"].high == 0
