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

    def likeness(self, source: str, output: str) -> float:
        return float({source, output} != {"rich", "poor"})


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
    assert scene.because == ("Participant: 'Mary'",)


def test_exchanged_roles_are_a_change_and_a_passive_is_none() -> None:
    swapped = gather_meaning(item(LOVES, graph("Mary loves John", (1, [[0], [2]]))), Facts())
    passive = item(LOVES, graph("Mary was loved by John", (2, [[0], [3, 4]])), synonyms={"loves": "loved"})
    assert swapped.source_scenes[0].state is SourceState.CHANGED
    assert "exchanged" in swapped.source_scenes[0].because[0]
    assert transparent(swapped)["meaning"] < 80
    assert gather_meaning(passive, Facts()).source_scenes[0].state is SourceState.KEPT
    assert scores(passive)["meaning"] > 95


@pytest.mark.parametrize("turned_round", [False, True])
def test_a_negation_gone_or_new_turns_the_scene(turned_round: bool) -> None:
    plain, negated = graph("he saw Mary", (1, [[0], [2]])), graph("he not saw Mary", (2, [[0], [3]]))
    pair = (negated, plain) if turned_round else (plain, negated)
    meaning = gather_meaning(item(*pair), Facts())
    assert any("polarity" in reason for scene in meaning.source_scenes for reason in scene.because)
    assert scores(item(*pair))["meaning"] < 80
    assert scores(item(negated, negated))["meaning"] == 100


def test_an_opposite_is_no_counterpart() -> None:
    pair = item(graph("rich men left", (2, [[0, 1]])), graph("poor men left", (2, [[0, 1]])), synonyms={"rich": "poor"})
    assert gather_meaning(pair, Facts()).source.probabilities[0] == 0


def test_another_number_is_a_change() -> None:
    pair = item(graph("he paid 13", (1, [[0], [2]])), graph("he paid 15", (1, [[0], [2]])))
    (scene,) = gather_meaning(pair, Facts()).source_scenes
    assert scene.state is SourceState.CHANGED
    assert scene.because[0] == "number: '13' became '15'"


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
