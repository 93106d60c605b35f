import json
import math
from pathlib import Path

import pytest

from sema.cli.main import main
from sema.errors import InputError
from sema.evaluation.metaevaluation import metaevaluate, split_halves
from sema.evaluation.ratings import RatedItems
from sema.evaluation.significance import pearson, williams

RATINGS = [1.0, 2, 3, 4, 5, 6, 7, 8]
GOOD = [1.0, 2, 4, 3, 5, 6, 8, 7]
POOR = [2.0, 1, 2, 1, 2, 1, 2, 2]


def test_splits_by_rating_group_and_system() -> None:
    evaluation = metaevaluate(
        RATINGS, {"good": GOOD, "poor": POOR}, groups=list("xxxxyyyy"), systems=["s", "t", "u", "v"] * 2
    )
    assert [(split.name, split.n) for split in evaluation.splits] == [
        ("low", 4),
        ("high", 4),
        ("all", 8),
        ("x", 4),
        ("y", 4),
        ("systems", 4),
    ]
    everything = evaluation.splits[2]
    assert everything.best == "good"
    assert everything.results[0].pearson == pearson(GOOD, RATINGS)
    assert everything.results[0].williams is None
    expected = williams(
        everything.results[0].pearson.value, abs(everything.results[1].pearson.value), pearson(GOOD, POOR).value, 8
    )
    assert everything.results[1].williams == expected


def test_williams_between_all_metrics(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = {"good": GOOD, "poor": POOR, "flat": [1.0] * 8, "turned": [-score for score in GOOD[::-1]]}
    split = metaevaluate(RATINGS, scores).splits[2]
    matrix = split.williams
    assert [len(row) for row in matrix] == [4] * 4
    assert all(matrix[i][i] is None for i in range(4))
    assert all(matrix[2][i] is None and matrix[i][2] is None for i in range(4))  # nothing to test
    assert split.best == "good"  # as good as "turned", and given first
    assert matrix[0][1] == split.results[1].williams
    assert matrix[1][0].p == pytest.approx(1 - matrix[0][1].p)
    assert matrix[0][1].p < 0.05 < matrix[1][0].p
    file = tmp_path / "rated.csv"
    lines = [f"{rating},{good},{poor}" for rating, good, poor in zip(RATINGS, GOOD, POOR, strict=True)]
    file.write_text("\n".join(["rating,good,poor", *lines]), encoding="utf-8")
    command = ["metaeval", "--ratings", str(file), "--by", "rating", "--metrics", "good,poor"]
    assert main([*command, "--williams", "--format", "markdown"]) == 0
    printed = capsys.readouterr().out
    assert "| metric | good | poor |" in printed and f"{matrix[1][0].p:.3f}" in printed
    assert main([*command, "--json"]) == 0
    williams = json.loads(capsys.readouterr().out)[0]["splits"][2]["williams"]
    assert williams["good"]["poor"]["p"] == pytest.approx(matrix[0][1].p)


def test_halves_of_an_odd_number_and_of_equal_ratings() -> None:
    evaluation = metaevaluate([1, 1, 1, 1, 2], {"m": [1, 2, 3, 4, 5]})
    assert [split.n for split in evaluation.splits] == [2, 2, 5]  # the median is in neither half
    assert evaluation.warnings == (
        "4 items are rated 1, on both sides of the median: the figures of the halves depend on their order",
    )
    low = evaluation.splits[0].results[0].pearson
    assert (math.isnan(low.value) and "all 2" in low.note) or "too few" in low.note


def test_halves_of_different_ratings_raise_no_warning() -> None:
    assert metaevaluate(RATINGS, {"good": GOOD}).warnings == ()
    assert split_halves([3, 1, 2, 5, 4]) == split_halves([3, 1, 2, 5, 4], "authors") == ([1, 2], [4, 3])


def test_the_authors_rule_orders_ties_by_an_unstable_quicksort() -> None:
    # NumPy sorts up to 16 items by insertion, which is stable; beyond that, partitions change the order of equals.
    low, high = split_halves([0.0] * 16, "authors")
    assert (low, high) == (list(range(8)), list(range(8, 16)))
    low, high = split_halves([0.0] * 20, "authors")
    assert sorted([*low, *high]) == list(range(20)) and low != sorted(low)
    assert split_halves([0.0] * 20) == (list(range(10)), list(range(10, 20)))


def test_one_sided_p_values() -> None:
    two, one = (
        metaevaluate(RATINGS, {"good": GOOD}, sides=sides).splits[2].results[0] for sides in ("two-sided", "one-sided")
    )
    assert one.pearson.p == pytest.approx(two.pearson.p / 2) and one.kendall.p < two.kendall.p


def test_of_equal_metrics_the_first_is_the_best() -> None:
    hardly = [score * (1 + 1e-12 * place) for place, score in enumerate(GOOD)]
    for names in (("one", "two"), ("two", "one")):
        scores = dict(zip(names, (GOOD, hardly), strict=True))
        assert metaevaluate(RATINGS, scores).splits[2].best == names[0]
        assert metaevaluate(RATINGS, dict(reversed(scores.items()))).splits[2].best == names[1]


def test_a_metric_that_should_be_low_is_judged_by_its_size() -> None:
    turned = [-score for score in GOOD]
    evaluation = metaevaluate(RATINGS, {"turned": turned, "poor": POOR}).splits[2]
    straight = metaevaluate(RATINGS, {"good": GOOD, "poor": POOR}).splits[2]
    assert evaluation.best == "turned"
    assert evaluation.results[1].williams.p == pytest.approx(straight.results[1].williams.p)


def test_zero_variance_and_two_systems_are_noted() -> None:
    evaluation = metaevaluate([3.0] * 6, {"m": GOOD[:6]}, systems=list("ababab"))
    assert all(split.best is None for split in evaluation.splits)
    assert "all 6 values" in evaluation.splits[2].results[0].spearman.note
    assert "three" in evaluation.splits[-1].results[0].spearman.note


def test_lengths_must_agree() -> None:
    with pytest.raises(InputError, match="2 values in 'm'"):
        metaevaluate(RATINGS, {"m": [1, 2]})
    with pytest.raises(InputError, match="no metric"):
        metaevaluate(RATINGS, {})


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    ratings = tmp_path / "ratings.csv"
    scores = tmp_path / "scores.csv"
    kinds = "nnnnmmmm"
    ratings.write_text(
        "\ufeffid,sys,kind,rating\n" + "".join(f"{i},s{i % 4},{kinds[i]},{RATINGS[i]}\n" for i in range(8)),
        encoding="utf-8",
    )
    rows = [f"{i},{refs},{score},{POOR[i]}\n" for i in range(8) for refs, score in (("a", GOOD[i]), ("b", 0))]
    scores.write_text("id,refs,good,poor\n" + "".join(reversed(rows)), encoding="utf-8")
    return str(ratings), str(scores)


def test_join_by_columns_with_a_condition(files: tuple[str, str]) -> None:
    items = RatedItems.read(*files, on=["id"], where={"refs": "a"})
    assert items.numbers("good") == GOOD
    assert items.numbers("rating") == RATINGS
    assert items.number_columns(without=["rating", "id"]) == ["good", "poor"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "has 16 rows but"),
        ({"on": ["id"]}, "second row for 7"),
        ({"on": ["nope"]}, "no column 'nope'"),
        ({"on": ["id"], "where": {"refs": "z"}}, "no rows with refs=z"),
        ({"on": ["id"], "where": {"nope": "z"}}, "no column 'nope'"),
    ],
)
def test_what_does_not_join(files: tuple[str, str], arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RatedItems.read(*files, **arguments)


def test_a_row_without_a_shared_column_does_not_join(tmp_path: Path) -> None:
    for name, rows in (
        ("ratings", ['{"id": 1, "rating": 2}', '{"id": 2, "rating": 3}']),
        ("scores", ['{"id": 1, "m": 4}', '{"m": 5}']),
    ):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"ratings\.jsonl:2: 2 has no row in .*scores\.jsonl"):
        RatedItems.read(str(tmp_path / "ratings.jsonl"), str(tmp_path / "scores.jsonl"), on=["id"])


def test_texts_are_no_numbers(files: tuple[str, str]) -> None:
    items = RatedItems.read(files[0])
    with pytest.raises(InputError, match=r"ratings.csv:2: 'kind' holds 'n'"):
        items.numbers("kind")
    with pytest.raises(InputError, match="no column 'stars'"):
        items.numbers("stars")


def test_command_prints_every_format(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["metaeval", "--ratings", files[0], "--scores", files[1], "--on", "id", "--where", "refs=a"]
    arguments += ["--by", "rating", "--group", "kind", "--system", "sys"]
    expected = f"{pearson(GOOD, RATINGS).value:.3f}"
    for form in ("text", "markdown", "latex"):
        assert main([*arguments, "--format", form]) == 0
        assert expected in capsys.readouterr().out
    assert main([*arguments, "--json"]) == 0
    (printed,) = json.loads(capsys.readouterr().out)
    assert [metric["metric"] for metric in printed["splits"][0]["metrics"]] == ["good", "poor"]
    assert printed["splits"][2]["metrics"][0]["pearson"]["value"] == pytest.approx(pearson(GOOD, RATINGS).value)


@pytest.mark.parametrize("system", [(), ("--system", "sys")])
def test_command_draws_items_and_the_means_of_systems(
    files: tuple[str, str], tmp_path: Path, system: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "points.svg"
    arguments = ["metaeval", "--ratings", files[0], "--scores", files[1], "--on", "id", "--where", "refs=a"]
    arguments += ["--by", "rating", "--group", "kind", *system, "--plot", str(picture)]
    assert main(arguments) == 0
    drawn, printed = picture.read_text(encoding="utf-8"), capsys.readouterr().out
    assert f">r = {pearson(GOOD, RATINGS).value:.3f} (N = {len(RATINGS)})<" in drawn and ">good<" in drawn
    assert (">good, means<" in drawn) == ("systems (N=" in printed) == bool(system)
    picture.unlink()
    assert main([*arguments[:-1], str(tmp_path / "points.gif")]) == 2
    assert "points.gif: a figure goes to .svg, .pdf or .png" in capsys.readouterr().err


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e999", "1_0"])
def test_ratings_are_finite_numbers(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(f"item,meaning\n1,3\n2,{cell}\n", encoding="utf-8")
    table = RatedItems.read(str(path))
    with pytest.raises(InputError, match=r"ratings\.csv:3: 'meaning' holds .* which is not a number"):
        table.numbers("meaning")
    assert table.number_columns([]) == []
