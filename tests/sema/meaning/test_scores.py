"""The words of two texts: how likely each is linked, however the links are stored."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sema.meaning.scores import CERTAIN, CONTENT, FIGURE, FUNCTION, word_sides
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
def test_a_word_is_linked_as_likely_as_its_likeliest_link(item: Item) -> None:
    grids = [grid.weights for grid in item.link_weights]
    whole = np.hstack([*grids, np.zeros((len(item.source.words), 1))])
    source, output = word_sides(item, ())
    assert source.linked.tolist() == np.minimum(whole.max(1) / CERTAIN, 1).tolist()
    assert output.linked.tolist() == np.minimum(whole.max(0)[:-1] / CERTAIN, 1).tolist()


@given(items())
def test_source_words_without_a_row_have_no_links(item: Item) -> None:
    linked = [grid.weights.any(1) for grid in item.link_weights]
    rows = tuple(
        LinkGrid(np.flatnonzero(some), grid.weights[some]) for some, grid in zip(linked, item.link_weights, strict=True)
    )
    sparse = Item(item.source, item.output, link_weights=rows)
    for one, other in zip(word_sides(item, ()), word_sides(sparse, ()), strict=True):
        assert one.linked.tolist() == other.linked.tolist()


def test_a_copy_is_linked_word_by_word_and_words_have_weights() -> None:
    text = Text.from_sentences([["the", "cat", "of", "1984"], ["."]])
    for side in word_sides(Item(text, text), {"the", "of"}):
        assert side.linked.tolist() == [1.0] * 5
        assert side.weights.tolist() == [FUNCTION, CONTENT, FUNCTION, FIGURE, 0.0]
