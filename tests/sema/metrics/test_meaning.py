"""The meaning metrics: formulas and facts on hand-made items, no model involved."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sema.meaning.edits import near_copy
from sema.meaning.evidence import find
from sema.meaning.scores import WordSide, linked_words, shares, word_sides
from sema.metrics.meaning import MeaningPrecision, MeaningRecall, MeaningScore
from sema.model.fact import BECAME, Fact, Kind
from sema.model.item import Item
from sema.model.links import LinkGrid
from sema.model.meaning import MARKED, Meaning, SourceState, Words
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text


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
        link_weights=tuple(map(LinkGrid.whole, weights)),
    )


LOVES = graph("John loves Mary", (1, [[0], [2]]))


class Numbers:
    """A reader of figures, in whatever place."""

    kind = Kind.NUMBER
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        return [Fact(self.kind, word, (token,)) for token, word in enumerate(text.words) if word.isdecimal()]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        return None if source.value == output.value else BECAME


def evidence(pair: Item) -> Meaning:
    return find([pair], [Numbers()], ["the", "in"])[0].evidence


def scores(pair: Item) -> dict[str, float]:
    made = evidence(pair).scores
    assert made is not None
    return dict(made)


def test_a_copy_is_100_and_an_unrelated_text_0() -> None:
    assert scores(item(LOVES, LOVES)) == {"meaning": 100, "meaning_recall": 100, "meaning_precision": 100}
    unrelated = scores(item(LOVES, graph("cats eat fish", (1, [[0], [2]]))))
    assert unrelated == {"meaning": 0, "meaning_recall": 0, "meaning_precision": 0}


def test_losses_lower_recall_and_additions_precision() -> None:
    less = scores(item(LOVES, graph("John loves", (1, [[0]]))))
    assert less["meaning_recall"] == pytest.approx(200 / 3)
    assert less["meaning_precision"] == 100
    more = scores(item(graph("John loves", (1, [[0]])), graph("loves Mary John", (0, [[2], [1]]))))
    assert more["meaning_recall"] == 100
    assert more["meaning_precision"] == pytest.approx(200 / 3)


def test_meaning_is_the_weighted_geometric_mean_of_its_shares() -> None:
    values = shares(Words((0.5, 1.0), (1.0, 1.0)), Words((0.5,), (1.0,)))
    assert values["meaning_recall"] == 75
    assert values["meaning_precision"] == 50
    assert values["meaning"] == pytest.approx(100 * 0.75**0.7 * 0.5**0.3)


def test_an_empty_output_keeps_nothing() -> None:
    assert scores(item(LOVES)) == {"meaning": 0, "meaning_recall": 0, "meaning_precision": 0}


def test_a_lost_participant_is_named() -> None:
    (scene,) = evidence(item(LOVES, graph("John loves", (1, [[0]])))).source_scenes
    assert scene.state is SourceState.PARTLY
    assert [str(reason) for reason in scene.because] == ["lost: Participant: 'Mary'"]


def test_a_conflict_costs_its_words_most_and_its_sentence_much() -> None:
    source = graph("in 1918 John met Mary", (3, [[2], [4]]))
    output = graph("in 1920 John met Mary", (3, [[2], [4]]))
    (analysed,) = find([item(source, output)], [Numbers()], ["the", "in"])
    for words in analysed.linked:
        assert words.probabilities == pytest.approx([0.4, 0.0, 0.4, 0.4, 0.4])
    shown = analysed.evidence
    assert [p < MARKED["source"] for p in shown.source.probabilities] == [False, True, False, False, False]
    assert [p < MARKED["output"] for p in shown.output.probabilities] == [False, True, False, False, False]
    assert shown.recall == pytest.approx(analysed.linked[0].share())


def test_a_conflict_costs_other_sentences_their_share() -> None:
    side = WordSide(np.ones(4), np.ones(4))
    text = Text.from_sentences([["a", "b"], ["c", "d"]])
    assert linked_words(text, side, {1}).probabilities == pytest.approx([0.4, 0.1, 0.7, 0.7])


def test_a_word_put_into_a_copy_is_a_conflict() -> None:
    source = graph("John loves the girl next door", (1, [[0], [2, 3, 4, 5]]))
    output = graph("John loves the blind girl next door", (1, [[0], [2, 3, 4, 5, 6]]))
    (conflict,) = near_copy(item(source, output), word_sides(item(source, output), ["the"]))
    assert conflict.reason == "'blind' is added"
    assert (conflict.source, conflict.output) == ((1,), (3,))


def test_a_word_in_anothers_place_is_a_conflict_unless_it_is_linked() -> None:
    source = graph("the committee approved the annual report in May", (2, [[0, 1], [3, 4, 5]]))
    output = graph("the committee burned the annual report in May", (2, [[0, 1], [3, 4, 5]]))
    (conflict,) = near_copy(item(source, output), word_sides(item(source, output), ["the", "in"]))
    assert conflict.reason == "'approved' became 'burned'"
    linked = item(source, output, synonyms={"approved": "burned"})
    assert near_copy(linked, word_sides(linked, ["the", "in"])) == []


@pytest.mark.parametrize(
    ("output", "conflicts"),
    [
        ("Mary , who left , loves John", 1),
        ("who left , John , loves Mary", 0),
        ("John , who left , loves Mary", 0),
    ],
)
def test_the_same_words_in_another_order_are_a_conflict_unless_a_clause_moved(output: str, conflicts: int) -> None:
    pair = item(graph("John , who left , loves Mary", (5, [[0], [6]])), graph(output, (5, [[0], [6]])))
    assert len(near_copy(pair, word_sides(pair, ()))) == conflicts


def test_metrics_read_the_scores_of_their_evidence() -> None:
    pair = item(LOVES, graph("John loves", (1, [[0]])))
    with pytest.raises(ValueError, match="a Scorer prepares"):
        MeaningScore().scores([pair])
    pair = replace(pair, findings=find([pair], (), ())[0])
    for metric in (MeaningScore(), MeaningRecall(), MeaningPrecision()):
        meaning = metric.findings(pair).evidence
        assert meaning.scores and metric.scores([pair]) == [pytest.approx(meaning.scores[metric.name])]
        shown = metric.explain(pair)
        assert len(shown["source_words"]) == 3
        assert len(shown["output_words"]) == len(shown["output"]) == 2


PROBABILITY = st.floats(0, 1)
WORD = st.tuples(PROBABILITY, st.floats(0.01, 3))


def words(probabilities: Sequence[tuple[float, float]]) -> Words:
    return Words(tuple(p for p, _ in probabilities), tuple(w for _, w in probabilities))


@settings(deadline=None)
@given(st.lists(WORD, min_size=1), st.lists(WORD, min_size=1))
def test_scores_stay_within_bounds(source: list[tuple[float, float]], output: list[tuple[float, float]]) -> None:
    values = shares(words(source), words(output))
    assert all(0 <= score <= 100 + 1e-9 for score in values.values())


@settings(deadline=None)
@given(st.lists(WORD, min_size=1), st.lists(WORD, min_size=1), st.data())
def test_losing_or_adding_never_raises_a_score(
    source: list[tuple[float, float]], output: list[tuple[float, float]], data: st.DataObject
) -> None:
    before = shares(words(source), words(output))
    place = data.draw(st.integers(0, len(source) - 1))
    lost = [*source[:place], (source[place][0] * data.draw(PROBABILITY), source[place][1]), *source[place + 1 :]]
    added = [*output, (0.0, data.draw(st.floats(0.01, 3)))]
    after = shares(words(lost), words(added))
    assert all(after[name] <= before[name] + 1e-9 for name in before)
