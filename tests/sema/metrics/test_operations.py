from dataclasses import replace

import numpy as np
import pytest

from sema import Scorer
from sema.analysis.pairs import likely_pairs, linked_pairs
from sema.metrics.base import Item, Need
from sema.metrics.operations import Operations, select_references
from sema.metrics.registry import make_metric
from sema.model.links import Link, LinkGrid, LinkKind
from tests.cases import cases


@pytest.fixture
def item(make_item) -> Item:
    plain = make_item("The huge cat slept , quietly .", "the big cat slept . || it slept .")
    kinds = LinkKind.FORM, LinkKind.SYNONYM, LinkKind.EXACT, LinkKind.EXACT
    first = tuple(Link(place, place, kind) for place, kind in enumerate(kinds))
    second = (Link(2, 0, LinkKind.CONTEXTUAL), Link(3, 1, LinkKind.EXACT))
    return replace(plain, likely_links=linked_pairs((first, second)))


def test_deletions_and_replacements_are_shares_of_the_source_s_words(item: Item, results) -> None:
    """*cat* is linked to *it* in the second sentence, but also to itself in the first: not replaced."""
    for name in ("deletions", "replacements"):
        metric = make_metric(name)
        assert metric.requires == {Need.LIKELY_LINKS}, "no Scenes are read for them"
        assert results(metric, [item]).items == (20,), "one of five words; another case is no change"


def test_probabilities_decide_where_there_are_some(item: Item, results) -> None:
    weights = np.zeros((6, 6), np.float32)
    weights[0, 0], weights[1, 1], weights[2, 2], weights[5, 1] = 0.9, 0.39, 0.41, 0.4
    grids = LinkGrid.whole(weights), LinkGrid.whole(np.zeros((6, 3), np.float32))
    likely = replace(item, likely_links=likely_pairs(grids))
    assert results("deletions", [likely]).items == (40,), "huge and slept"
    assert results("replacements", [likely]).items == (20,), "quietly became big"


@cases("references_by_operations")
def test_cases_of_section_4_4_2(deletions, replacements, split: bool, references: tuple[str, ...]) -> None:
    done = Operations(9, deletions, replacements, split)
    assert select_references(done, ["hsplit"], ["turk"], ["asset"]) == references


@pytest.mark.parametrize(
    ("options", "given", "deletions", "replacements"),
    [
        ({}, None, 0, 100 / 6),
        ({"aligner": "rules"}, None, 0, 100 / 6),
        ({"aligner": "exact"}, None, 100 / 6, 0),
        ({}, [(0, 0), (1, 1), (2, 2)], 50, 100 / 6),
        ({"aligner": "exact"}, [(0, 0), (1, 1)], 200 / 3, 100 / 6),
    ],
)
def test_labels_follow_the_aligner_and_the_links_of_the_caller(options, given, deletions, replacements) -> None:
    texts, links = (["The feline slept on the mat."], ["The cat slept on the mat."]), given and [given]
    for others in ([], ["meaning", "sema"]):  # whatever else is scored
        report = Scorer("en", ["deletions", "replacements", *others], **options).score(*texts, links=links)
        scores = report.systems[0].scores
        assert (scores["deletions"], scores["replacements"]) == (pytest.approx(deletions), pytest.approx(replacements))
        assert ("align:given" in report.signature) == (given is not None)
