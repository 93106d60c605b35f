import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from sema_raters.agreement import (
    agreement,
    intraclass_correlation,
    krippendorff_alpha,
    pair_agreement,
    simulated_raters,
    weighted_kappa,
)
from sema_raters.ratings import Ratings, RatingsTable

from sema.files.texts import read_rows
from tests.commands import one_line, printed, write
from tests.conftest import PublicData, Run

# Shrout and Fleiss (1979), Table 2: six targets, four judges; Table 4 has their ICCs.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
# Krippendorff's standard example with gaps: four observers, twelve units.
KRIPPENDORFF = """\
1 2 3 3 2 1 4 1 2 * * *
1 2 3 3 2 2 4 1 2 5 * 3
* 3 3 3 2 3 4 2 2 5 1 *
1 2 3 3 2 4 4 1 2 5 1 *"""


def ratings(rows: list[list[float]]) -> Ratings:
    """Items down, raters across."""
    values = np.array(rows, dtype=float)
    return Ratings(tuple((str(i),) for i in range(len(rows))), tuple(map(str, range(values.shape[1]))), values)


def test_icc_of_the_published_example() -> None:
    icc = intraclass_correlation(ratings(SHROUT_FLEISS))
    assert (icc.icc1.value, icc.icc1k.value) == pytest.approx((0.17, 0.44), abs=0.005)
    # pingouin's intervals for the same table.
    assert (icc.icc1.low, icc.icc1.high) == pytest.approx((-0.13, 0.72), abs=0.005)
    assert (icc.icc1k.low, icc.icc1k.high) == pytest.approx((-0.88, 0.91), abs=0.005)


def test_icc_with_gaps_leaves_single_ratings_out() -> None:
    with_gap = [[float(cell) for cell in row] for row in SHROUT_FLEISS]
    with_gap.append([3.0, math.nan, math.nan, math.nan])
    assert intraclass_correlation(ratings(with_gap)) == intraclass_correlation(ratings(SHROUT_FLEISS))
    with_gap[0][0] = math.nan
    assert 3 < intraclass_correlation(ratings(with_gap)).raters < 4
    one_mean = intraclass_correlation(ratings([[1, 2], [2, 1], [1, 2]]))
    assert one_mean.icc1.value == -1 and math.isnan(one_mean.icc1k.value)


def test_alpha_of_the_published_example() -> None:
    rows = [[math.nan if cell == "*" else float(cell) for cell in line.split()] for line in KRIPPENDORFF.splitlines()]
    example = ratings([list(column) for column in zip(*rows, strict=True)])
    for scale, value in (("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)):
        assert krippendorff_alpha(example, scale) == pytest.approx(value, abs=0.0005)


CELLS = st.one_of(st.just(math.nan), st.integers(0, 4).map(float))
DISTANCES = {"interval": lambda one, other: (one - other) ** 2, "nominal": lambda one, other: float(one != other)}


@settings(deadline=None)
@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=2, max_size=12))
def test_alpha_equals_nltks(rows: list[list[float]]) -> None:
    rated = [[(str(rater), value) for rater, value in enumerate(row) if not math.isnan(value)] for row in rows]
    if len({value for row in rated if len(row) > 1 for _, value in row}) < 2:
        assert math.isnan(krippendorff_alpha(ratings(rows)))
        return
    data = [(rater, str(item), value) for item, row in enumerate(rated) for rater, value in row]
    for scale, distance in DISTANCES.items():
        theirs = AnnotationTask(data, distance=distance).alpha()
        assert krippendorff_alpha(ratings(rows), scale) == pytest.approx(theirs, abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=20))
def test_kappa_is_scikit_learn_s(pairs: list[tuple[int, int]]) -> None:
    measures = pytest.importorskip("sklearn.metrics", reason="the reference is scikit-learn's")
    left, right = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    if len({*left, *right}) == 1:
        assert math.isnan(weighted_kappa(left, right))
        return
    expected = measures.cohen_kappa_score(left, right, labels=[1, 2, 3, 4], weights="quadratic")
    assert weighted_kappa(left, right) == pytest.approx(expected, abs=1e-9)


def test_agreement_of_pairs_equals_numbers_by_hand() -> None:
    found = pair_agreement(ratings([[1, 1, 3], [2, 2, 2], [3, 3, 1], [1, 1, 3]]))
    assert found.pairs == found.correlated == 3
    assert (found.agreement, found.rho) == pytest.approx(((1 + 0.25 + 0.25) / 3, (1 - 1 - 1) / 3))
    # raters without shared items, and those who always say the same, are not correlated
    found = pair_agreement(ratings([[1, 1, math.nan], [2, 1, math.nan], [3, 1, 2], [1, 1, 3]]))
    assert (found.pairs, found.correlated) == (1, 0) and math.isnan(found.rho) and math.isnan(found.p)


def test_simulated_raters_agree_as_far_as_raters_do() -> None:
    same = ratings([[value] * 4 for value in (1, 2, 3, 4, 5)])
    assert simulated_raters(same, samples=20).rho == pytest.approx(1)
    drawn = [simulated_raters(ratings(SHROUT_FLEISS), samples=50, seed=seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    # One of two ratings is drawn and the other is the mean of the rest: opposite orders whichever is drawn.
    assert -1 <= simulated_raters(ratings([[1, 16], [2, 15], [3, 14]]), samples=100).rho < 0
    assert math.isnan(simulated_raters(ratings([[1, 2], [3, 1]])).rho)


@pytest.mark.parametrize("rows", [[[2, 2], [2, 2], [2, 2]], [[1, math.nan], [math.nan, 2]]])
def test_agreement_is_nan_without_variation_or_shared_items(rows: list[list[float]]) -> None:
    found = agreement(ratings(rows), samples=5)
    assert all(map(math.isnan, (found.icc.icc1.value, found.alpha, found.pairs.kappa, found.simulated_raters.rho)))
    assert json.dumps(found.to_dict())


LONG = "system,sentence,rater,text,simplicity\n" + "".join(
    f"{system},{item},{rater},words {system}{item},{(item * 3 + rater + len(system)) % 5}\n"
    for system in ("a", "bb")
    for item in range(6)
    for rater in range(3)
)


def table_of(path: Path | str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_long_and_wide_tables_are_read_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("answers.csv", LONG)
    read = RatingsTable.read("answers.csv", item=["system", "sentence"])
    assert list(read.columns) == ["simplicity"]
    column = read.columns["simplicity"]
    lines = [",".join(map(str, [*item, *row])) for item, row in zip(column.items, column.values, strict=True)]
    write("wide.csv", "\n".join(["system,sentence,r0,r1,r2", *lines]))
    again = RatingsTable.read("wide.csv", item=["system", "sentence"], raters=["r0", "r1", "r2"]).columns["rating"]
    assert again.items == column.items and (again.values == column.values).all()


def test_command_groups_and_writes_averages(command: Run) -> None:
    write("answers.csv", LONG)
    arguments = ["agreement", "answers.csv", "--item", "system,sentence", "--group", "system", "--samples", "20"]
    found: Any = printed(command(*arguments, "--averages", "means.csv", "--json"))
    assert [(one["group"], one["items"]) for one in found] == [("all", 12), ("a", 6), ("bb", 6), ("means by system", 2)]
    row, *_ = table_of("means.csv")
    assert row["text"] == "words a0" and row["simplicity_ratings"] == "3"
    assert float(row["simplicity"]) == pytest.approx((1 + 2 + 3) / 3)
    assert command(*arguments, "--averages", "means.tsv").returncode == 0
    assert read_rows("means.tsv") == read_rows("means.csv")
    for form in ("text", "markdown", "latex"):
        assert "ICC(1)" in command(*arguments, "--format", form).stdout
    done = command("metaeval", "--ratings", "means.csv", "--by", "simplicity", "--metrics", "simplicity_zscore")
    assert done.returncode == 0, done.stderr


def test_reliability_and_z_scores_are_those_of_the_meta_evaluation(public_data: PublicData) -> None:
    folder = public_data("ratings", "metaeval", "ratings_per_annotator")
    # Alva-Manchego, Scarton and Specia (2021), Table 2; Simplicity-DA's are of the standardised ratings.
    direct = RatingsTable.read(str(folder / "simplicity_DA_ratings.csv"), ["simplicity"]).columns["simplicity"]
    structural = RatingsTable.read(str(folder / "structural_simplicity_ratings.csv")).columns
    for table, icc, rho in ((direct.z_scores(), 0.386, 0.607), (structural["structural_simplicity"], 0.465, 0.508)):
        assert intraclass_correlation(table).icc1.value == pytest.approx(icc, abs=0.0005)
        assert simulated_raters(table).rho == pytest.approx(rho, abs=0.0025)

    rows = table_of(folder.parent / "simplicity_DA.csv")
    published = {(row["sent_id"], row["sys_name"]): float(row["simplicity_zscore"]) for row in rows}
    ours = dict(zip(direct.items, direct.z_scores().means(), strict=True))
    assert ours == pytest.approx(published, abs=1e-8)


ANSWERS = (
    "item,system,rater,grammaticality,addition,removal,structural_simplicity\n"
    "0,a,x,3,1,1,3\n0,a,y,2,1,3,2\n1,a,x,1,3,2,1\n1,a,y,1,2,2,1\n0,b,x,3,1,2,2\n0,b,y,3,2,2,\n"
)


def test_the_scores_of_structural_answers(command: Run) -> None:
    """Sulem, Abend and Rappoport (NAACL 2018), 5.2: by hand; an answer that is missing has no scores."""
    write("answers.csv", ANSWERS)
    arguments = ["agreement", "answers.csv", "--form", "structural", "--group", "system", "--samples", "5"]
    done: Any = printed(command(*arguments, "--averages", "human.csv", "--json"))
    found = {(one["group"], one["rating"]): one["mean"] for one in done}
    # a: G (2.5, 1), P of item 0 (3, 2), of item 1 (1.5, 2), S (2.5, 1), AvgHuman (9 and 6) / 3, (3.5 and 4) / 3
    by_hand = {"G": 1.75, "P": (2.5 + 1.75) / 2, "S": 1.75, "AvgHuman": (2.5 + 1.25) / 2}
    assert {name: found["a", name] for name in by_hand} == pytest.approx(by_hand)
    assert (found["b", "S"], found["b", "AvgHuman"]) == pytest.approx((2, 7.5 / 3))
    first, *_ = table_of("human.csv")
    assert (float(first["P"]), float(first["AvgHuman"])) == pytest.approx((2.5, 2.5)) and "removal" not in first
    assert "Mean ratings" in command(*arguments).stdout


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("1,a,y,1,4,2,1", "answers.csv:5: 'addition' holds 4, but the answers are 1 to 3"),
        ("1,a,x,1,2,2,1", "answers.csv:5: rater x rated 1 a twice; name every column"),
    ],
)
def test_wrong_answers_are_named(command: Run, row: str, said: str) -> None:
    write("answers.csv", ANSWERS.replace("1,a,y,1,2,2,1", row))
    one_line(command("agreement", "answers.csv", "--form", "structural"), 1, said)
