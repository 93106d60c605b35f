"""Judges: the saved model is the trained one, nothing unsafe is read, and figures are of unseen sources."""

import json
from dataclasses import replace

import numpy as np
import pytest

from sema.display.reports.training import training_report
from sema.errors import InputError
from sema.features.base import FeatureSet
from sema.judges.estimators import ESTIMATORS, flatten
from sema.judges.examples import RatedPair, read_ratings
from sema.judges.metrics import shipped, shipped_judge
from sema.judges.model import Judge, JudgeScale, Linear, Trees, raw_values
from sema.judges.storage import load_judge, save_judge
from sema.judges.training import Examples, classes, cross_validate, fit_scale, folds, train_judge
from training.data.rated_features import pair_key
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
    tree = Trees(
        np.array([0], np.int32),
        np.array([0, -1, -1], np.int32),
        np.array([0.5, 0.0, 0.0]),
        np.array([1, 0, 0], np.int32),
        np.array([2, 0, 0], np.int32),
        np.array([0.5, 0.2, 0.8]),
    )
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


@pytest.mark.parametrize("name", list(ESTIMATORS))
def test_estimators_find_what_there_is(name):
    predicted, _ = cross_validate(ESTIMATORS[name], examples(), 3)
    assert np.corrcoef(predicted, examples().targets)[0, 1] > 0.6


def test_of_two_views_trees_read_the_output_alone_and_a_line_reads_all():
    names = (
        "lengths.commas",
        "lengths.kept",
        "readability.fkgl",
        "readability.fkgl_change",
        "lengths.words",
        "meteor.f",
    )
    given = examples()
    parts = two_views(names)(given.table, given.targets, given.weights)
    shares = {type(part): weight for weight, part in parts}
    assert shares == {Trees: pytest.approx(1 - LINE), Linear: LINE}
    (_, trees), (_, line) = parts
    read = {names[place] for place in trees.feature[trees.feature >= 0]}
    assert read == {"lengths.commas", "readability.fkgl"} and np.all(line.weights != 0)
    own = np.flatnonzero([is_own(name) for name in names])
    alone = ESTIMATORS["extra_trees"](given.table[:, own], given.targets, given.weights)
    moved = trees.contributions(given.table)
    assert moved[0].sum(1) + moved[1] == pytest.approx(raw_values(alone, given.table[:, own]))


def test_outputs_of_a_source_stay_together():
    sources = [f"source {index // 3}" for index in range(60)]
    numbers = folds(sources, 5)
    assert len(set(numbers)) == 5
    assert all(len({numbers[index + step] for step in range(3)}) == 1 for index in range(0, 60, 3))


def test_the_scale_ascends_and_its_classes_follow_the_ratings():
    draw = np.random.default_rng(0)
    targets = draw.choice([0.0, 0.5, 1.0], 300)
    raw = 3 * targets + draw.normal(size=300) / 3
    scale = fit_scale(raw, targets)
    ordered = scale.scores(np.linspace(-1, 4, 20))
    assert (np.diff(ordered) >= 0).all()
    assert ordered[0] == 0
    assert ordered[-1] == 100
    assert (scale.probabilities(raw).argmax(axis=1) == classes(targets)).mean() > 0.8
    assert scale.probabilities(raw).sum(axis=1) == pytest.approx(np.ones(300))


@pytest.fixture(scope="module")
def trained():
    pytest.importorskip("sklearn", reason="judges are trained with scikit-learn")
    compared = {name: ESTIMATORS[name] for name in ("extra_trees", "ridge")}
    return train_judge(examples(), "fluency", "en", ["made"], estimators=compared)


def test_training_chooses_and_reports(trained):
    assert trained.compared[trained.estimator].pearson == max(
        agreement.pearson for agreement in trained.compared.values()
    )
    assert next(iter(trained.importance)) == "made.up0"
    report = training_report(trained)
    assert f"{trained.estimator} (chosen)" in report
    assert "120 rated pairs (made up 120) of 40 sources" in report
    spelled = [source.title() if place % 3 else source for place, source in enumerate(trained.examples.sources)]
    other = replace(trained, examples=replace(trained.examples, sources=tuple(spelled)))
    assert "of 80 sources" in training_report(other)  # sources that differ in case are two


def test_a_judge_comes_back_from_its_folder(trained, tmp_path):
    for judge in (trained.judge, small_judge()):
        save_judge(judge, tmp_path)
        again = load_judge(tmp_path)
        table = np.random.default_rng(1).normal(size=(9, len(judge.features)))
        assert again.raw(table) == pytest.approx(judge.raw(table), abs=1e-12)
        assert (again.aspect, again.features, again.scale) == (judge.aspect, judge.features, judge.scale)
        assert again.digest


def test_damaged_folders_are_refused(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        load_judge(tmp_path)
    save_judge(small_judge(), tmp_path)
    described = json.loads((tmp_path / "judge.json").read_text())
    (tmp_path / "arrays.npz").write_bytes(b"other")
    with pytest.raises(InputError, match="checksum"):
        load_judge(tmp_path)
    (tmp_path / "judge.json").write_text("{")
    with pytest.raises(InputError, match="JSON"):
        load_judge(tmp_path)
    (tmp_path / "judge.json").write_text(json.dumps({**described, "format": 99}))
    with pytest.raises(InputError, match="format"):
        load_judge(tmp_path)


def test_trees_that_turn_in_a_circle_are_refused(tmp_path):
    judge = small_judge()
    judge.parts[0][1].left[0] = 0
    save_judge(judge, tmp_path)
    with pytest.raises(InputError, match="outside their nodes"):
        load_judge(tmp_path)


def test_an_intercept_of_several_numbers_is_refused(tmp_path):
    one = np.ones(1)
    line = Linear(one, one, one, one, one, np.zeros(3))
    scale = JudgeScale(((0.0, 1.0), (0.0, 100.0)), 1.0, (0.3, 0.7))
    save_judge(Judge("fluency", "en", ("made",), ("made.one",), [(1.0, line)], scale), tmp_path)
    with pytest.raises(InputError, match="does not fit its features"):
        load_judge(tmp_path)


def test_pickled_arrays_are_not_read(tmp_path):
    import hashlib

    save_judge(small_judge(), tmp_path)
    with (tmp_path / "arrays.npz").open("wb") as file:
        np.savez(file, **{"0.roots": np.array([{"any": "object"}], dtype=object)})
    described = json.loads((tmp_path / "judge.json").read_text())
    described["sha256"] = hashlib.sha256((tmp_path / "arrays.npz").read_bytes()).hexdigest()
    (tmp_path / "judge.json").write_text(json.dumps(described))
    with pytest.raises(InputError, match="no judge that can be used"):
        load_judge(tmp_path)


def test_too_little_to_learn_from():
    few = examples(12)
    with pytest.raises(InputError, match="4 sources"):
        train_judge(few, "fluency", "en", ["made"])


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_ratings_in_both_shapes(tmp_path):
    wide = write(tmp_path / "wide.csv", "source,output,meaning\nA b.,A.,good\nA b.,A.,ok\nC d.,C.,bad\n")
    assert [pair.rating for pair in read_ratings(wide, "meaning")] == [0.75, 0]
    long = write(
        tmp_path / "long.csv",
        "original,simplification,aspect,rating\nA b.,A.,meaning,4\nA b.,A.,fluency,1\nC d.,C.,meaning,2\n",
    )
    assert [pair.rating for pair in read_ratings(long, "meaning", (1, 5))] == [0.75, 0.25]
    assert [pair.rating for pair in read_ratings(long, "meaning")] == [1, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source,output,meaning\nA,B,3\n", "nothing to learn"),
        ("source,output,meaning\nA,B,fine\n", "'fine' is no rating"),
        ("source,output,fluency\nA,B,1\n", "no column 'meaning'"),
        ("texts,output,meaning\nA,B,1\n", "no column for the source"),
        ("text,meaning\nA,1\n", "no column for the output"),
        ("source,output,meaning\n,B,1\n", "no source or no output"),
    ],
)
def test_wrong_ratings_say_what_is_wrong(tmp_path, text, message):
    path = write(tmp_path / "ratings.csv", text)
    with pytest.raises(InputError, match=message):
        read_ratings(path, "meaning")


def test_columns_of_ratings_may_be_missing_in_the_first_row(tmp_path):
    rows = [
        {"text": "notes", "meaning": ""},
        {"original": "A b.", "text": "A.", "meaning": 2},
        {"original": "C.", "text": "C.", "meaning": 5},
    ]
    lines = "\n".join(map(json.dumps, rows))
    path = write(tmp_path / "ratings.jsonl", lines)
    assert [(pair.source, pair.output) for pair in read_ratings(path, "meaning")] == [("A b.", "A."), ("C.", "C.")]


def test_a_rating_too_large_for_a_float_is_none(tmp_path):
    path = write(tmp_path / "ratings.jsonl", f'{{"source": "A", "output": "B", "meaning": {10**400}}}\n')
    with pytest.raises(InputError, match="is no rating"):
        read_ratings(path, "meaning")


def test_overlaps_are_found_without_case_and_spaces():
    assert pair_key(RatedPair("A b.", "A.", 1)) == pair_key(RatedPair("a B .", "A .", 0))
    assert pair_key(RatedPair("A b.", "A.", 1)) != pair_key(RatedPair("C.", "A.", 0))


def test_shipped_judges_read_features_that_there_are():
    class Parts:
        code = "en"
        lexicon = None
        wording = None
        function_words = ()

    assert set(shipped("en")) == {"fluency", "overall", "simplicity"}
    assert not shipped("zh")
    for aspect in shipped("en"):
        judge = shipped_judge("en", aspect)
        known = FeatureSet(Parts(), judge.groups).names
        assert set(judge.features) <= set(known)
        assert "spaced_punctuation" not in " ".join(judge.features)
        assert judge.about["left_out"]
