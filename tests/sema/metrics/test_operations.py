from dataclasses import replace

import numpy as np
import pytest

from sema import Scorer
from sema.analysis.pairs import likely_pairs
from sema.metrics.base import Need
from sema.metrics.operations import Operations, operations, select_references
from sema.metrics.registry import make_metric
from sema.model.links import LinkGrid
from tests.cases import cases

NAMES = ["deletions", "replacements"]


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
        report = Scorer("en", [*NAMES, *others], **options).score(*texts, links=links)
        scores = report.systems[0].scores
        assert (scores["deletions"], scores["replacements"]) == (pytest.approx(deletions), pytest.approx(replacements))
        assert ("align:given" in report.signature) == (given is not None)


def test_a_word_that_one_sentence_keeps_is_not_replaced_and_case_is_no_change() -> None:
    """*cat* is linked to *It* and to itself; of five words *huge* was replaced and *quietly* deleted."""
    texts = ["The huge cat slept, quietly."], ["the big cat slept. It slept."]
    links = [(0, 0), (1, 1), (2, 2), (3, 3), (2, 5), (3, 6)]
    assert Scorer("en", NAMES).score(*texts, links=[links]).systems[0].scores == dict.fromkeys(NAMES, 20)
    assert all(make_metric(name).requires == {Need.LIKELY_LINKS} for name in NAMES), "no Scenes are read for them"


def test_words_are_linked_from_a_probability_of_two_fifths(make_item) -> None:
    weights = np.zeros((6, 6), np.float32)
    weights[0, 0], weights[1, 1], weights[2, 2], weights[5, 1] = 0.9, 0.39, 0.41, 0.4
    grids = LinkGrid.whole(weights), LinkGrid.whole(np.zeros((6, 3), np.float32))
    item = make_item("The huge cat slept , quietly .", "the big cat slept . || it slept .")
    done = operations(replace(item, likely_links=likely_pairs(grids)))
    assert done == Operations(words=5, deletions=(1, 3), replacements=(5,), split=True)
