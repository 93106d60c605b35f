"""Numbers that are a bound in one text and the other bound in the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sema.metrics.meaning.bounds import changed_bounds
from sema.metrics.meaning.listed import ListedFacts
from sema.metrics.meaning.words import Side
from sema.model.text import is_punctuation


class Facts(ListedFacts):
    """English lists with numbers by their digits."""

    def value(self, word: str) -> float | None:
        return float(word) if word.isdecimal() else None


@pytest.fixture(scope="module")
def facts() -> Facts:
    return Facts(Path("parsers/sema_english/facts.json"))


def side(text: str) -> Side:
    words = tuple(text.split())
    marks = np.array([is_punctuation(word) for word in words])
    nothing = np.zeros(len(words))
    return Side(words, marks, marks, marks, nothing, np.full(len(words), -1), nothing)


def reasons(facts: Facts, source: str, output: str) -> list[str]:
    return [found.reason for found in changed_bounds(side(source), side(output), facts)]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("no more than 12 visitors are admitted", "there can be 12 visitors inside or more"),
        ("at least 12 visitors", "at most 12 visitors"),
        ("the trial lasted over 12 weeks", "the trial lasted less than 12 weeks"),
        ("you may keep up to 12 hens .", "you must keep 12 or more hens ."),
    ],
)
def test_the_most_is_not_the_least(facts: Facts, source: str, output: str) -> None:
    assert len(reasons(facts, source, output)) == 1
    assert len(reasons(facts, output, source)) == 1


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("no more than 12 visitors are admitted", "up to 12 visitors can come in"),
        ("employees with 2 years or more", "employees with at least 2 years"),
        ("more than 12 visitors came", "12 visitors came"),
        ("at least 12 , and no more", "12 , at most 13"),
        ("at least 12 of 12 visitors", "at most 12 visitors"),
    ],
)
def test_other_words_for_it_are_no_other_bound(facts: Facts, source: str, output: str) -> None:
    assert reasons(facts, source, output) == []
