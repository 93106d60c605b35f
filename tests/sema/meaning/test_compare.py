"""How facts of two texts are paired and compared, with a toy reader and links by hand."""

from collections.abc import Sequence

import numpy as np
import pytest

from sema.meaning import BECAME, Conflict, Fact, FactReader, Kind, conflicts
from sema.model.item import Item
from sema.model.links import LinkGrid
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text

SYNONYMS = {"hens": "chickens", "bought": "purchased"}


class Counts:
    """Digits count the next word."""

    kind = Kind.NUMBER
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        words = text.words
        return [
            Fact(self.kind, int(word), (t,), (t + 1,))
            for t, word in enumerate(words)
            if word.isdigit() and t + 1 < len(words)
        ]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        near = isinstance(source.value, int) and isinstance(output.value, int) and abs(source.value - output.value) == 1
        return None if near else BECAME


def item(source: str, *output: str) -> Item:
    """An item whose equal words and listed synonyms are linked."""
    first, second = Text.from_tokenized(source), Text.from_sentences(map(str.split, output))
    weights = tuple(
        np.array([[other in (word, SYNONYMS.get(word)) for other in words] for word in first.words], np.float32)
        for words in second.sentence_words
    )
    return Item(first, second, link_weights=tuple(map(LinkGrid.whole, weights)))


def reasons(source: str, *output: str) -> list[str]:
    return [one.reason for one in conflicts(item(source, *output), [Counts()])]


@pytest.mark.parametrize(
    ("source", "output", "reason"),
    [
        ("We bought 3 hens", "We bought 5 hens", "'3' became '5'"),
        ("We bought 3 hens", "There were 5 chickens that we purchased", "'3' became '5'"),
        ("We saw 3 hens and 7 dogs", "We saw 7 hens and 3 dogs", "'3' and '7' are exchanged"),
        ("We saw 3 hens and 3 dogs", "We saw 3 hens and 9 dogs", "'3' became '9'"),
    ],
)
def test_another_fact_in_the_same_place_is_a_conflict(source: str, output: str, reason: str) -> None:
    assert reasons(source, output) == [reason]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("We bought 3 hens", ("We bought hens",)),  # left out
        ("We bought hens", ("We bought 3 hens",)),  # added
        ("We bought 3 hens and 7 dogs", ("We bought 7 dogs", "And 3 hens")),  # said in another order
        ("We bought 3 hens", ("We bought 4 hens",)),  # the reader takes neighbours for the same
        ("We bought 3 hens", ("We fed 5 dogs",)),  # about something else
    ],
)
def test_facts_that_agree_are_no_conflict(source: str, output: tuple[str, ...]) -> None:
    assert reasons(source, *output) == []


def test_a_conflict_names_its_words() -> None:
    (conflict,) = conflicts(item("We bought 3 hens", "Yes", "We bought 5 chickens"), [Counts()])
    assert conflict == Conflict(Kind.NUMBER, (2,), (3,), "'3' became '5'")


def test_each_change_is_reported_once() -> None:
    assert len(conflicts(item("We bought 3 hens", "We bought 5 hens"), [Counts(), Counts()])) == 1


def test_copies_and_empty_texts_have_no_conflicts() -> None:
    assert conflicts(item("We bought 3 hens", "We bought 3 hens"), [Counts()]) == []
    assert conflicts(item("We bought 3 hens"), [Counts()]) == []


def test_very_long_texts_are_not_compared() -> None:
    rest = "and so on " * 400
    assert conflicts(item(f"We bought 3 hens {rest}", f"We bought 5 hens {rest}"), [Counts()]) == []


def test_a_reader_follows_the_protocol() -> None:
    assert isinstance(Counts(), FactReader)
