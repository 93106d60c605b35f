import json
import math
from pathlib import Path

import pytest

from sema.cli.main import main
from sema.errors import InputError, SemaWarning
from sema.evaluation.metaevaluation import metaevaluate, split_halves, system_means
from sema.evaluation.ratings import RatedItems
from sema.evaluation.significance import pearson, williams
from tests.cases import cases

RATINGS = [1.0, 2, 3, 4, 5, 6, 7, 8]
GOOD = [1.0, 2, 4, 3, 5, 6, 8, 7]
POOR = [2.0, 1, 2, 1, 2, 1, 2, 2]
BY = {"groups": list("xxxxyyyy"), "systems": ["s", "t", "u", "v"] * 2}


def test_splits_by_rating_group_and_system() -> None:
    evaluation = metaevaluate(RATINGS, {"good": GOOD, "poor": POOR}, **BY)
    sizes = {split.name: split.n for split in evaluation.splits}
    assert sizes == {"low": 4, "high": 4, "all": 8, "x": 4, "y": 4, "systems": 4}
    everything = evaluation.splits[2]
    good, poor = everything.results
    assert everything.best == "good" and good.pearson == pearson(GOOD, RATINGS) and good.williams is None
    between = pearson(GOOD, POOR).value
    assert poor.williams == williams(good.pearson.value, abs(poor.pearson.value), between, 8)


def test_metaevaluation_counts_sources() -> None:
    thrice = [[value for value in values for _ in range(3)] for values in (RATINGS, GOOD, range(8))]
    split = metaevaluate(thrice[0], {"m": thrice[1]}, clusters=thrice[2]).splits[2]
    assert (split.n, split.clusters, split.to_dict()["clusters"]) == (24, 8, 8)
    assert metaevaluate(thrice[0], {"m": thrice[1]}).splits[2].clusters is None


def test_williams_between_all_metrics() -> None:
    scores = {"good": GOOD, "poor": POOR, "flat": [1.0] * 8, "turned": [-score for score in GOOD[::-1]]}
    split = metaevaluate(RATINGS, scores).splits[2]
    matrix = split.williams
    assert all(matrix[i][i] is None for i in range(4))
    assert all(matrix[2][i] is None and matrix[i][2] is None for i in range(4)), "nothing to test"
    assert split.best == "good", "as good as turned, and given first"
    assert matrix[0][1] == split.results[1].williams
    assert matrix[0][1].p < 0.05 < matrix[1][0].p == pytest.approx(1 - matrix[0][1].p)


def test_halves_of_an_odd_number_and_of_equal_ratings() -> None:
    evaluation = metaevaluate([1, 1, 1, 1, 2], {"m": [1, 2, 3, 4, 5]})
    assert [split.n for split in evaluation.splits] == [2, 2, 5]  # the median is in neither half
    assert evaluation.warnings == ("4 items are rated 1, the median: the figures of the halves depend on their order",)
    low = evaluation.splits[0].results[0].pearson
    assert (math.isnan(low.value) and "all 2" in low.note) or "too few" in low.note
    assert metaevaluate(RATINGS, {"good": GOOD}).warnings == ()
    for ratings, ties in (([1, 2, 2], 1), ([1, 1, 2], 1), ([1, 2, 3], 0), ([1, 1, 2, 2], 0), ([1, 1, 2, 3, 3], 0)):
        assert len(metaevaluate(ratings, {"m": ratings}).warnings) == ties


def test_items_without_a_rating_are_left_out() -> None:
    unrated = [*RATINGS[:4], math.nan, *RATINGS[4:], math.nan]
    scores = {"good": [*GOOD[:4], 9, *GOOD[4:], 0], "poor": [*POOR[:4], 9, *POOR[4:], 0]}
    by = {name: [*labels[:4], "x", *labels[4:], "z"] for name, labels in BY.items()}
    assert metaevaluate(unrated, scores, **by) == metaevaluate(RATINGS, {"good": GOOD, "poor": POOR}, **BY)
    for rule in ("stable", "authors"):
        assert split_halves(unrated, rule) == ([0, 1, 2, 3], [5, 6, 7, 8])
    assert split_halves([math.nan] * 3) == ([], [])


def test_metrics_are_tested_on_the_items_and_means_that_they_share() -> None:
    good, poor, by = [math.nan, *GOOD[1:]], [*POOR[:7], math.nan], {"systems": list("aabbccdd")}
    evaluation = metaevaluate(RATINGS, {"good": good, "poor": poor}, **by)
    both = metaevaluate(RATINGS[1:7], {"good": GOOD[1:7], "poor": POOR[1:7]}, systems=by["systems"][1:7])
    for place in (2, 3):  # all, and the systems
        assert evaluation.splits[place].williams == both.splits[place].williams
    means = system_means(by["systems"], good, RATINGS)
    assert means == [[2, 3.5, 5.5, 7.5], [2, 3.5, 5.5, 7.5]], "the first rating has no score beside it"
    assert evaluation.splits[3].results[0].pearson == pearson(*means)
    (warning,) = evaluation.warnings
    assert warning.startswith("not all metrics have scores of the same items: ") and both.warnings == ()


def test_the_authors_rule_orders_ties_by_an_unstable_quicksort() -> None:
    assert split_halves([3, 1, 2, 5, 4]) == split_halves([3, 1, 2, 5, 4], "authors") == ([1, 2], [4, 3])
    # NumPy sorts up to 16 items by insertion, which is stable; beyond that, partitions change the order of equals.
    assert split_halves([0.0] * 16, "authors") == (list(range(8)), list(range(8, 16)))
    low, high = split_halves([0.0] * 20, "authors")
    assert sorted([*low, *high]) == list(range(20)) and low != sorted(low)
    assert split_halves([0.0] * 20) == (list(range(10)), list(range(10, 20)))


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    rated = [f"{i},s{i % 4},{kind},{RATINGS[i]}" for i, kind in enumerate("nnnnmmmm")]
    scored = [f"{i},{refs},{score},{POOR[i]}" for i in range(8) for refs, score in (("a", GOOD[i]), ("b", 0))]
    rows = {"ratings": ["\ufeffid,sys,kind,rating", *rated], "scores": ["id,refs,good,poor", *reversed(scored)]}
    for name, lines in rows.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(tmp_path / "ratings.csv"), str(tmp_path / "scores.csv")


def test_join_by_columns_with_a_condition(files: tuple[str, str]) -> None:
    items = RatedItems.read(*files, on=["id"], where={"refs": "a"})
    assert items.numbers("good") == GOOD
    assert items.numbers("rating") == RATINGS
    assert items.number_columns(without=["rating", "id"]) == ["good", "poor"]


def test_rows_of_json_may_lack_keys_and_null_is_an_empty_cell(tmp_path: Path) -> None:
    ratings, scores = tmp_path / "ratings.jsonl", tmp_path / "scores.csv"
    ratings.write_text(
        '{"id": 1, "rating": 3}\n{"id": 2, "part": "b", "rating": 4}\n{"id": 2, "part": null, "rating": 5}\n'
    )
    scores.write_text("id,part,good\n2,,7\n2,b,8\n1,,9\n")
    items = RatedItems.read(str(ratings), str(scores), on=["id", "part"])
    assert items.numbers("good") == [9, 8, 7] and items.texts("part") == ["", "b", ""]
    assert items.number_columns(without=[]) == ["good"], "all columns of the ratings are theirs"
    assert RatedItems.read(str(ratings), where={"part": ""}).numbers("rating") == [3, 5]


def test_scores_are_joined_by_ids_as_texts_are_and_named_in_their_own_file(tmp_path: Path) -> None:
    ratings, scores = tmp_path / "ratings.csv", tmp_path / "scores.csv"
    ratings.write_text("id,system,rating\n1,a,3\n2,a,4\n3,a,5\n")
    scores.write_text("id,system,good,poor,note\n3.0,A,7,1,x\n1.0, a,9,n/a,y\n2.0,a,8,2,3\n")  # as pandas writes them
    items = RatedItems.read(str(ratings), str(scores), on=["id", "system"])
    assert items.numbers("good") == [9, 8, 7]
    with pytest.warns(SemaWarning, match=r"scores\.csv:3: 'poor' holds 'n/a', which .*: the column is left out"):
        assert items.number_columns(without=["id", "system"]) == ["good"]
    with pytest.raises(InputError, match=r"scores\.csv:3: 'poor' holds 'n/a', which is not a number; write one, or"):
        items.numbers("poor")


def test_texts_that_tell_items_apart_may_differ_in_case_alone(tmp_path: Path) -> None:
    ratings, scores = tmp_path / "ratings.csv", tmp_path / "scores.csv"
    ratings.write_text("output,rating\nThe cat.,3\nthe cat.,4\n")
    scores.write_text("output,good\nthe cat.,8\nThe cat.,9\nA cat.,7\n")
    assert RatedItems.read(str(ratings), str(scores), on=["output"]).numbers("good") == [9, 8]


@cases("tables_that_do_not_join")
def test_what_does_not_join(files: tuple[str, str], arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RatedItems.read(*files, **arguments)


def metaeval(files: tuple[str, str], *more: str) -> int:
    joined = ["--ratings", files[0], "--scores", files[1], "--on", "id", "--where", "refs=a", "--by", "rating"]
    return main(["metaeval", *joined, "--group", "kind", *more])


def test_command_prints_every_format(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    expected = pearson(GOOD, RATINGS).value
    for form in ("text", "markdown", "latex"):
        assert metaeval(files, "--system", "sys", "--format", form) == 0
        assert f"{expected:.3f}" in capsys.readouterr().out
    assert metaeval(files, "--system", "sys", "--williams", "--format", "markdown") == 0
    assert "| metric | good | poor |" in capsys.readouterr().out
    assert metaeval(files, "--system", "sys", "--json") == 0
    (printed,) = json.loads(capsys.readouterr().out)
    assert printed["splits"][2]["williams"]["good"]["poor"]["p"] < 0.05
    assert [metric["metric"] for metric in printed["splits"][0]["metrics"]] == ["good", "poor"]
    assert printed["splits"][2]["metrics"][0]["pearson"]["value"] == pytest.approx(expected)


@pytest.mark.parametrize("system", [(), ("--system", "sys")])
def test_command_draws_items_and_the_means_of_systems(files, tmp_path: Path, system: tuple[str, ...], capsys) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "points.svg"
    assert metaeval(files, *system, "--plot", str(picture)) == 0
    drawn, printed = picture.read_text(encoding="utf-8"), capsys.readouterr().out
    assert f">r = {pearson(GOOD, RATINGS).value:.3f} (N = {len(RATINGS)})<" in drawn and ">good<" in drawn
    assert (">good, means<" in drawn) == ("systems (N=" in printed) == bool(system)
    picture.unlink()
    assert metaeval(files, *system, "--plot", str(tmp_path / "points.gif")) == 2
    assert "points.gif: figures go to .svg, .pdf, .png" in capsys.readouterr().err


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e999", "1_0", "good"])
def test_ratings_are_finite_numbers(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(f"item,meaning\n1,3\n2,{cell}\n", encoding="utf-8")
    table = RatedItems.read(str(path))
    with pytest.raises(InputError, match=r"ratings\.csv:3: 'meaning' holds .* which is not a number"):
        table.numbers("meaning")
    assert table.number_columns([]) == []
