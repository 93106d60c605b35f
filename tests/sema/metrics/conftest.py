from __future__ import annotations

import pytest

from sema.metrics import REGISTRY, Item, MetricOptions
from sema.model.text import Text


def _item(source: str, output: str, *references: str) -> Item:
    """An item of tokenized sentences; a text's own sentences are separated by `` ||``."""
    return Item(
        Text.from_sentences([part.split() for part in source.split("||")]),
        Text.from_sentences([part.split() for part in output.split("||")]),
        references,
    )


@pytest.fixture(scope="session")
def make_item():
    """A function that makes an item of tokenized texts."""
    return _item


@pytest.fixture(scope="session")
def score():
    """Score one tokenized item by a metric's name."""

    def run(name: str, source: str, output: str, *references: str, **options: object) -> float:
        metric = REGISTRY.create(name, MetricOptions(**{"tokenizer": "none", **options}))
        return metric.score([_item(source, output, *references)]).items[0]

    return run
