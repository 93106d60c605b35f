"""Judges: the saved model is the trained one, nothing unsafe is read, and figures are of unseen sources."""

import hashlib
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sema.display.reports.training import training_report
from sema.errors import InputError
from sema.features.base import FeatureSet
from sema.judges.examples import read_ratings
from sema.judges.metrics import shipped, shipped_judge
from sema.judges.model import Judge, JudgeScale, Linear, Trees, raw_values
from sema.judges.storage import load_judge, save_judge
from sema.judges.training import ESTIMATORS, Examples, flatten, train_judge
from tests.cases import cases
from training.english.judges import LINE, is_own, two_views

NAMES = tuple(f"made.up{number}" for number in range(6))


def examples(count=120, seed=0):
    """Ratings that follow the first feature, and three outputs for each source."""
    draw = np.random.default_rng(seed)
    table = draw.normal(size=(count, len(NAMES)))
    wanted = np.clip(0.5 + table[:, 0] / 3 + draw.normal(size=count) / 20, 0, 1)
    sources = tuple(f"source {index // 3}" for index in range(count))
    return Examples(NAMES, table, np.round(wanted * 2) / 2, sources, ("made up",) * count)


def small_judge():
    """One tree (feature 0 at most 0.5: 0.2, else 0.8) and a line over feature 1."""
    roots, features, left, right = (np.array(given, np.int32) for given in ([0], [0, -1, -1], [1, 0, 0], [2, 0, 0]))
    tree = Trees(roots, features, np.array([0.5, 0.0, 0.0]), left, right, np.array([0.5, 0.2, 0.8]))
    one = np.ones(2)
    line = Linear(np.zeros(2), one, -2 * one, 2 * one, np.array([0.0, 0.1]), 0.05)
    scale = JudgeScale(((0.0, 1.0), (0.0, 100.0)), 10.0, (3.0, 7.0))
    return Judge("fluency", "en", ("made",), ("made.a", "made.b"), ((1.0, tree), (1.0, line)), scale, {"data": "none"})


def test_a_judges_scores_equal_numbers_by_hand():
    judge = small_judge()
    table = np.array([[0.5, 0.0], [0.6, 1.0], [0.6, 9.0]])
    assert judge.raw(table) == pytest.approx([0.25, 0.95, 1.05])  # the 9 counts as 2
    first, second, third = judge.verdicts(table)
    assert first.score == pytest.approx(25)
    assert first.contributions == pytest.approx({"made.a": -30, "made.b": 0})
    assert second.contributions == pytest.approx({"made.a": 30, "made.b": 10})
    assert third.score == 100
    assert second.drivers(1) == [("made.a", pytest.approx(30))]
    assert first.probabilities["bad"] == pytest.approx(1 / (1 + np.exp(-0.5)))
    assert [verdict.label for verdict in (first, second)] == ["bad", "good"]
    assert sum(second.probabilities.values()) == pytest.approx(1)


def test_trees_predict_as_scikit_learn_does():
    from sklearn.ensemble import ExtraTreesRegressor

    given = examples()
    forest = ExtraTreesRegressor(7, random_state=0).fit(given.table, given.targets)
    contributions, base = flatten([tree.tree_ for tree in forest.estimators_], 1 / 7).contributions(given.table)
    assert contributions.sum(axis=1) + base == pytest.approx(forest.predict(given.table))


def test_of_two_views_trees_read_the_output_alone_and_a_line_reads_all():
    names = (
        "lengths.commas", "lengths.kept", "readability.fkgl", "readability.fkgl_change", "lengths.words", "meteor.f",
    )  # fmt: skip
    given = examples()
    (share, trees), (other, line) = two_views(names)(given.table, given.targets, given.weights)
    assert isinstance(trees, Trees) and isinstance(line, Linear) and (share, other) == (pytest.approx(1 - LINE), LINE)
    read = {names[place] for place in trees.feature[trees.feature >= 0]}
    assert read == {"lengths.commas", "readability.fkgl"} and np.all(line.weights != 0)
    own = np.flatnonzero([is_own(name) for name in names])
    alone = ESTIMATORS["extra_trees"](given.table[:, own], given.targets, given.weights)
    moved = trees.contributions(given.table)
    assert moved[0].sum(1) + moved[1] == pytest.approx(raw_values(alone, given.table[:, own]))


@pytest.fixture(scope="module")
def trained():
    pytest.importorskip("sklearn", reason="judges are trained with scikit-learn")
    compared = {name: ESTIMATORS[name] for name in ("extra_trees", "ridge")}
    return train_judge(examples(), "fluency", "en", ["made"], estimators=compared)


def test_training_chooses_and_reports(trained):
    best = max(agreement.pearson for agreement in trained.compared.values())
    assert trained.compared[trained.estimator].pearson == best
    report = training_report(trained)
    assert f"{trained.estimator} (chosen)" in report and "120 rated pairs (made up 120) of 40 sources" in report
    with pytest.raises(InputError, match="4 sources"):  # too little to learn from
        train_judge(examples(12), "fluency", "en", ["made"])


def test_a_judge_comes_back_from_its_folder(trained, tmp_path):
    for judge in (trained.judge, small_judge()):
        save_judge(judge, tmp_path)
        again = load_judge(tmp_path)
        table = np.random.default_rng(1).normal(size=(9, len(judge.features)))
        assert again.raw(table) == pytest.approx(judge.raw(table), abs=1e-12)
        assert (again.aspect, again.features, again.scale) == (judge.aspect, judge.features, judge.scale)
        assert again.digest


def test_damaged_folders_are_refused(tmp_path):
    save_judge(small_judge(), tmp_path)
    described = json.loads((tmp_path / "judge.json").read_text())
    with (tmp_path / "arrays.npz").open("wb") as file:  # pickled arrays are not read
        np.savez(file, **{"0.roots": np.array([{"any": "object"}], dtype=object)})
    pickled = hashlib.sha256((tmp_path / "arrays.npz").read_bytes()).hexdigest()
    wrong = ["{", "[]", *(json.dumps(described | part) for part in ({}, {"format": 99}, {"sha256": pickled}))]
    for text in wrong:
        (tmp_path / "judge.json").write_text(text)
        with pytest.raises(InputError, match="holds no judge that can be used") as caught:
            load_judge(tmp_path)
        assert str(tmp_path) in str(caught.value)
    with pytest.raises(InputError, match="name a folder that `sema judge train` wrote"):
        load_judge(tmp_path / "nothing")


def test_trees_that_turn_in_a_circle_and_intercepts_of_several_numbers_are_refused(tmp_path):
    circle, intercepts = small_judge(), small_judge()
    circle.parts[0][1].left[0] = 0
    parts = ((1.0, replace(intercepts.parts[1][1], intercept=np.zeros(3))),)
    for judge, said in ((circle, "outside their"), (replace(intercepts, parts=parts), "does not fit its features")):
        save_judge(judge, tmp_path)
        with pytest.raises(InputError, match=said):
            load_judge(tmp_path)


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_ratings_in_both_shapes(tmp_path):
    wide = write(tmp_path / "wide.csv", "source,output,meaning\nA b.,A.,good\nA b.,A.,ok\nC d.,C.,bad\n")
    assert [pair.rating for pair in read_ratings(wide, "meaning")] == [0.75, 0]
    rows = "A b.,A.,meaning,4\nA b.,A.,fluency,1\nC d.,C.,meaning,2\n"
    long = write(tmp_path / "long.csv", f"original,simplification,aspect,rating\n{rows}")
    assert [pair.rating for pair in read_ratings(long, "meaning", (1, 5))] == [0.75, 0.25]
    assert [pair.rating for pair in read_ratings(long, "meaning")] == [1, 0]


@cases("wrong_ratings")
def test_wrong_ratings_say_what_is_wrong(tmp_path, text, message):
    path = write(tmp_path / "ratings.csv", text)
    with pytest.raises(InputError, match=message):
        read_ratings(path, "meaning")


def test_columns_of_ratings_may_be_missing_in_the_first_row(tmp_path):
    rows = '{"text": "notes", "meaning": ""}\n{"original": "A b.", "text": "A.", "meaning": 2}\n'
    path = write(tmp_path / "ratings.jsonl", rows + '{"original": "C.", "text": "C.", "meaning": 5}\n')
    assert [(pair.source, pair.output) for pair in read_ratings(path, "meaning")] == [("A b.", "A."), ("C.", "C.")]
    rows = '{"source": "A", "output": "B", "meaning": 1}\n{"source": "A", "output": "C"}\n'
    path = write(tmp_path / "missing.jsonl", rows + '{"source": "A", "output": "D", "meaning": 2}\n')
    assert [pair.output for pair in read_ratings(path, "meaning")] == ["B", "D"]
    path = write(tmp_path / "large.jsonl", f'{{"source": "A", "output": "B", "meaning": {10**400}}}\n')
    with pytest.raises(InputError, match="is not a rating"):  # too large for a float
        read_ratings(path, "meaning")


def test_shipped_judges_read_features_that_there_are():
    parts = SimpleNamespace(code="en", lexicon=None, wording=None, function_words=())
    assert set(shipped("en")) == {"fluency", "overall", "simplicity"} and not shipped("zh")
    for aspect in shipped("en"):
        judge = shipped_judge("en", aspect)
        assert set(judge.features) <= set(FeatureSet(parts, judge.groups).names)
        assert "spaced_punctuation" not in " ".join(judge.features) and judge.about["left_out"]
