"""Use from Python: arguments are taken in their obvious meaning or refused in one sentence; results have names."""

import inspect
import pickle
from collections.abc import Callable, Iterator
from itertools import count, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sema
from sema import InputError, Item, MeanMetric, Metric, Report, Run, Scorer
from sema.errors import SemaError, SemaWarning, UsageError
from sema.metrics.bleu import Bleu
from sema.metrics.registry import make_metric, parse_names
from sema.metrics.sari import Sari
from sema.scoring.coerce import Columns
from tests.esperanto import WordCount, esperanto

A, B, C = "La kato dormas.", "Mi vidas domon.", "Li iras."
SOURCES, OUTPUTS, REFERENCES = [A, B], [A, C], [[A, B], [C, B]]


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer(esperanto(), ["sema", "bleu"])


@pytest.fixture(scope="module")
def expected(scorer: Scorer) -> Report:
    return scorer.score(SOURCES, OUTPUTS, REFERENCES)


def made(path: str, *given: Any, **more: Any) -> Any:
    """An object of an optional package by its dotted path."""
    package, _, name = path.rpartition(".")
    return getattr(pytest.importorskip(package), name)(*given, **more)


ORDERED: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "tuple": tuple,
    "generator": lambda values: (value for value in values),
    "dict values": lambda values: dict(enumerate(values)).values(),
    "numpy": np.array,
    "pandas": lambda values: made("pandas.Series", values, index=[7] * len(values)),
    "polars": lambda values: made("polars.Series", values),
    "arrow": lambda values: made("pyarrow.chunked_array", [values]),
}


@pytest.mark.parametrize("kind", ORDERED)
def test_whatever_has_an_order_is_a_list_of_texts(kind: str, scorer: Scorer, expected: Report) -> None:
    make = ORDERED[kind]
    assert scorer.score(make(SOURCES), make(OUTPUTS), [make([A, B]), make([C, B])]) == expected
    assert scorer.score(make(SOURCES), {"output": make(OUTPUTS)}, iter(REFERENCES)) == expected
    scores = sema.score(make(SOURCES), make(OUTPUTS), REFERENCES, lang=esperanto(), metrics=["sema", "bleu"])
    assert scores == expected.systems[0].scores
    if kind in ("list", "numpy", "pandas"):  # an item may be its sentences
        assert scorer.score([make([A, B])], [make([C])], [[A]]) == scorer.score([[A, B]], [[C]], [[A]])


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_table_is_its_columns_where_columns_mean_something(scorer: Scorer, expected: Report, package: str) -> None:
    frame = made(f"{package}.DataFrame", {"one": OUTPUTS, "two": SOURCES})
    scored = scorer.score(SOURCES, frame, made(f"{package}.DataFrame", {"first": [A, C], "second": [B, B]}))
    assert [system.name for system in scored.systems] == ["one", "two"]
    assert scored.systems[0].scores == expected.systems[0].scores
    with pytest.raises(UsageError, match="sources is a table; give one of its columns"):
        scorer.score(frame, OUTPUTS)
    if package == "pandas":  # with two columns of one name
        with pytest.raises(UsageError, match="two systems have one name"):
            scorer.score(SOURCES, made("pandas.concat", [frame, frame], axis=1))


def test_lists_are_items_a_text_is_one_item_and_references_may_be_a_column(scorer: Scorer) -> None:
    words: dict[str, Any] = {"lang": esperanto(), "metrics": [WordCount()]}
    assert sema.score([A, B], [A, "Iras."], **words) == {"words": 3.0}  # 4 and 2 words
    assert sema.score(A, "Iras.", **words) == {"words": 2.0}
    with pytest.raises(UsageError, match="one system"):
        sema.score([A, B], {"one": OUTPUTS, "two": OUTPUTS}, **words)
    assert scorer.score(SOURCES, OUTPUTS, iter([A, C])) == scorer.score(SOURCES, OUTPUTS, [[A], [C]])
    for references in (A, [A]):
        assert sema.score(A, A, references, lang=esperanto(), metrics=["bleu"])["bleu"] == pytest.approx(100)


@pytest.mark.parametrize(
    ("sources", "outputs", "references", "said"),
    [
        ({A, B}, OUTPUTS, None, "sources is a set, which has no order"),
        (SOURCES, {"one": {A, C}}, None, "the outputs of 'one' is a set, which has no order"),
        ({"one": A, "two": B}, OUTPUTS, None, "sources is a dict, which has no order"),
        (SOURCES, OUTPUTS, {"one": [A, B]}, "references is a dict, which has no order"),
        (A, OUTPUTS, None, "sources is a single text; give a list of texts"),
        (b"bytes", OUTPUTS, None, "sources is a single text"),
        (SOURCES, OUTPUTS, A, "references is a single text"),
        (np.array([[A, B]]), OUTPUTS, None, "sources is a ndarray"),
        (SOURCES, None, None, "outputs is missing"),
        (SOURCES, {}, None, "there are no outputs"),
        (SOURCES, {1: OUTPUTS, "1": OUTPUTS}, None, "two systems have one name"),
        (iter(()), iter(()), None, "there are no sources"),
        ([A, {B}], OUTPUTS, [[A], [B]], "item 1: the source is a set; give a string"),
    ],
)
def test_meaningless_values_are_refused_with_a_reason(
    scorer: Scorer, sources: Any, outputs: Any, references: Any, said: str
) -> None:
    with pytest.raises(InputError) as caught:
        scorer.score(sources, outputs, references)
    assert said in str(caught.value) and "\n" not in str(caught.value)


class OtherCount(WordCount):
    """Another metric of the same name."""


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"metrics": [WordCount(least=3), OtherCount(least=3)]}, r"two metrics are called 'words\[least=3\]'"),
        ({"metrics": "sema"}, "give a list"),
        ({"metrics": []}, "no metric is named"),
        ({"metrics": [None]}, "a metric is missing"),
        ({"level": "word"}, "'sentence' or 'passage'"),
        ({"parse_whole": True, "level": "passage"}, "give segment=False$"),
        ({"parse_whole": True, "segment": False}, "give level='passage' and segment=False$"),
    ],
)
def test_a_scorer_that_cannot_be_made_says_why(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Scorer(esperanto(), **wrong)
    equal = Scorer(esperanto(), ["sema", "bleu", WordCount(), "sema", WordCount(least=0)]).metrics
    assert [metric.name for metric in equal] == ["sema", "bleu", "words"]


def test_a_scorer_pickles_and_scores_the_same() -> None:
    scorer = Scorer("en", ["sari", "fkgl"], level="passage", options={"sari.lowercase": True})
    scorer.score([A], [C], [[B]])
    copied = pickle.loads(pickle.dumps(scorer))
    assert copied.signature == scorer.signature
    assert copied.score([A], [C], [[B]]) == scorer.score([A], [C], [[B]])


class Nameless(MeanMetric):
    def scores(self, items: Any) -> list[float]:
        return [1.0 for _ in items]


WEIRD: list[Any] = [
    None, True, 0, -1, 3, 2.5, "", "a", "2", "../x", b"a", (), [], {}, set(), [None], ["a"], [5], {"a": 1}, {1: [A]},
    object(), Metric, WordCount, Nameless(), np.array(["a"]), np.array([[1.0]]), iter(["a"]), lambda: None, ...,
    float("nan"), [[["a"]]], (1, 2, 3), {"words.least": "x"}, Path("."), Exception("x"),
]  # fmt: skip


def _calls(folder: Path) -> Iterator[tuple[Callable[..., Any], dict[str, Any]]]:
    """Public functions with arguments that work."""
    lang, metrics = esperanto(), [WordCount()]
    scorer = Scorer(lang, metrics)
    report = scorer.score(SOURCES, OUTPUTS)
    run = scorer.write(folder / "run", SOURCES, {"output": OUTPUTS})
    yield Scorer, {"lang": lang, "metrics": metrics}
    yield scorer.score, {"sources": SOURCES, "outputs": OUTPUTS, "references": [[A], [B]]}
    yield sema.score, {"source": A, "output": A, "lang": lang, "metrics": metrics}
    yield scorer.write, {"folder": folder / "new", "sources": SOURCES, "outputs": {"output": OUTPUTS}}
    yield report.metric, {"name": "words"}
    yield Report.merge, {"reports": [report, report]}
    yield Run, {"folder": folder / "run"}
    for read in (report.evidence, run.evidence, run.texts, run.item):
        yield read, {"index": 0}


UNCHECKED = {"scenes", "links", "progress", "place", "extractor", "aligner", "own"}
"""Arguments that hand over code or what was read from files."""


def test_public_functions_raise_errors_of_ours_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong: list[str] = []
    numbers = count()
    with pytest.warns(SemaWarning, match="missing: 1 of 1 output of"):  # an output may be None
        for function, good in _calls(tmp_path):
            function(**good)
            writes = function.__name__ == "write"
            left_out = UNCHECKED | ({"folder"} if writes else set())
            parameters = {*inspect.signature(function).parameters}
            if "columns" in parameters:  # a keyword argument for each of these
                parameters = (parameters - {"columns"}) | Columns.__annotations__.keys()
            for parameter, value in product(sorted(parameters - left_out), WEIRD):
                new = {"folder": tmp_path / f"run-{next(numbers)}"} if writes else {}
                try:
                    function(**{**good, **new, parameter: value})
                except SemaError as error:
                    if "\n" in str(error) or len(str(error)) > 400:
                        wrong.append(f"{function}({parameter}={value!r}): {error}")
                except Exception as error:
                    wrong.append(f"{function}({parameter}={value!r}): {type(error).__name__}: {error}")
    assert not wrong, "\n".join(wrong)


def test_scenes_are_as_many_as_sources_in_any_container(scorer: Scorer) -> None:
    scenes: Any = np.array([InputError("no tree")] * 2, dtype=object)
    with pytest.raises(InputError, match="no tree"):
        scorer.score(SOURCES, OUTPUTS, [[A], [B]], scenes=scenes)
    with pytest.raises(InputError, match="2 sources but 1 list of scenes; give one"):
        scorer.score(SOURCES, OUTPUTS, [[A], [B]], scenes=scenes[:1])


def test_an_error_quotes_any_name_of_a_system(scorer: Scorer) -> None:
    with pytest.raises(InputError, match=r"2 sources but 1 output in '{x}'; give one output for each source"):
        scorer.score(SOURCES, {"{x}": OUTPUTS[:1]}, [[A], [B]])


# Results by name, variants of metrics, and runs that a scorer saves

SYSTEMS = {"ours": OUTPUTS, "copy": SOURCES}
EXP, NONE = "bleu[smoothing=exp]", "bleu[smoothing=none]"


def scorer_of(*metrics: str | Metric) -> Scorer:
    return Scorer(esperanto(), metrics)


def test_systems_and_scores_are_found_by_name() -> None:
    report = scorer_of("sari").score(SOURCES, SYSTEMS, REFERENCES)
    assert report["copy"] is report.systems[1]
    assert report["ours"]["sari"] == report.systems[0].scores["sari"]
    assert [system.name for system in report] == ["ours", "copy"]
    with pytest.raises(UsageError, match="no system 'theirs'; it has ours, copy"):
        report["theirs"]
    with pytest.raises(UsageError, match="no score by 'bleu'; it has sari"):
        report["ours"]["bleu"]


def test_a_metric_called_on_texts_scores_as_a_scorer_does() -> None:
    expected = Scorer("en", ["sari"]).score(SOURCES, OUTPUTS, REFERENCES).systems[0]["sari"]
    assert Sari()(SOURCES, OUTPUTS, REFERENCES) == expected


def test_variants_of_a_metric_have_the_names_by_which_they_can_be_asked_for() -> None:
    exp, none = Bleu(smoothing="exp"), Bleu(smoothing="none")
    given = ["The cat sat on the mat."], ["The cat sat."], [["A cat sat."]]
    (system,) = scorer_of(Bleu(), exp, none).score(*given)
    assert list(system.scores) == ["bleu", EXP, NONE] and system[EXP] > system[NONE] == 0
    assert scorer_of("bleu", EXP, NONE).score(*given).systems[0].scores == system.scores
    assert exp.name == "bleu", "the given object keeps its name"
    assert pickle.loads(pickle.dumps(exp)).full_name == EXP
    options = "bleu[smoothing=none,lowercase=yes]"
    mean = f"mean:{options},sari"
    assert parse_names(f"sari,{EXP}, {options},{mean}") == ["sari", EXP, options, mean]
    assert make_metric(mean).name == mean
    for name, message in (("bleu[exp]", r"write name\[option=value\]"), ("bleu[smooth=exp]", "option 'bleu.smooth'")):
        with pytest.raises(UsageError, match=message):
            scorer_of(name)


def test_evidence_is_gathered_once_and_only_if_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def explain(metric: WordCount, item: Item) -> dict[str, Any]:
        asked.append(item.source.raw)
        return {"explanations": len(asked)}

    monkeypatch.setattr(WordCount, "explain", explain)
    report = scorer_of(WordCount()).score(SOURCES, OUTPUTS)
    assert asked == []
    assert report.evidence(1)["output"]["explanations"] == report.evidence(1)["output"]["explanations"] == 1
    assert asked == [SOURCES[1]]
    kept = pickle.loads(pickle.dumps(report.systems[0].items[0].kept))
    assert type(kept) is dict and kept["explanations"] == 2


def test_a_scorer_saves_its_run_also_with_a_broken_item(tmp_path: Path) -> None:
    made = scorer_of(EXP, NONE)
    given = SOURCES, SYSTEMS, REFERENCES
    report = made.score(*given, save=tmp_path / "run")
    assert report == Run(tmp_path / "run").report()
    assert made.score(*given, save=tmp_path / "run", overwrite=True) == report
    with pytest.raises(InputError, match="the run is kept in"):
        scorer_of("sari").score(["", SOURCES[1]], OUTPUTS, REFERENCES, save=tmp_path / "broken")
    assert Run(tmp_path / "broken").summary.failed
