"""Plugs in the real libraries give the scorer's scores."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from sema import InputError, Scorer, hf_path
from sema import languages as sema_languages
from sema.plugins import Plugin
from tests.esperanto import esperanto

SOURCES = ["La kato dormas.", "La hundo manĝas pomon. Mi vidas la domon.", "Vi kuras."]
OUTPUTS = ["La kato.", "Hundo manĝas. Mi vidas domon.", "Vi kuras."]
REFERENCES = [["Kato dormas."], ["Hundo manĝas pomon.", "Mi vidas domon."], ["Vi kuras."]]
RATED = list(zip(SOURCES, REFERENCES, strict=True))
NAMES = ["sema", "samsa", "sari", "bleu"]


@pytest.fixture
def scores() -> dict[str, float]:
    return Scorer(esperanto(), NAMES).score(SOURCES, OUTPUTS, REFERENCES).systems[0].scores


def test_evaluate_computes_the_scorers_scores(scores: dict[str, float], tmp_path: Path, monkeypatch) -> None:
    evaluate = pytest.importorskip("evaluate", reason="pip install evaluate")
    find = sema_languages.GROUP.find
    own = Plugin("eo", "tests", lambda *_: esperanto())
    monkeypatch.setattr(sema_languages.GROUP, "find", lambda name: own if name == "eo" else find(name))
    metric = evaluate.load(hf_path(), cache_dir=str(tmp_path))
    computed = metric.compute(sources=SOURCES, predictions=OUTPUTS, references=REFERENCES, lang="eo", metrics=NAMES)
    assert computed.pop("signature").startswith("lang:eo|")
    assert computed == pytest.approx(scores)
    assert metric.compute(sources=SOURCES, predictions=OUTPUTS, lang="eo", metrics=["sema"])["sema"] == scores["sema"]


GIVEN = (SOURCES, OUTPUTS, REFERENCES)


def computed(values: Any) -> Any:
    return pytest.approx({name: float(value) for name, value in values.items()})


def test_torchmetrics_batches_and_states_add_up_to_the_scorers_scores(scores: dict[str, float]) -> None:
    pytest.importorskip("torchmetrics", reason="pip install torchmetrics")
    from sema.plugs.torch import Simplification

    first, rest = ([side[:2] for side in GIVEN], [side[2:] for side in GIVEN])
    metric, other = (Simplification(esperanto(), NAMES) for _ in range(2))
    assert computed(metric(*first)) == Scorer(esperanto(), NAMES).score(*first).systems[0].scores
    metric.update(*rest)
    assert computed(metric.compute()) == scores
    metric.reset()
    metric.update(*first)
    other.update(*rest)
    metric.merge_state(other)
    assert computed(metric.compute()) == scores


def test_torchmetrics_copies_and_pickles() -> None:
    torchmetrics = pytest.importorskip("torchmetrics", reason="pip install torchmetrics")
    from sema.plugs.torch import Simplification

    metric = Simplification("en", ["fkgl"])
    collection = torchmetrics.MetricCollection({"simple": metric})
    collection.update(["It was perambulated."], ["It walked."])
    again = pickle.loads(pickle.dumps(metric.clone()))
    again.update(["It was perambulated."], ["It walked."])
    assert computed(again.compute()) == {name: float(value) for name, value in collection.compute().items()}


def test_an_lm_eval_task_prints_the_scorers_scores(scores: dict[str, float], tmp_path: Path, monkeypatch) -> None:
    """A task of the harness from its file of documents to its table of results."""
    lm_eval = pytest.importorskip("lm_eval", reason="pip install lm_eval")
    from lm_eval.api.model import LM

    from sema.plugs.lm_eval import make_aggregation, make_process_results

    class Answers(LM):  # type: ignore[misc]
        def generate_until(self, requests: list[Any]) -> list[str]:
            return [OUTPUTS[SOURCES.index(request.args[0])] for request in requests]

        loglikelihood = loglikelihood_rolling = generate_until

    documents = tmp_path / "test.json"
    rows = [{"source": source, "people": people} for source, people in RATED]
    documents.write_text(json.dumps(rows), encoding="utf-8")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    means = [{"metric": name, "aggregation": "mean", "higher_is_better": True} for name in ("sema", "samsa")]
    pooled = {"metric": "bleu", "aggregation": make_aggregation("bleu", esperanto()), "higher_is_better": True}
    task = {
        "task": "simplify", "dataset_path": "json", "test_split": "test", "output_type": "generate_until",
        "dataset_kwargs": {"data_files": {"test": str(documents)}, "cache_dir": str(tmp_path / "cache")},
        "doc_to_text": "{{source}}", "doc_to_target": "", "metric_list": [*means, pooled],
        "process_results": make_process_results(esperanto(), ["sema", "samsa", "bleu"], references="people"),
    }  # fmt: skip
    printed = lm_eval.simple_evaluate(model=Answers(), tasks=[task], bootstrap_iters=0)["results"]["simplify"]
    expected = {name: scores[name] for name in ("sema", "samsa", "bleu")}
    assert {name: printed[f"{name},none"] for name in expected} == pytest.approx(expected)


def test_lighteval_computes_the_scorers_scores(scores: dict[str, float]) -> None:
    pytest.importorskip("lighteval", reason="pip install lighteval")
    from lighteval.metrics import apply_metric
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from sema.plugs.lighteval import simplification

    metric = simplification(esperanto(), NAMES)
    documents = [
        Doc(query="?", choices=people, gold_index=list(range(len(people))), specific={"source": source})
        for source, people in RATED
    ]
    rows = apply_metric([ModelResponse(text=[output]) for output in OUTPUTS], documents, [metric])
    corpus = metric.get_corpus_aggregations()
    values = {name: corpus[name]([row[name] for row in rows]) for name in metric.metric_name}
    assert values == pytest.approx(scores)
    assert metric.higher_is_better == dict.fromkeys(NAMES, True)
    bare = Doc(query="?", choices=[], gold_index=0, specific={"source": SOURCES[0]})
    (row,) = apply_metric([ModelResponse(text=[OUTPUTS[0]])], [bare], [simplification(esperanto(), ["sema"])])
    assert row["sema"]  # a metric that takes no references asks for no golds


def test_an_inspect_log_has_the_scorers_scores(scores: dict[str, float], tmp_path: Path) -> None:
    """A task with a model that gives the outputs; what its log says is what the scorer says."""
    inspect_ai = pytest.importorskip("inspect_ai", reason="pip install inspect-ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from sema.plugs.inspect import simplification

    def evaluate(samples: list[Any], **options: Any) -> Any:
        scorer = simplification(esperanto(), ["sema", "samsa", "sari"], **options)
        answers = [ModelOutput.from_content("mockllm/model", output) for output in OUTPUTS]
        for answer in answers:
            answer.usage = ModelUsage()  # or the tokens are counted by a vocabulary from the network
        model = get_model("mockllm/model", custom_outputs=answers, memoize=False)
        task = inspect_ai.Task(dataset=samples, scorer=scorer)
        (log,) = inspect_ai.eval(task, model=model, max_samples=1, display="none", log_dir=str(tmp_path))
        assert log.status == "success", log.error
        return log

    log = evaluate([Sample(input=source, target=people) for source, people in RATED])
    means = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert means["sema"] == pytest.approx(scores["sema"]) and means["samsa"] == pytest.approx(scores["samsa"])
    (first,) = log.samples[0].scores.values()
    assert first.answer == OUTPUTS[0] and first.metadata["signature"].startswith("lang:eo|")
    prompts = [Sample(input=f"Simplify: {text}", target=people, metadata={"original": text}) for text, people in RATED]
    again = evaluate(prompts, source="original")
    assert {score.name: score.metrics["mean"].value for score in again.results.scores} == means


def test_mbrs_reranks_by_the_scorers_scores() -> None:
    pytest.importorskip("mbrs.metrics", reason="pip install mbrs", exc_type=ImportError)
    from mbrs.decoders import DecoderRerank
    from mbrs.metrics import get_metric

    from sema.plugs.mbrs import MetricSema

    assert get_metric("sema") is MetricSema
    hypotheses = ["La kato.", SOURCES[1], "Mi vidas domon."]
    metric = MetricSema(MetricSema.Config(lang=esperanto(), metric="sema"))
    expected = Scorer(esperanto(), ["sema"]).score([SOURCES[1]] * 3, hypotheses).systems[0]
    items = [item.scores["sema"] for item in expected.items]
    assert metric.scores(hypotheses, [SOURCES[1]] * 3).tolist() == pytest.approx(items)
    assert metric.corpus_score(hypotheses, [SOURCES[1]] * 3) == expected.scores["sema"]
    best = DecoderRerank(DecoderRerank.Config(), metric).decode(hypotheses, SOURCES[1])
    assert best.sentence == [SOURCES[1]] and best.idx == [1]
    with pytest.raises(InputError, match="sari needs references"):
        MetricSema(MetricSema.Config(lang=esperanto(), metric="sari"))


def test_a_data_frame_has_the_scorers_scores(scores: dict[str, float]) -> None:
    pandas = pytest.importorskip("pandas", reason="pip install pandas")
    import sema.plugs.pandas  # noqa: F401

    frame = pandas.DataFrame({"original": SOURCES, "ours": OUTPUTS, "people": REFERENCES}, index=["x", "y", "z"])
    frame_scores = frame.sema.score("original", "ours", "people", lang=esperanto(), metrics=NAMES)
    assert list(frame_scores.index) == ["x", "y", "z"] and list(frame_scores.columns) == NAMES
    assert frame_scores["sema"].mean() == pytest.approx(scores["sema"])
    broken = pandas.concat([frame, pandas.DataFrame({"original": [""], "ours": ["x"], "people": [["x"]]})])
    assert broken.sema.score("original", "ours", lang=esperanto(), metrics=["sema"])["sema"].isna().tolist()[-1]
    report = frame.sema.report("original", ["ours", "original"], lang=esperanto(), metrics=["sema"])
    assert [system.name for system in report.systems] == ["ours", "original"]


def test_features_work_in_a_scikit_learn_pipeline(scores: dict[str, float]) -> None:
    pytest.importorskip("sklearn", reason="pip install scikit-learn")
    pytest.importorskip("pandas")
    import numpy as np
    from sklearn.base import clone
    from sklearn.linear_model import LinearRegression
    from sklearn.pipeline import make_pipeline

    from sema.plugs.sklearn import FeatureTransformer, ScoreTransformer

    pairs = list(zip(SOURCES, OUTPUTS, strict=True))
    transformer = ScoreTransformer(esperanto(), ["sema", "samsa"])
    table = clone(transformer).fit_transform(pairs)
    assert table.shape == (3, 2) and table[:, 0].mean() == pytest.approx(scores["sema"])
    features = FeatureTransformer(esperanto(), ["lengths"]).fit(pairs)
    found = features.transform(pairs)
    assert found.shape == (3, len(features.get_feature_names_out())) and not np.isnan(found).any()
    gaps = [*pairs, ("La kato dormas.", None), (float("nan"), "La kato.")]
    for made in (clone(transformer).fit(pairs), features):
        missing = np.isnan(made.transform(np.array(gaps, dtype=object))).all(axis=1)
        assert missing.tolist() == [False, False, False, True, True]
    assert make_pipeline(transformer, LinearRegression()).fit(pairs, [1, 2, 3]).predict(pairs).shape == (3,)
