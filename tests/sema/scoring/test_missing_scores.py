"""A metric that fails on an item, or has no score for it, costs only that cell, in every form of the results."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sema import Item, MeanMetric, Metric, Report, Run, Scorer
from sema.display.reports.chapters import read_chapter
from sema.display.reports.report import report_html
from sema.display.reports.statistics import comparison_table
from sema.display.tables import to_text
from sema.display.terminal import print_table
from sema.evaluation.comparison import compare
from sema.files.formats import write_items
from sema.files.texts import read_rows
from sema.metrics.combine import CombinedMetric
from sema.metrics.registry import make_metric
from sema.scoring.item_scores import OWN_KEYS
from tests.esperanto import esperanto

SOURCES = ["La kato dormas."] * 4
OUTPUTS = {
    "ours": ["La kato dormas.", "!!!", "La malbona kato dormas.", "La kato dormas."],
    "theirs": ["La kato dormas.", "La kato.", "La kato dormas.", "La granda kato dormas."],
}
pytestmark = pytest.mark.filterwarnings("ignore::sema.errors.SemaWarning")


class Letters(Metric, name="letters"):
    """Letters a word; no words have no score."""

    range = (0.0, math.inf)

    def rows(self, items: Sequence[Item]) -> Sequence[tuple[float, ...]]:
        words = [[word for word in item.output.words if word.isalpha()] for item in items]
        return [(float(sum(map(len, found))) / len(found), 1.0) if found else (0.0, 0.0) for found in words]

    def value(self, row: tuple[float, ...]) -> float:
        return row[0] / row[1] if row[1] else math.nan


class Fragile(MeanMetric, name="fragile"):
    """The number of words; fails on bad ones."""

    range = (0.0, math.inf)

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        if any("malbona" in item.output.words for item in items):
            raise RuntimeError("a bad word")
        return [float(len(item.output.words)) for item in items]


def metrics() -> list[Metric]:
    return [Letters(), Fragile(), CombinedMetric("mean", Letters(), make_metric("sema")), make_metric("sema")]


MEAN = "mean:letters,sema"
ERROR = "fragile cannot score this item (a bad word); leave the metric or the item out"


@pytest.fixture(scope="module", params=["memory", "saved", "processes"])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Report:
    scorer = Scorer(esperanto(), metrics(), workers=2 if request.param == "processes" else 1)
    save = tmp_path_factory.mktemp("run") if request.param == "saved" else None
    return scorer.score(SOURCES, OUTPUTS, collect_errors=True, keep_items=False, save=save)


def test_only_the_cells_without_a_score_are_null_and_means_leave_them_out_and_say_how_many(report: Report) -> None:
    rows = [row["scores"] for row in report.rows() if row["system"] == "ours"]
    nulls = [[name for name, score in scores.items() if score is None] for scores in rows]
    assert nulls == [[], ["letters", MEAN], ["fragile"], []]
    assert rows[2]["sema"] == 100.0 and rows[2]["letters"] == pytest.approx(19 / 4)
    shown = report.to_dict()
    assert shown["failed"] == [{"system": "ours", "item": 2, "metric": "fragile", "error": ERROR}]
    ours, theirs = shown["systems"]
    letters = (4 + 19 / 4 + 4) / 3
    expected = {"letters": letters, "fragile": (4 + 0 + 4) / 3, MEAN: (letters + 100) / 2}
    assert {name: ours["scores"][name] for name in expected} == pytest.approx(expected)
    assert ours["unscored"] == {"letters": 1, "fragile": 1, MEAN: 1} and "unscored" not in theirs


def test_the_table_counts_what_the_means_leave_out(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    print_table(report.summary)
    shown = capsys.readouterr().out
    for name in ("letters", "fragile"):
        assert f"{name}: no score for 1 item of ours, which the mean leaves out\n" in shown
    assert "could not be scored" not in shown


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_files_of_items_have_empty_cells(report: Report, suffix: str, tmp_path: Path) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    path = str(tmp_path / f"items.{suffix}")
    write_items(report.rows(), report.metrics, path)
    rows = [row for _, row in read_rows(path)]
    cells = [row["scores"] if suffix == "jsonl" else row for row in rows]
    assert [cell["fragile"] in (None, "") for cell in cells] == [False, False, True] + [False] * 5
    assert [cell[MEAN] in (None, "") for cell in cells] == [False, True] + [False] * 6
    assert float(cells[2]["sema"]) == 100.0
    assert [row.get("error") or "" for row in rows] == ["", "", ERROR, *[""] * 5]


def test_a_comparison_leaves_out_by_metric(report: Report) -> None:
    compared = compare(report, samples=50)
    assert (compared.items, compared.left_out) == (4, 0)
    assert compared.unscored == {"letters": 1, "fragile": 1, MEAN: 1}
    assert "fragile: 1 item without a score for some system left out" in to_text(comparison_table(compared))


def test_a_run_has_the_same_nulls_and_its_report_shows_dashes_and_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Scorer(esperanto(), metrics()).write(tmp_path / "run", SOURCES, OUTPUTS)
    assert run.summary.to_dict() == run.report(metrics()).to_dict()
    assert math.isnan(run.item(2)["ours"].scores["fragile"]) and run.item(2)["ours"].scores["sema"] == 100.0
    assert isinstance(Run(tmp_path / "run").evidence(2)["ours"]["source"], list)
    own = {metric.name: metric for metric in metrics()}
    monkeypatch.setattr("sema.scoring.runs.make_metric", lambda name, settings, language: own[name])
    page = report_html([read_chapter(str(tmp_path / "run"))])
    assert "no score for 1 item of ours, which the mean leaves out" in page
    assert "<span>fragile</span> <b>–</b>" in page and "<td>–</td>" in page and ">nan" not in page


class Explained(Fragile, name="first"):
    """Explains items with the keys that it is given."""

    def __init__(self, name: str, **keys: Any) -> None:
        self.name, self.keys = name, keys

    def explain(self, item: Item) -> dict[str, Any]:
        return self.keys


def test_an_explanation_whose_key_is_taken_is_kept_under_the_metrics_name(tmp_path: Path) -> None:
    own = [Explained("same", seen=1, item=7), Explained("linked", links=3), Explained("source", source="mine")]
    scorer = Scorer(esperanto(), ["meaning", Explained("first", seen=1), *own, Explained("last", last=4)])
    run = scorer.write(tmp_path / "run", SOURCES, {"output": SOURCES})
    assert Scorer(esperanto(), ["meaning", "sema"]).score(SOURCES, SOURCES).evidence(1)["output"].keys() <= OWN_KEYS
    for shown in (run.evidence(1)["output"], scorer.score(SOURCES, SOURCES).evidence(1)["output"]):
        assert shown["item"] == 1 and isinstance(shown["links"][0], list) and shown["source"][0] == "La"
        assert shown["seen"] == 1 and shown["same"] == {"seen": 1, "item": 7}
        assert shown["linked"] == {"links": 3} and shown["last"] == 4
        assert shown["unexplained"] == {"source": "the evidence already has a key 'source'; rename the metric"}
