"""Fixtures that make items and score them by a metric."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from sema.metrics.base import Item, Metric
from sema.metrics.registry import make_metric
from sema.model.text import Text
from sema.options import Settings


@dataclass(frozen=True)
class Results:
    items: tuple[float, ...]
    corpus: float


class Pairs:
    """A lexicon that knows two pairs of synonyms and one of paraphrases."""

    signature = "pairs|1"

    def lemmas(self, word: str) -> frozenset[str]:
        return frozenset({word})

    def are_synonyms(self, first: str, second: str) -> bool:
        return {first, second} in ({"jail", "prison"}, {"lorries", "truck"}, {"sat", "slept"})

    def are_paraphrases(self, first: str, second: str) -> bool:
        return {first, second} == {"big", "sizeable"}

    def is_hyponym(self, word: str, other: str, *, depth: int = 3) -> bool:
        return False


def _item(source: str, output: str, *references: str) -> Item:
    """An item of tokenized sentences; a text's own sentences are separated by `` ||``."""
    return Item(
        Text.from_sentences([part.split() for part in source.split("||")]),
        Text.from_sentences([part.split() for part in output.split("||")]),
        references,
    )


def _results(metric: str | Metric, items: Sequence[Item], **options: object) -> Results:
    made = make_metric(metric, Settings(options)) if isinstance(metric, str) else metric
    rows = made.rows(items)
    return Results(tuple(map(made.item_value, rows)), made.corpus(rows))


@pytest.fixture(scope="session")
def make_item():
    """A function that makes an item of tokenized texts."""
    return _item


@pytest.fixture(scope="session")
def results():
    """A function that scores items by a metric or by a metric's name and options."""
    return _results


@pytest.fixture(scope="session")
def score():
    """A function that scores one tokenized item by a metric's name."""

    def run(name: str, source: str, output: str, *references: str, **options: object) -> float:
        return _results(name, [_item(source, output, *references)], **{"tokenizer": "none", **options}).items[0]

    return run
