"""`sema explain`, by number, by id, and the worst of a run; `sema score --under`; ids wherever items are named."""

import json
from pathlib import Path

import pytest

from tests.commands import one_line, printed, write
from tests.conftest import Run

TABLE = """id;original;good;poor
b7;La kato dormas.;La kato dormas.;La kato.
b9;Mi vidas domon.;Mi vidas.;Li iras.
c2;Li legas libron.;Li legas libron.;Li legas.
"""
GIVEN = ["--lang", "eo", "-s", "t.csv", "-o", "t.csv:good,poor", "--metrics", "sema"]


@pytest.fixture
def saved(sema: Run) -> str:
    write("t.csv", TABLE)
    assert sema("score", *GIVEN, "--save", "run").returncode == 0
    return "run"


def titles(shown: str) -> list[str]:
    headings = (line for line in shown.splitlines() if line.startswith(("id ", "item ")))
    return [line.partition(":  ")[0].rpartition(": ")[0] for line in headings]


def test_the_worst_items_come_first_each_once_with_verdict_problems_and_marked_texts(sema: Run, saved: str) -> None:
    done = sema("explain", saved, "--worst", "2")
    assert done.returncode == 0
    assert titles(done.stdout) == ["id b9 of t.csv:poor", "id b7 of t.csv:poor"]
    assert "  source    [-Mi vidas domon-].\n  output 1  {+Li iras+}.\n" in done.stdout
    assert "Scene 1" not in done.stdout
    alone = sema("explain", saved, "--worst", "1", "--system", "t.csv:good")
    assert titles(alone.stdout) == ["id b9 of t.csv:good"]
    assert titles(sema("explain", *GIVEN, "--worst", "1").stdout) == ["id b9 of t.csv:poor"]


def test_a_threshold_lists_every_output_under_it(sema: Run, saved: str) -> None:
    rows = [json.loads(line) for line in sema("explain", saved, "--under", "90", "--json").stdout.splitlines()]
    scores = [row["scores"]["sema"] for row in rows]
    assert scores == sorted(scores) and max(scores) < 90 and len(rows) == 4
    found = {(row["id"], row["system"].removeprefix("t.csv:")) for row in rows}
    assert found == {("b9", "poor"), ("b9", "good"), ("b7", "poor"), ("c2", "poor")}
    assert sema("explain", saved, "--under", "0").stderr == "sema: no output is that bad\n"
    scored = sema("score", *GIVEN, "--under", "90")
    assert "4 outputs worse than 90 by sema" in scored.stdout and "id b9  t.csv:poor" in scored.stdout
    under = printed(sema("score", *GIVEN, "--under", "90", "--json"))["under"]
    assert [row["scores"]["sema"] for row in under] == scores


def test_where_less_is_better_the_worst_scores_are_the_highest(sema: Run) -> None:
    write("t.csv", TABLE)
    given = ["--lang", "en", *GIVEN[2:-1], "ld_source,fkgl", "--by", "fkgl", "--json"]
    rows = [json.loads(line) for line in sema("explain", *given, "--worst", "3").stdout.splitlines()]
    scores = [row["scores"]["fkgl"] for row in rows]
    assert scores == sorted(scores, reverse=True) and len(scores) == 3


def test_items_are_named_by_id_as_well_as_by_number(sema: Run, saved: str) -> None:
    by_id, by_number = (sema("explain", saved, *how).stdout for how in (("--id", "B9"), ("--item", "1")))
    assert by_id == by_number and "id b9 of t.csv:good: sema" in by_id
    assert printed(sema("explain", saved, "--id", "c2", "--json"))["id"] == "c2"
    one_line(sema("explain", saved, "--id", "x"), 1, "run: has no id 'x'")


def test_ids_go_with_the_run_into_rows_comparison_and_report(sema: Run, saved: str) -> None:
    sema("compare", saved, "--samples", "20", "--per-item", "rows.csv")
    assert Path("rows.csv").read_text().startswith("system,item,id,sema,error\nt.csv:good,0,b7,100.0,\n")
    shown = sema("compare", saved, "--samples", "20").stdout
    assert "Items (by their ids)" in shown and "b9 (+" in shown
    text = sema("report", saved, "--markdown").stdout
    assert "**Id b9**" in text and "Item 1" not in text
