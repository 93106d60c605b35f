"""Link weights of passages, put together from pairs of sentences."""

from __future__ import annotations

import numpy as np
import pytest

from sema.analysis.weights import joined_weights, link_strengths
from sema.model.links import Link, LinkKind
from sema.model.text import Text

SOURCE = Text.from_sentences([["a", "b"], ["c"]])
OUTPUT = Text.from_sentences([["x"], ["y", "z"]])


def test_sentences_that_are_not_paired_have_no_links() -> None:
    known = {
        (("a", "b"), ("x",)): np.array([[0.5], [0.25]], np.float32),
        (("c",), ("y", "z")): np.array([[0.75, 1.0]], np.float32),
    }
    first, second = joined_weights(known, SOURCE, OUTPUT, [[0], [1]])
    assert (first.rows.tolist(), first.weights.tolist()) == ([0, 1], [[0.5], [0.25]])
    assert (second.rows.tolist(), second.weights.tolist()) == ([2], [[0.75, 1]])
    assert [second.weight(source, 1) for source in (0, 1, 2)] == [0, 0, 1]
    (alone, _) = joined_weights(known, SOURCE, OUTPUT, [[], [1]])
    assert alone.weights.shape == (0, 1)


def test_chosen_links_have_the_strength_of_their_kind() -> None:
    links = [[Link(2, 0, LinkKind.EXACT)], [Link(0, 1, LinkKind.HYPONYMY)]]
    first, second = link_strengths(links, OUTPUT)
    assert (first.rows.tolist(), first.weights.tolist()) == ([2], [[1]])
    assert (second.rows.tolist(), second.weights.tolist()) == ([0], [[0, pytest.approx(0.4)]])
