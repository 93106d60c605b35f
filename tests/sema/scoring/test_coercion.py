"""Arguments from Python: taken in their obvious meaning, or refused in one sentence of ours; never anything else."""

import inspect
import pickle
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sema_rerank.mixes import Mix
from sema_rerank.nbest import NBest
from sema_rerank.reranking import Reranker, rerank

import sema
from sema import InputError, MeanMetric, Metric, Report, Run, Scorer
from sema.errors import SemaError, UsageError
from sema.scoring.coerce import Columns, Inputs
from sema.scoring.item_scores import ItemScore
from sema.scoring.results import SystemScore
from tests.esperanto import WordCount, esperanto

A, B, C = "La kato dormas.", "Mi vidas domon.", "Li iras."
SOURCES, OUTPUTS = [A, B], [A, C]


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer(esperanto(), ["sema", "bleu"])


@pytest.fixture(scope="module")
def expected(scorer: Scorer) -> Report:
    return scorer.score(SOURCES, OUTPUTS, [[A, B], [C, B]])


def polars() -> Any:
    return pytest.importorskip("polars")


def arrow(values: list[str]) -> Any:
    return pytest.importorskip("pyarrow").chunked_array([values])


def pandas() -> Any:
    return pytest.importorskip("pandas")


ORDERED: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "tuple": tuple,
    "generator": lambda values: (value for value in values),
    "dict values": lambda values: dict(enumerate(values)).values(),
    "numpy": np.array,
    "numpy objects": lambda values: np.array(values, dtype=object),
    "pandas": lambda values: pandas().Series(values, index=[7] * len(values)),
    "pandas strings": lambda values: pandas().Series(values, dtype="string"),
    "polars": lambda values: polars().Series(values),
    "arrow": arrow,
}


@pytest.mark.parametrize("kind", ORDERED)
def test_whatever_has_an_order_is_a_list_of_texts(kind: str, scorer: Scorer, expected: Report) -> None:
    make = ORDERED[kind]
    assert scorer.score(make(SOURCES), make(OUTPUTS), [make([A, B]), make([C, B])]) == expected
    assert scorer.score(make(SOURCES), {"output": make(OUTPUTS)}, iter([[A, B], [C, B]])) == expected
    scores = sema.score(make(SOURCES), make(OUTPUTS), [[A, B], [C, B]], lang=esperanto(), metrics=["sema", "bleu"])
    assert scores == expected.systems[0].scores


@pytest.mark.parametrize("kind", ["list", "numpy", "pandas"])
def test_an_item_may_be_its_sentences_in_the_same_forms(kind: str, scorer: Scorer) -> None:
    make = ORDERED[kind]
    assert scorer.score([make([A, B])], [make([C])], [[A]]) == scorer.score([[A, B]], [[C]], [[A]])


def test_a_table_is_its_columns_where_columns_mean_something(scorer: Scorer, expected: Report) -> None:
    frame = pandas().DataFrame({"one": OUTPUTS, "two": SOURCES})
    scored = scorer.score(SOURCES, frame, pandas().DataFrame({"first": [A, C], "second": [B, B]}))
    assert [system.name for system in scored.systems] == ["one", "two"]
    assert scored.systems[0].scores == expected.systems[0].scores
    with pytest.raises(UsageError, match="sources is a table; give one of its columns"):
        scorer.score(frame, OUTPUTS)
    with pytest.raises(UsageError, match="two columns of one name"):
        scorer.score(SOURCES, pandas().concat([frame, frame], axis=1))


def test_a_table_of_polars_is_one_too(scorer: Scorer, expected: Report) -> None:
    frame = polars().DataFrame({"one": OUTPUTS, "two": SOURCES})
    scored = scorer.score(SOURCES, frame, polars().DataFrame({"first": [A, C], "second": [B, B]}))
    assert scored.systems[0].scores == expected.systems[0].scores


def test_lists_are_items_and_a_text_is_one_item() -> None:
    kwargs: dict[str, Any] = {"lang": esperanto(), "metrics": [WordCount()]}
    assert sema.score([A, B], [A, "Iras."], **kwargs) == {"words": 3.0}  # 4 and 2 words
    assert sema.score(A, "Iras.", **kwargs) == {"words": 2.0}
    with pytest.raises(UsageError, match="one system"):
        sema.score([A, B], {"one": OUTPUTS, "two": OUTPUTS}, **kwargs)


@pytest.mark.parametrize(
    ("sources", "outputs", "references", "said"),
    [
        ({A, B}, OUTPUTS, None, "sources is a set, which has no order"),
        (SOURCES, frozenset(OUTPUTS), None, "outputs is a frozenset, which has no order"),
        (SOURCES, {"one": {A, C}}, None, "the outputs of 'one' is a set, which has no order"),
        ({"one": A, "two": B}, OUTPUTS, None, "sources is a dict, which has no order"),
        (SOURCES, OUTPUTS, {"one": [A, B]}, "references is a dict, which has no order"),
        (SOURCES, OUTPUTS, [{A, B}, [C]], "the references of item 0 are a set, which has no order"),
        (A, OUTPUTS, None, "sources is a single text"),
        (b"bytes", OUTPUTS, None, "sources is a single text"),
        (SOURCES, A, None, "outputs is a single text"),
        (SOURCES, OUTPUTS, A, "references is a single text"),
        (np.array([[A, B]]), OUTPUTS, None, "sources is a ndarray"),
        (np.array(A), OUTPUTS, None, "sources is a ndarray"),
        (None, OUTPUTS, None, "sources is missing"),
        (5, OUTPUTS, None, "sources is an int"),
        (SOURCES, None, None, "outputs is missing"),
        (SOURCES, {}, None, "there are no outputs"),
        (SOURCES, {1: OUTPUTS, "1": OUTPUTS}, None, "two systems have one name"),
        ([], [], None, "there are no sources"),
        (iter(()), iter(()), None, "there are no sources"),
        ([A, {B}], OUTPUTS, [[A], [B]], "item 1: the source is a set and no text"),
        ([A, b"B"], OUTPUTS, [[A], [B]], "item 1: the source is bytes"),
    ],
)
def test_meaningless_values_are_refused_with_a_reason(
    scorer: Scorer, sources: Any, outputs: Any, references: Any, said: str
) -> None:
    with pytest.raises(InputError) as caught:
        scorer.score(sources, outputs, references)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


class OtherCount(WordCount):
    """Another metric of the same name."""


def test_equal_metrics_may_come_twice_and_other_metrics_of_one_name_not() -> None:
    given = ["sema", "bleu", WordCount(), "sema", WordCount(least=0)]
    assert [metric.name for metric in Scorer(esperanto(), given).metrics] == ["sema", "bleu", "words"]
    with pytest.raises(UsageError, match=r"two metrics are called 'words\[least=3\]'"):
        Scorer(esperanto(), [WordCount(least=3), OtherCount(least=3)])


def test_a_scorer_pickles_and_scores_the_same() -> None:
    scorer = Scorer("en", ["sari", "fkgl"], level="passage", options={"sari.lowercase": True})
    scorer.score([A], [C], [[B]])
    copied = pickle.loads(pickle.dumps(scorer))
    assert copied.signature == scorer.signature
    assert copied.score([A], [C], [[B]]) == scorer.score([A], [C], [[B]])


# Nothing but errors of ours


class Nameless(MeanMetric):
    def scores(self, items: Any) -> list[float]:
        return [1.0 for _ in items]


WEIRD: list[Any] = [
    None, True, 0, -1, 3, 2.5, "", "a", "2", "../x", b"a", (), [], {}, set(), [None], ["a"], [5], {"a": 1}, {1: [A]},
    object(), Metric, WordCount, Nameless(), np.array(["a"]), np.array([[1.0]]), iter(["a"]), lambda: None, ...,
    float("nan"), [[["a"]]], (1, 2, 3), {"words.least": "x"}, Path("."), Exception("x"),
]  # fmt: skip


def _calls(tmp_path: Path) -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Public functions with arguments that work."""
    lang, metrics = esperanto(), [WordCount()]
    scorer = Scorer(lang, metrics)
    report = scorer.score(SOURCES, OUTPUTS)
    run = scorer.write(tmp_path / "run", SOURCES, {"output": OUTPUTS})
    yield "Scorer", Scorer, {"lang": lang, "metrics": metrics}
    yield "Scorer.score", scorer.score, {"sources": SOURCES, "outputs": OUTPUTS, "references": [[A], [B]]}
    yield "score", sema.score, {"source": A, "output": A, "lang": lang, "metrics": metrics}
    given = {"folder": tmp_path / "new", "sources": SOURCES, "outputs": {"output": OUTPUTS}}
    yield "Scorer.write", scorer.write, given
    yield "Report.evidence", report.evidence, {"index": 0}
    yield "Report.metric", report.metric, {"name": "words"}
    yield "Report.merge", Report.merge, {"reports": [report, report]}
    yield "Run", Run, {"folder": tmp_path / "run"}
    yield "Run.evidence", run.evidence, {"index": 0}
    yield "Run.texts", run.texts, {"index": 0}
    yield "Run.scores", run.scores, {"index": 0}
    yield "Mix.of", Mix.of, {"by": "sema"}
    yield "Reranker", Reranker, {"lang": lang, "by": WordCount()}
    yield "rerank", rerank, {"lists": [NBest.of(A, [A, B])], "by": WordCount(), "lang": lang}


UNCHECKED = {"scenes", "links", "progress", "place", "extractor", "aligner", "own"}
"""Arguments that hand over code or what was read from files."""


def test_public_functions_raise_errors_of_ours_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong: list[str] = []
    numbers = count()
    for name, function, good in _calls(tmp_path):
        function(**good)
        parameters = {*inspect.signature(function).parameters}
        if "columns" in parameters:  # a keyword argument for each of these
            parameters = (parameters - {"columns"}) | Columns.__annotations__.keys()
        for parameter in sorted(parameters):
            for value in WEIRD:
                if parameter in UNCHECKED or (parameter == "folder" and name == "Scorer.write"):
                    continue
                given = {**good, parameter: value}
                if name == "Scorer.write":
                    given["folder"] = tmp_path / f"run-{next(numbers)}"
                try:
                    function(**given)
                except SemaError as error:
                    if "\n" in str(error) or len(str(error)) > 400:
                        wrong.append(f"{name}({parameter}={value!r}): {error}")
                except Exception as error:
                    wrong.append(f"{name}({parameter}={value!r}): {type(error).__name__}: {error}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("count", [1, 3])
def test_scenes_are_as_many_as_sources(count: int) -> None:
    scenes = [InputError("no tree")] * count
    with pytest.raises(InputError, match=f"2 sources but scenes for {count}; give one"):
        Scorer("en", ["sema"]).score(["He came.", "It works."], ["He came.", "It works."], scenes=scenes)


def test_a_part_of_the_inputs_is_one_of_every_column_whatever_its_container() -> None:
    scenes: Any = np.array([InputError("one"), InputError("two")], dtype=object)
    part = Inputs(SOURCES, {"output": OUTPUTS}, scenes=scenes).part(1, 2)
    assert part.scenes is not None and [str(scene) for scene in part.scenes] == ["two"]


def test_failed_items_of_a_caller_keep_their_numbers() -> None:
    items = [ItemScore(5, {"bleu": 1.0}, {"bleu": (1.0,)}), ItemScore(7, {}, error="no text")]
    assert [item.index for item in SystemScore("output", {}, items).failed] == [7]
