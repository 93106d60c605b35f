"""The links of long texts, block by block: nothing is found that one block would not show, and nothing is missed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema.meaning import blocks
from sema.meaning.blocks import Peaks, link_blocks
from sema.meaning.evidence import word_sides
from sema.model.item import Item
from sema.model.links import LinkGrid
from sema.model.text import Text

LIKELY = st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0])


@st.composite
def items(draw: st.DrawFn) -> Item:
    """A source and an output of several sentences, their words all different, with any links."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)), draw(st.lists(st.integers(1, 4), max_size=4))
    source, output = (
        Text.from_sentences([[f"{name}{number}x{word}" for word in range(size)] for number, size in enumerate(sizes)])
        for name, sizes in zip("so", sizes, strict=True)
    )
    weights = tuple(
        np.array(
            draw(st.lists(LIKELY, min_size=len(source.words) * size, max_size=len(source.words) * size)), "f4"
        ).reshape(len(source.words), size)
        for size in sizes[1]
    )
    return Item(source, output, link_weights=tuple(map(LinkGrid.whole, weights)))


@given(items())
def test_blocks_say_what_the_whole_says(item: Item) -> None:
    whole = word_sides(item, ())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "WHOLE", 0)
        parts = word_sides(item, ())
    for one, other in zip(whole, parts, strict=True):
        assert one.linked.tolist() == other.linked.tolist()
        assert one.weights.tolist() == other.weights.tolist()


def test_a_long_copy_is_linked_word_by_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "WHOLE", 0)
    text = Text.from_sentences([["a", "b"], ["c"]])
    found = list(link_blocks(Item(text, text)))
    assert [block.rows.tolist() for block in found] == [[0, 1], [2]]
    assert [block.columns for block in found] == [slice(0, 2), slice(2, 3)]
    assert [block.links.tolist() for block in found] == [[[1, 0], [0, 1]], [[1]]]


def test_of_equally_likely_partners_the_first_stays() -> None:
    peaks = Peaks(2)
    peaks.take(np.array([0]), np.array([3, 4]), np.array([[0.5, 0.5]]))
    peaks.take(np.array([0]), np.array([5]), np.array([[0.5]]))
    assert peaks.partners.tolist() == [3, -1]
    assert peaks.values.tolist() == [0.5, 0]
