"""The meaning metrics: formulas and facts on hand-made items, no model involved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sema.metrics.meaning.evidence import gather_meaning
from sema.metrics.meaning.metrics import MeaningPrecision, MeaningRecall, MeaningScore, transparent
from sema.metrics.meaning.plain import PlainFacts
from sema.model.item import Item
from sema.model.meaning import Meaning, OutputState, SourceState, Words
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text


class Facts(PlainFacts):
    """A few words of English."""

    def is_weak(self, word: str) -> bool:
        return word in ("the", "a", "by", "was", "not", "He", "he", ".")

    def negates(self, word: str) -> bool:
        return word == "not"

    def is_pronoun(self, word: str) -> bool:
        return word.lower() == "he"

    def marks_agent(self, word: str) -> bool:
        return word == "by"

    def denies(self, word: str) -> bool:
        return word == "failed"

    def opposed(self, first: str, second: str) -> bool:
        return {first, second} in ({"rich", "poor"}, {"open", "closed"})

    def strength(self, word: str) -> tuple[str, int] | None:
        return {"few": ("quantity", 0), "many": ("quantity", 2), "all": ("quantity", 4)}.get(word)

    def unit(self, word: str) -> str | None:
        return {"km": "km", "kilometres": "km", "miles": "mile"}.get(word)

    def order(self, word: str) -> int:
        return {"after": 1, "because": 1, "before": -1, "so": -1}.get(word, 0)

    def likeness(self, source: str, output: str) -> float:
        return float(not self.opposed(source, output))


def graph(text: str, *scenes: tuple[int, Sequence[Sequence[int]]]) -> SceneGraph:
    """A graph of Scenes, each with the token of its main relation and those of its Participants."""
    made = SceneGraph(text.split())
    for relation, participants in scenes:
        scene = made.add_child(made.root, "H")
        made.add_child(scene, "P", tokens=[relation])
        for tokens in participants:
            made.add_child(scene, "A", tokens=tokens)
    return made


def item(source: SceneGraph, *output: SceneGraph, synonyms: dict[str, str] | None = None) -> Item:
    """Equal words are linked for sure, and words with their synonyms."""
    same = synonyms or {}
    weights = tuple(
        np.array([[float(same.get(w, w).lower() == v.lower()) for v in sentence.tokens] for w in source.tokens], "f4")
        for sentence in output
    )
    return Item(
        Text.from_sentences([source.tokens]),
        Text.from_sentences([sentence.tokens for sentence in output]),
        graphs=(source,),
        output_graphs=tuple(output),
        link_weights=weights,
    )


LOVES = graph("John loves Mary", (1, [[0], [2]]))


def scores(found: Item) -> dict[str, float]:
    return transparent(gather_meaning(found, Facts()))


def test_a_copy_is_100_and_a_stranger_0() -> None:
    assert scores(item(LOVES, LOVES)) == {"meaning": 100, "meaning_recall": 100, "meaning_precision": 100}
    assert scores(item(LOVES, graph("oil rose sharply", (1, [[0]]))))["meaning"] == 0


def test_what_is_lost_costs_recall_and_what_is_added_precision() -> None:
    less = scores(item(LOVES, graph("John loves", (1, [[0]]))))
    more = scores(item(LOVES, graph("John loves Mary dearly", (1, [[0], [2]]))))
    assert less["meaning_recall"] < 100 == less["meaning_precision"]
    assert more["meaning_precision"] < 100 == more["meaning_recall"]


def test_an_empty_output_keeps_nothing() -> None:
    empty = Item(Text.from_sentences([LOVES.tokens]), Text.from_sentences([]), graphs=(LOVES,))
    assert scores(empty) == {"meaning": 0, "meaning_recall": 0, "meaning_precision": 0}


def test_a_lost_participant_is_named() -> None:
    meaning = gather_meaning(item(LOVES, graph("John loves", (1, [[0]]))), Facts())
    (scene,) = meaning.source_scenes
    assert scene.state is SourceState.PARTLY
    assert [str(reason) for reason in scene.because] == ["Participant: 'Mary'"]


def test_exchanged_roles_are_a_change_and_a_passive_is_none() -> None:
    swapped = gather_meaning(item(LOVES, graph("Mary loves John", (1, [[0], [2]]))), Facts())
    passive = item(LOVES, graph("Mary was loved by John", (2, [[0], [3, 4]])), synonyms={"loves": "loved"})
    assert swapped.source_scenes[0].state is SourceState.CHANGED
    assert "exchanged" in str(swapped.source_scenes[0].because[0])
    assert transparent(swapped)["meaning"] < 80
    assert gather_meaning(passive, Facts()).source_scenes[0].state is SourceState.KEPT
    assert scores(passive)["meaning"] > 95


@pytest.mark.parametrize("turned_round", [False, True])
def test_a_negation_gone_or_new_turns_the_scene(turned_round: bool) -> None:
    plain, negated = graph("he saw Mary", (1, [[0], [2]])), graph("he not saw Mary", (2, [[0], [3]]))
    pair = (negated, plain) if turned_round else (plain, negated)
    meaning = gather_meaning(item(*pair), Facts())
    assert any("polarity" in str(reason) for scene in meaning.source_scenes for reason in scene.because)
    assert scores(item(*pair))["meaning"] < 80
    assert scores(item(negated, negated))["meaning"] == 100


def test_an_opposite_is_no_counterpart() -> None:
    pair = item(graph("rich men left", (2, [[0, 1]])), graph("poor men left", (2, [[0, 1]])), synonyms={"rich": "poor"})
    assert gather_meaning(pair, Facts()).source.probabilities[0] == 0


def test_another_number_is_a_change() -> None:
    pair = item(graph("he paid 13", (1, [[0], [2]])), graph("he paid 15", (1, [[0], [2]])))
    (scene,) = gather_meaning(pair, Facts()).source_scenes
    assert scene.state is SourceState.CHANGED
    assert str(scene.because[0]) == "number: '13' became '15'"


def test_a_pronoun_with_one_antecedent_is_supported() -> None:
    source = graph("the teacher John came and left", (3, [[0, 1, 2]]), (5, [[0, 1, 2]]))
    output = graph("the teacher John came", (3, [[0, 1, 2]])), graph("He left", (1, [[0]]))
    meaning = gather_meaning(item(source, *output), Facts())
    assert meaning.output.probabilities[4] >= 0.9
    assert {scene.state for scene in meaning.output_scenes} == {OutputState.SUPPORTED}


def test_metrics_read_the_scores_of_their_evidence() -> None:
    pair = item(LOVES, graph("John loves", (1, [[0]])))
    for metric in (MeaningScore(), MeaningRecall(), MeaningPrecision()):
        (meaning,) = metric.evidence([pair])
        assert metric.scores([pair]) == [pytest.approx(metric.score(meaning))]
        shown = metric.explain(pair)
        assert len(shown["source_words"]) == 3
        assert len(shown["output_words"]) == len(shown["output"]) == 2


PROBABILITY = st.floats(0, 1)
WORD = st.tuples(PROBABILITY, st.floats(0.01, 3))


def words(found: Sequence[tuple[float, float]]) -> Words:
    return Words(tuple(p for p, _ in found), tuple(w for _, w in found))


@settings(deadline=None)
@given(st.lists(WORD, min_size=1), st.lists(WORD, min_size=1))
def test_scores_stay_within_bounds(source: list[tuple[float, float]], output: list[tuple[float, float]]) -> None:
    found = transparent(Meaning(words(source), words(output)))
    assert all(0 <= score <= 100 + 1e-9 for score in found.values())


@settings(deadline=None)
@given(st.lists(WORD, min_size=1), st.lists(WORD, min_size=1), st.data())
def test_losing_or_adding_never_raises_a_score(
    source: list[tuple[float, float]], output: list[tuple[float, float]], data: st.DataObject
) -> None:
    before = transparent(Meaning(words(source), words(output)))
    place = data.draw(st.integers(0, len(source) - 1))
    lost = [*source[:place], (source[place][0] * data.draw(PROBABILITY), source[place][1]), *source[place + 1 :]]
    added = [*output, (0.0, data.draw(st.floats(0.01, 3)))]
    after = transparent(Meaning(words(lost), words(added)))
    assert all(after[name] <= before[name] + 1e-9 for name in before)


def test_a_scene_said_again_is_a_repeat_and_a_subject_said_again_is_none() -> None:
    again = gather_meaning(item(LOVES, LOVES, LOVES), Facts())
    assert str(again.output_scenes[1].because[0]) == "repeated: 'loves'"
    assert transparent(again)["meaning_recall"] == 100
    assert transparent(again)["meaning_precision"] == pytest.approx(60)
    source = graph("John came and left", (1, [[0]]), (3, [[0]]))
    split = item(source, graph("John came", (1, [[0]])), graph("John left", (1, [[0]])))
    assert scores(split)["meaning_precision"] == 100
    twice = graph("John loves Mary John loves Mary", (1, [[0], [2]]), (4, [[3], [5]]))
    assert scores(item(twice, twice))["meaning"] == 100


def reasons(source: str, output: str, relations: Sequence[int] = (), there: Sequence[int] = ()) -> set[str]:
    """The kinds of contradiction between two sentences, with the tokens of their Scenes' main relations."""
    made = [graph(text, *((t, ()) for t in tokens)) for text, tokens in ((source, relations), (output, there))]
    meaning = gather_meaning(item(*made), Facts())
    kinds = {"number", "unit", "name", "opposite", "quantity", "order", "polarity", "role"}
    return kinds & {str(reason).split(":")[0] for scene in meaning.source_scenes for reason in scene.because}


@pytest.mark.parametrize(
    ("source", "output", "kind"),
    [
        ("the road measures 25 km now", "the road measures 52 km now", "number"),
        ("the road measures 25 km now", "the road measures 25 miles now", "unit"),
        ("they left Berlin by boat", "they left Madrid by boat", "name"),
        ("the shop was open on Monday", "the shop was closed on Monday", "opposite"),
        ("all shops open early", "few shops open early", "quantity"),
        ("dogs chase big cats often", "cats chase big dogs often", "role"),
        ("they left after the rain stopped", "they left before the rain stopped", "order"),
        ("prices fell because demand sank", "demand sank because prices fell", "order"),
    ],
)
def test_what_is_said_otherwise_is_a_contradiction(source: str, output: str, kind: str) -> None:
    assert kind in reasons(source, output, [1], [1])
    assert not reasons(source, source, [1], [1])
    assert scores(item(graph(source, (1, ())), graph(output, (1, ()))))["meaning"] < 80


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("the road measures 25 km now", "the road measures 25 kilometres now"),
        ("about 3012 people came home", "about 3000 people came home"),
        ("they saw the United Nations there", "they saw the UN there"),
        ("many shops open early", "few more shops open early"),
        ("the shop was open on Monday", "the shop was not closed on Monday"),
        ("prices fell because demand sank", "demand sank so prices fell"),
        ("they left after the rain stopped", "the rain stopped before they left"),
        ("he failed the test", "he not passed the test"),
    ],
)
def test_what_is_said_in_another_way_is_none(source: str, output: str) -> None:
    assert not reasons(source, output, [1], [1]) - {"quantity"}


def test_one_contradiction_costs_the_sentence_around_it() -> None:
    word = scores(item(graph("he paid 13", (1, [[0], [2]])), graph("he paid well", (1, [[0]]))))
    number = scores(item(graph("he paid 13", (1, [[0], [2]])), graph("he paid 15", (1, [[0], [2]]))))
    assert number["meaning_recall"] < word["meaning_recall"]
