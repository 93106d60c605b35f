"""The check of near copies: orders of words that cross."""

import numpy as np
import pytest

from sema.meaning.edits import crossing, near_copy
from sema.meaning.scores import WordSide
from sema.model.fact import Kind
from sema.model.item import Item
from sema.model.text import Text


@pytest.mark.parametrize(
    ("first", "last", "where"),
    [("abcd", "abcd", ""), ("abcd", "cdab", ""), ("abcde", "acbde", ""), ("abcde", "adcbe", "bcd")],
)
def test_orders_cross_if_no_single_phrase_moved(first: str, last: str, where: str) -> None:
    start, end = crossing(first, last)
    assert first[start:end] == where


def test_two_changes_in_one_word_are_one_place() -> None:
    """Chinese is compared by characters: the first and the last of the word differ, the one between does not."""
    source, output = map(Text.from_tokenized, ("大学生 今天 来 了 。", "中学校 今天 来 了 。"))
    side = WordSide(np.array([1.0, 1, 1, 0, 0]), np.array([0.0, 1, 1, 1, 1]))
    (conflict,) = near_copy(Item(source, output), (side, side))
    assert (conflict.kind, conflict.source, conflict.output) == (Kind.THING, (0,), (0,))
