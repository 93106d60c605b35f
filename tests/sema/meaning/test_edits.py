"""The check of near copies: orders of words that cross."""

from __future__ import annotations

import pytest

from sema.meaning.edits import crossing


@pytest.mark.parametrize(
    ("first", "last", "where"),
    [("abcd", "abcd", ""), ("abcd", "cdab", ""), ("abcde", "acbde", ""), ("abcde", "adcbe", "bcd")],
)
def test_orders_cross_if_no_single_phrase_moved(first: str, last: str, where: str) -> None:
    start, end = crossing(first, last)
    assert first[start:end] == where
