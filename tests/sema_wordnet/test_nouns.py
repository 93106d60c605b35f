"""Nouns for different things, by the index that ships."""

import pytest
from sema_wordnet.nouns import name_different_things


@pytest.mark.parametrize(
    ("first", "second"),
    [("school", "hotel"), ("hotels", "schools"), ("books", "wine"), ("deputy", "brother"), ("nurses", "patients")],
)
def test_different_things_conflict_in_both_directions(first: str, second: str) -> None:
    assert name_different_things(first, second)
    assert name_different_things(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("bush", "shrub"),  # the same
        ("physician", "doctor"),
        ("novelist", "writer"),  # a kind of it
        ("physicist", "scientist"),
        ("detachment", "group"),  # too general
        ("manufacturer", "company"),
        ("produced", "made"),  # no nouns
        ("hotel", "xyzzy"),  # unknown
        ("hotel", "hotels"),
    ],
)
def test_the_same_a_kind_of_it_and_the_general_are_not(first: str, second: str) -> None:
    assert not name_different_things(first, second)
    assert not name_different_things(second, first)
