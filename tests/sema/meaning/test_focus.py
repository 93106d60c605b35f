"""Additions cost no recall, omissions no precision: what only one text has is left out of the other's reading."""

from collections.abc import Sequence

import numpy as np

from sema.meaning.focus import (
    ALL_SUPPORTED,
    LONGEST,
    WHOLE,
    Unsupported,
    find_unsupported,
    read_all,
    unlinked,
    verbatim,
)
from sema.meaning.scores import WordSide
from sema.model.item import Item
from sema.model.links import LinkGrid
from sema.model.reading import PairReading, Scale
from sema.model.text import Text


class Overlap:
    """A reader that finds a word only if the other text has it, and trusts a text the less the longer it is; a text
    with no word of the other does not follow from it."""

    signature = "overlap"
    scale = Scale({})

    def __init__(self) -> None:
        self.read_pairs: list[tuple[tuple[str, ...], tuple[str, ...]]] = []

    def read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        self.read_pairs += [(source.words, output.words) for source, output in pairs]
        return [self._one(source.words, output.words) for source, output in pairs]

    def _one(self, source: tuple[str, ...], output: tuple[str, ...]) -> PairReading:
        kept = tuple(0.9 - len(output) / 100 if word in output else 0.1 for word in source)
        supported = tuple(0.9 - len(source) / 100 if word in source else 0.1 for word in output)
        half, less = (0.5, 0.5, 0.0), (1 / len(output), 0.0, 0.0)
        if not set(source) & set(output):
            half = less = (0.0, 1.0, 0.0)
        return PairReading(kept, supported, half, less, 0.5, half, less, 0.5)


def read(source: list[str], output: list[str]) -> tuple[PairReading, Overlap]:
    texts = [Text.from_sentences([sentence.split() for sentence in text]) for text in (source, output)]
    sides = tuple(WordSide(np.ones(len(text.words)), np.zeros(len(text.words))) for text in texts)
    reader = Overlap()
    items = [Item(texts[0], texts[1])]
    (focused,) = read_all(reader, items, find_unsupported(reader, items, [(sides[0], sides[1])]))
    return focused.reading, reader


def test_an_added_sentence_leaves_recall_as_it_was() -> None:
    alone, _ = read(["the plan failed today"], ["the plan failed"])
    more, reader = read(["the plan failed today"], ["the plan failed", "bees make honey"])
    assert more.kept == alone.kept and more.source_entailed == alone.source_entailed
    assert more.source_judged == alone.source_judged
    assert more.supported[3:] == (0.1 + 0.0,) * 3
    assert [len(pair[1]) for pair in reader.read_pairs] == [3, 3, 6, 3]  # each sentence alone, both, without the last


def test_a_sentence_left_out_leaves_precision_as_it_was() -> None:
    alone, _ = read(["the plan failed today"], ["the plan failed"])
    more, _ = read(["the plan failed today", "bees make honey"], ["the plan failed"])
    assert more.supported == alone.supported
    assert more.kept[4:] == (0.1,) * 3


def test_a_text_of_distractors_alone_is_read_once() -> None:
    _, reader = read(["the plan failed", "it was late"], ["bees make honey", "cows eat grass"])
    assert len(reader.read_pairs) == 5  # each sentence alone, and the pair


def test_a_verbatim_sentence_is_kept() -> None:
    whole_reading, _ = read(["the plan failed", "it was late"], ["The plan failed", "cows eat grass"])
    assert whole_reading.kept[:3] == (WHOLE,) * 3 and whole_reading.supported[:3] == (WHOLE,) * 3
    texts = [Text.from_sentences([["a", "b"], ["c"]]), Text.from_sentences([["A", "b"]])]
    assert verbatim(*texts).tolist() == [True, True, False]


def test_long_texts_are_read_once() -> None:
    _, reader = read([" ".join(["word"] * LONGEST), "bees make honey"], ["word word", "cows eat grass"])
    assert len(reader.read_pairs) == 1


def test_links_to_distractors_do_not_count() -> None:
    source, output = (Text.from_sentences([text.split() for text in texts]) for texts in (["a b"], ["a b", "c"]))
    grid = LinkGrid.whole(np.array([[1.0, 0.0], [0.0, 1.0]], np.float32))
    item = Item(source, output, link_weights=(grid, LinkGrid.whole(np.array([[0.0], [0.7]], np.float32))))
    bare = unlinked(item, Unsupported(frozenset(), frozenset({(2, 3)})))
    assert [one.weights.tolist() for one in bare.link_weights] == [[[1.0, 0.0], [0.0, 1.0]], [[0.0], [0.0]]]
    assert unlinked(item, ALL_SUPPORTED) is item
