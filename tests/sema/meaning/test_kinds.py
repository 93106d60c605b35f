"""The readers that languages share: exclusive values, negations, clauses in an order; orders that cross."""

from __future__ import annotations

import pytest

from sema.meaning import ClauseOrder, Exclusive, Fact, Joined, Kind, Negated, Negations
from sema.meaning.edits import crossing


def fact(value: object, kind: Kind = Kind.NUMBER) -> Fact:
    return Fact(kind, value, (0,), (1,))  # type: ignore[arg-type]


def test_exclusive_values_conflict_if_they_differ() -> None:
    assert Exclusive().conflict(fact("May"), fact("May")) is None
    assert Exclusive().conflict(fact("May"), fact("June")) == "{source} became {output}"


def test_a_negation_conflicts_with_a_plain_word_unless_it_is_loose() -> None:
    reader = Negations()
    assert reader.conflict(fact(Negated()), fact(None)) == "{source} is no longer negated"
    assert reader.conflict(fact(None), fact(Negated())) == "{output} is negated"
    assert reader.conflict(fact(Negated(loose=True)), fact(None)) is None
    assert Negated() == Negated(loose=True)


def test_clauses_conflict_if_most_of_both_changed_sides() -> None:
    reader = ClauseOrder()
    given = fact(Joined(frozenset("abc"), frozenset("xyz")))
    assert reader.conflict(given, fact(Joined(frozenset("xyz"), frozenset("abc"))))
    assert not reader.conflict(given, fact(Joined(frozenset("ab"), frozenset("xy"))))
    assert not reader.conflict(given, fact(Joined(frozenset("xb"), frozenset("ay"))))


@pytest.mark.parametrize(
    ("first", "last", "where"),
    [("abcd", "abcd", ""), ("abcd", "cdab", ""), ("abcde", "acbde", ""), ("abcde", "adcbe", "bcd")],
)
def test_orders_cross_if_no_single_phrase_moved(first: str, last: str, where: str) -> None:
    start, end = crossing(first, last)
    assert first[start:end] == where
