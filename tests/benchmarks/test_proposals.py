import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.metaeval.sari_contextual import SariContextual, contextual_sari
from sema import Scorer
from sema.metrics.sari import SariScore, sari

distinct = st.lists(st.sampled_from("abcdefg"), unique=True, max_size=7)


def same(first: list[str], second: list[str]) -> np.ndarray:
    return np.array([[float(one == two) for two in second] for one in first]).reshape(len(first), len(second))


def by_identity(source: list[str], output: list[str], *references: list[str]) -> SariScore:
    return contextual_sari(
        same(source, output), [same(source, own) for own in references], [same(output, own) for own in references]
    )


@given(distinct, distinct, distinct)
def test_equal_or_not_is_sari(source: list[str], output: list[str], reference: list[str]) -> None:
    expected = sari(source, output, [reference])
    found = by_identity(source, output, reference)
    assert (found.add, found.keep, found.delete) == pytest.approx((expected.add, expected.keep, expected.delete))


def test_degrees_by_hand() -> None:
    # Source x; output y, .6 like it; the reference z is .5 like the source and .8 like the output. Pieces alone count,
    # a quarter of each part. Added: .4 of the output, met by .8, of .5 wanted, of which .5 are met: 1 and 1. Kept: .5
    # of .6 and of .5: precision 5/6, recall 1. Deleted: .4 of .4.
    one = [np.array([[value]]) for value in (0.6, 0.5, 0.8)]
    found = contextual_sari(one[0], [one[1]], [one[2]])
    assert (found.add, found.keep, found.delete) == pytest.approx((25, 25 * 10 / 11, 25))
    # Two pieces: the pair is as similar as the geometric mean of its pieces, the root of .9 times .4.
    pair = np.array([[0.9, 0.0], [0.0, 0.4]])
    kept = contextual_sari(pair, [pair], [np.eye(2)])
    assert kept.keep == pytest.approx(50) and kept.delete == pytest.approx(50)


def test_other_words_of_the_same_sense_count() -> None:
    source, output, reference = "He got a large dog.", "He got a big dog.", "He got a huge dog."
    scores = Scorer("en", ["sari", SariContextual()]).score([source], [output], [[reference]]).systems[0].scores
    assert scores["sari_contextual"] > scores["sari"]
    same_words = Scorer("en", [SariContextual()]).score([source] * 2, [output, source], [[output]] * 2)
    whole, copied = (item.scores["sari_contextual"] for item in same_words.systems[0].items)
    assert whole == pytest.approx(100) and copied < 50, "a copy deletes nothing, not a rounding error's share"
