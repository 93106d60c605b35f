"""The evidence of a pair agrees with its scores, whatever a reader says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema.meaning.evidence import Findings, rescaled
from sema.meaning.focus import Focused
from sema.meaning.scores import word_sides
from sema.model.fact import Conflict, Kind
from sema.model.item import Item
from sema.model.links import LinkGrid
from sema.model.meaning import MARKED, Meaning
from sema.model.reading import Curve, PairReading, Scale, band
from sema.model.text import Text

SCALE = Scale(
    {
        "meaning": Curve(0.0, {"same": 1.0, "conflicts": 2.0}),
        "meaning_recall": Curve(0.0, {"kept": 1.0}),
        "meaning_precision": Curve(0.0, {"supported": 1.0, "conflicts": 2.0}),
    }
)
chance = st.floats(0.0, 1.0)
words = st.lists(st.tuples(chance, st.sampled_from([0.15, 1.0, 1.3])), min_size=1, max_size=30)


def item(source: str, output: str) -> Item:
    texts = Text.from_tokenized(source), Text.from_tokenized(output)
    weights = np.zeros((len(texts[0].words), len(texts[1].words)), np.float32)
    return Item(*texts, link_weights=(LinkGrid.whole(weights),))


def reading(kept: tuple[float, ...], supported: tuple[float, ...], same: float) -> PairReading:
    either = (same, 1 - same, 0.0)
    return PairReading(kept, supported, either, either, same, either, either, same)


def evidence(pair: Item, read: PairReading | None, told: list[Conflict]) -> Meaning:
    return Findings(pair, word_sides(pair, ()), told, read and Focused(read), SCALE).evidence


least = st.sampled_from(list(MARKED.values()))


@given(words, st.floats(0.02, 0.98), least)
def test_the_words_weighted_mean_is_the_share_unless_words_would_have_to_be_marked(
    given_words: list[tuple[float, float]], share: float, limit: float
) -> None:
    chances, weights = (np.array(column) for column in zip(*given_words, strict=True))
    scaled = rescaled(chances, weights, share, limit)
    if (chances < limit).any() or share >= limit:
        assert scaled.share() == pytest.approx(share, abs=1e-3)
    else:
        assert set(scaled.probabilities) == {limit}
    assert all(0 <= p <= 1 for p in scaled.probabilities) and all(w >= 0 for w in scaled.weights)


@given(words, st.floats(0.02, 0.98), least)
def test_no_word_is_marked_that_was_not(given_words: list[tuple[float, float]], share: float, limit: float) -> None:
    chances, weights = (np.array(column) for column in zip(*given_words, strict=True))
    scaled = np.array(rescaled(chances, weights, share, limit).probabilities)
    assert not ((scaled < limit) & (chances >= limit)).any()


@given(words, st.floats(0.02, 0.98), least)
def test_a_likelier_word_stays_likelier(given_words: list[tuple[float, float]], share: float, limit: float) -> None:
    chances, weights = (np.array(column) for column in zip(*given_words, strict=True))
    order = np.argsort(chances, kind="stable")
    scaled = np.array(rescaled(chances, weights, share, limit).probabilities)[order]
    assert (np.diff(scaled) >= -1e-9).all()


def test_one_wrong_word_carries_the_loss() -> None:
    chances, weights = np.array([0.98, 0.97, 0.1, 0.99]), np.ones(4)
    scaled = rescaled(chances, weights, 0.4, MARKED["output"])
    assert scaled.weights[2] > 1.5 and scaled.weights[0] == 1.0
    assert scaled.probabilities == pytest.approx((0.98, 0.97, 0.1, 0.99), abs=1e-6)


@pytest.mark.parametrize("read", [True, False])
def test_words_that_both_texts_have_are_not_marked_by_their_conflict(read: bool) -> None:
    pair = item("closes in two days", "closes in two weeks")
    pair.link_weights[0].weights[range(3), range(3)] = 1.0
    conflict = Conflict(Kind.NUMBER, (2, 3), (2, 3), "'two days' became 'two weeks'")
    shown = evidence(pair, reading((0.9,) * 4, (0.9,) * 4, 0.02) if read else None, [conflict])
    source, output = ([p < MARKED[side] for p in getattr(shown, side).probabilities] for side in MARKED)
    assert output == [False, False, False, True] and not any(source[:3])


def test_a_copy_is_whole_and_an_empty_output_nothing() -> None:
    copy = evidence(item("a b c", "a b c"), None, [])
    assert copy.scores == {"meaning": 100.0, "meaning_recall": 100.0, "meaning_precision": 100.0}
    assert set(copy.source.probabilities) == {1.0}
    assert set(evidence(item("a b", ""), None, []).scores.values()) == {0.0}


def test_a_conflict_lowers_the_scores_and_marks_its_words() -> None:
    pair = item("open on 16 June", "open on 16 August")
    read = reading((0.9,) * 4, (0.9,) * 4, 0.9)
    conflict = Conflict(Kind.NUMBER, (2, 3), (2, 3), "'16 June' became '16 August'")
    calm, wrong = (evidence(pair, read, told) for told in ([], [conflict]))
    assert wrong.scores["meaning"] < calm.scores["meaning"] - 20
    assert wrong.scores["meaning_precision"] < calm.scores["meaning_precision"] - 20
    assert wrong.output.probabilities[3] < 0.5 < wrong.output.probabilities[0]


def test_a_reader_may_answer_in_whole_numbers() -> None:
    pair, conflict = item("open on 16 June", "open on 16 August"), Conflict(Kind.NUMBER, (2, 3), (2, 3), "a date")
    whole, given = (evidence(pair, reading((one,) * 4, (one,) * 4, 0.9), [conflict]) for one in (1, 1.0))
    assert whole == given


def test_bands_put_scores_in_words() -> None:
    assert [band(score) for score in (100.0, 89.9, 69.9, 12.0)] == [
        "all that matters is kept",
        "details lost or added",
        "something that matters is lost or changed",
        "misleading or lost",
    ]


def test_a_side_says_below_which_probability_its_words_are_marked() -> None:
    pair = Item(Text.from_sentences([["a", "b"]]), Text.from_sentences([["a", "c"]]))
    assert evidence(pair, None, []).to_dict()["thresholds"] == {"lost": MARKED["source"], "added": MARKED["output"]}
