from dataclasses import replace

import numpy as np
import pytest

from sema.metrics.base import Item, Need
from sema.metrics.operations import Operations, operations, select_references
from sema.metrics.registry import make_metric
from sema.model.links import Link, LinkGrid, LinkKind


@pytest.fixture
def item(make_item) -> Item:
    plain = make_item("The huge cat slept , quietly .", "the big cat slept . || it slept .")
    links = (
        tuple(
            Link(source, output, kind)
            for source, output, kind in (
                (0, 0, LinkKind.FORM),
                (1, 1, LinkKind.SYNONYM),
                (2, 2, LinkKind.EXACT),
                (3, 3, LinkKind.EXACT),
            )
        ),
        (Link(2, 0, LinkKind.CONTEXTUAL), Link(3, 1, LinkKind.EXACT)),
    )
    return replace(plain, links=links)


def test_deletions_replacements_and_split(item: Item) -> None:
    # "cat" is linked to "it" in the second sentence, but also to itself in the first: not replaced. Case is no change.
    assert operations(item) == Operations(words=5, deletions=(5,), replacements=(1,), split=True)


def test_probabilities_decide_where_there_are_some(item: Item) -> None:
    weights = np.zeros((6, 6), np.float32)
    weights[0, 0], weights[1, 1], weights[2, 2], weights[5, 1] = 0.9, 0.39, 0.41, 0.4
    likely = replace(item, link_weights=(LinkGrid.whole(weights), LinkGrid.whole(np.zeros((6, 3), np.float32))))
    assert operations(likely) == Operations(words=5, deletions=(1, 3), replacements=(5,), split=True)


def test_as_shares_of_the_source_s_words(item: Item, results) -> None:
    for name in ("deletions", "replacements"):
        metric = make_metric(name)
        assert metric.requires == {Need.LINK_WEIGHTS}  # no Scenes are read for them
        assert results(metric, [item]).items == (20,)


@pytest.mark.parametrize(
    ("deletions", "replacements", "split", "references"),
    [
        ((), (), True, ("hsplit",)),
        ((1,), (), False, ("turk", "asset")),
        ((), (1,), False, ("turk", "asset")),
        ((1,), (2,), False, ("turk", "asset")),
        ((1,), (), True, ("asset",)),
        ((), (2,), True, ("asset",)),
        ((), (), False, ("asset",)),
    ],
)
def test_cases_of_section_4_4_2(
    deletions: tuple[int, ...], replacements: tuple[int, ...], split: bool, references: tuple[str, ...]
) -> None:
    done = Operations(9, deletions, replacements, split)
    assert select_references(done, ["hsplit"], ["turk"], ["asset"]) == references
