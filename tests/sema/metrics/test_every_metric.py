"""Properties of every listed metric: rows add up, scores lie in the range, objects pickle, options are described."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sema.analysis.matching import OutputLinks, gather_evidence
from sema.analysis.pairs import linked_pairs
from sema.errors import InputError
from sema.features.wording import Lengths
from sema.judges.model import Judge, JudgeScale, Linear
from sema.judges.storage import save_judge
from sema.meaning.evidence import find
from sema.metrics.base import Item, Metric, Need, renamed, sum_rows
from sema.metrics.registry import listed_metrics, make_metric, metric_factory
from sema.model.links import Link, LinkKind
from sema.model.scene_graph import Scene
from sema.model.text import Text
from sema.options import Option, Settings, options_of
from tests.bare_parts import Levels, parts_with_levels
from tests.cases import cases
from tests.metric_fixtures import Pairs

NEEDS_A_MODEL = {"bertscore_p", "bertscore_r", "bertscore_f1"}
NEEDS_AN_EXTRA = () if find_spec("rouge_score") else ("rouge1", "rouge2", "rougeL")
JUDGED = ["fluency", "simplicity", "overall"]
LISTED = [name for name in [*listed_metrics(), *JUDGED] if name not in NEEDS_AN_EXTRA]
NAMES = [name for name in LISTED if name not in NEEDS_A_MODEL]
MEANS = ["mean:sari,bleu", "gmean:ibleu,sari", "mean:ld_source,samsa", "gmean:sema,fkbleu"]


def level_of_length(text: Text) -> float:
    return min(6.0, 0.75 + len(text.words) / 2)


sentences = st.lists(st.sampled_from(["a", "cat", "sat", "down", ".", "Then", "it", "slept"]), min_size=1, max_size=7)
texts = st.lists(sentences, min_size=1, max_size=3)


def analysed(source: list[list[str]], output: list[list[str]], references: list[list[list[str]]]) -> Item:
    """An item with links between equal words, and a Scene whose relation is the source's first word."""
    texts = Text.from_sentences(source), Text.from_sentences(output)
    words = list(enumerate(texts[0].words))
    links = tuple(
        tuple(Link(index, sentence.index(word), LinkKind.EXACT) for index, word in words if word in sentence)
        for sentence in texts[1].sentence_words
    )
    rest = tuple(range(1, len(words)))
    scene = Scene(((0,),), tuple((((token,),)) for token in rest), (0, *rest))
    evidence = (gather_evidence([scene], OutputLinks(links)),)
    raws = tuple(Text.from_sentences(reference).raw for reference in references)
    item = Item(*texts, raws, links, scenes=(scene,), evidence=evidence, likely_links=linked_pairs(links))
    return replace(item, findings=find([item], ((), ()))[0])


items = st.builds(analysed, texts, texts, st.lists(texts, min_size=1, max_size=3))


def judge(aspect: str) -> Judge:
    """A judge that finds a text the better the fewer words it has."""
    names = tuple(f"lengths.{name}" for name in Lengths.features)
    zeros = np.zeros(len(names))
    weights = np.where(np.array(names) == "lengths.words", -0.1, 0.0)
    model = Linear(zeros, zeros + 1, zeros - 100, zeros + 100, weights, 0.5)
    scale = JudgeScale(((-1.0, 1.0), (0.0, 100.0)), 2.0, (-1.0, 1.0))
    return Judge(aspect, "en", ("lengths",), names, ((1.0, model),), scale)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory):
    """A function that makes a metric with whatever it cannot do without."""
    folder = tmp_path_factory.mktemp("needed")
    for aspect in JUDGED:
        save_judge(judge(aspect), folder / aspect)
    english = SimpleNamespace(code="en", lexicon=None, wording=None, once=lambda make: make(None))

    @cache
    def make(name: str) -> Metric:
        if name in JUDGED:
            return make_metric(name, Settings({f"{name}.judge": folder / name})).bind(english)  # type: ignore[arg-type]
        if name.startswith("meteor"):
            return metric_factory(name)(tokenizer="none", lexicon=Pairs())
        wanted = {"tokenizer": "none", "cefr.target": "A2"}
        metric = make_metric(name, Settings(wanted))
        return metric.bind(parts_with_levels(Levels(level_of_length))) if name.startswith("cefr") else metric

    return make


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(given_items=st.lists(items, min_size=2, max_size=6), cut=st.integers(0, 6))
def test_rows_add_up_and_stay_in_range(build, given_items: list[Item], cut: int) -> None:
    for name in [*NAMES, *MEANS]:
        metric = build(name)
        rows = list(metric.rows(given_items))
        assert all(type(row) is tuple and all(type(number) is float for number in row) for row in rows), name
        assert [*metric.rows(given_items[:cut]), *metric.rows(given_items[cut:])] == rows, name
        halves = [sum_rows(rows[:cut]), sum_rows(rows[cut:])]
        value = metric.value(sum_rows(half for half in halves if half))
        assert value == pytest.approx(metric.corpus(rows), nan_ok=True), name
        low, high = metric.range
        scored = [*zip(rows, map(metric.item_value, rows), strict=True), (sum_rows(rows), metric.corpus(rows))]
        for row, score in scored:
            assert low - 1e-9 <= score <= high + 1e-9 or (math.isnan(score) and not any(row)), name


@pytest.mark.parametrize("name", NAMES)
def test_a_metric_scores_the_same_pickled_or_under_another_name_and_nothing_without_items(build, name: str) -> None:
    metric = build(name)
    item = analysed([["a", "cat", "sat", "."]], [["a", "cat"], ["slept"]], [[["the", "cat", "slept"]]])
    for same in (pickle.loads(pickle.dumps(metric)), renamed(metric, "other")):
        assert same.rows([item]) == metric.rows([item])
    assert math.isnan(metric.corpus([]))


@pytest.mark.parametrize("output", [[], [[".", "..."]]], ids=["nothing", "punctuation"])
def test_judges_find_an_output_without_words_bad_for_no_feature(build, output: list[list[str]]) -> None:
    item = analysed([["a", "cat"]], output, [])
    for name in JUDGED:
        assert build(name).scores([item]) == [0]
        assert build(name).explain(item) == {name: {"label": "bad", "probability": 1.0, "drivers": {}}}


@cases("copies")
def test_a_copy_has_the_score_that_its_metric_promises(build, name: str, expected: float) -> None:
    text = [["down", "then", "it", "slept"]]
    assert build(name).corpus(build(name).rows([analysed(text, text, [text])])) == pytest.approx(expected)


@pytest.mark.parametrize("name", LISTED)
def test_every_listed_metric_describes_itself(name: str) -> None:
    metric = make_metric(name)
    assert metric.name == name
    assert metric.description and ".txt" not in metric.description
    assert metric.range[0] < metric.range[1] and not any(map(math.isnan, metric.range))
    assert isinstance(metric.higher_is_better, bool)
    for option in options_of(metric_factory(name)).values():
        assert option.description and str(option).startswith(f"{option.name}=")
        assert option.kind in (str, int, float, bool, Path)


@pytest.mark.parametrize("name", [name for name in NAMES if Need.REFERENCES in make_metric(name).requires])
@pytest.mark.parametrize("references", [(), ("",), (" ", "")])
def test_a_missing_reference_is_named(build, name: str, references: tuple[str, ...]) -> None:
    item = analysed([["a"]], [["a"]], [[["a"]]])
    with pytest.raises(InputError, match=f"{name} needs a reference, and item 1"):
        build(name).rows([item, replace(item, references=references)])


def other_values(option: Option) -> list[object]:
    """Values of an option that are not its default."""
    values = option.choices or {bool: (True, False), int: (2, 3), float: (0.25, 1)}.get(option.kind, ("A2", "B1"))
    return [value for value in values if value != option.default]


@pytest.mark.parametrize("name", [*LISTED, *MEANS])
def test_a_metric_s_name_has_its_options_and_makes_an_equal_one(name: str) -> None:
    plain = make_metric(name)
    defaults = {option.name: option.default for option in options_of(type(plain)).values()}
    assert repr(plain) == name and (name in MEANS or type(plain)(**defaults) == plain)
    made = [plain]
    needed = {"model": "M"} if name in NEEDS_A_MODEL else {}
    for option in options_of(metric_factory(name)).values() if name in LISTED else ():
        made += [make_metric(name, Settings({**needed, option.name: value})) for value in other_values(option)]
    assert len(set(made)) == len(made)
    for metric in made:
        same = make_metric(repr(metric))
        assert (repr(same), same, hash(same)) == (repr(metric), metric, hash(metric))


def test_metrics_of_other_classes_options_or_parts_differ() -> None:
    names = ["sari", "sari_easse", "bleu[smoothing=exp]", "bleu[smoothing=floor]", "mean:sari,bleu", "gmean:sari,bleu"]
    names += ["mean:sari,bleu[smoothing=exp]", "mean:bleu,sari", "ibleu[alpha=0.5]"]
    assert len({make_metric(name) for name in [*names, *names, "ibleu[alpha=.5]"]}) == len(names)
