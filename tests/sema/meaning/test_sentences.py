"""Passages: every sentence has a reading of its own, so that one false sentence is not averaged away."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from sema.meaning.scores import Sides, WordSide
from sema.meaning.sentences import MEANING, of_passage, read_sentences, with_sentences
from sema.model.item import Item
from sema.model.links import LinkGrid
from sema.model.reading import Curve, PairReading, Scale
from sema.model.text import Text

SURE = Curve(0.0, {"output_entailed": 1.0})
SCALE = Scale({"meaning": SURE, "meaning_recall": Curve(0.0, {"source_entailed": 1.0}), "meaning_precision": SURE})


class Judge:
    """Entails a text with certainty .9, one that says ``not`` with .2."""

    signature = "judge"
    scale = SCALE

    def __init__(self) -> None:
        self.read_pairs: list[tuple[str, str]] = []

    def read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        self.read_pairs += [(" ".join(source.words), " ".join(output.words)) for source, output in pairs]
        return [self._one(source, output) for source, output in pairs]

    def _one(self, source: Text, output: Text) -> PairReading:
        sure = 0.2 if "not" in output.words else 0.9
        entailed = (sure, 1 - sure, 0.0)
        ones = (1.0,) * len(source.words), (1.0,) * len(output.words)
        return PairReading(*ones, entailed, (0.9, 0.1, 0.0), 0.5, entailed, (0.9, 0.1, 0.0), 0.5)


def item(source: list[str], output: list[str]) -> tuple[Item, Sides]:
    """An item whose equal words are linked, and its words, each of weight 1."""
    texts = [Text.from_sentences([sentence.split() for sentence in text]) for text in (source, output)]
    grids = tuple(
        LinkGrid.whole(np.array([[float(word == other) for other in words] for word in texts[0].words], np.float32))
        for words in texts[1].sentence_words
    )
    first, second = (WordSide(np.ones(len(text.words)), np.ones(len(text.words))) for text in texts)
    return Item(texts[0], texts[1], link_weights=grids), (first, second)


def test_each_sentence_is_read_beside_the_one_that_it_is_linked_to() -> None:
    one, sides = item(["bees make honey", "cows eat grass"], ["grass is for cows", "honey is for bees"])
    reader = Judge()
    (found,) = read_sentences(reader, [one], [sides])
    assert [(sentence.side, sentence.place) for sentence in found] == [
        (0, slice(0, 3)), (0, slice(3, 6)), (1, slice(0, 4)), (1, slice(4, 8)),
    ]  # fmt: skip
    assert reader.read_pairs[0] == ("bees make honey", "honey is for bees")
    assert reader.read_pairs[2] == ("cows eat grass", "grass is for cows")


def test_a_sentence_that_stands_there_word_for_word_is_not_read() -> None:
    one, sides = item(["bees make honey", "cows eat grass"], ["Bees make honey", "grass is for cows"])
    reader = Judge()
    (found,) = read_sentences(reader, [one], [sides])
    assert [sentence.reading is None for sentence in found] == [True, False, True, False]
    assert len(reader.read_pairs) == 2


@pytest.mark.parametrize("source", [["bees make honey and wax"], ["xx yy", "zz"]])
def test_one_sentence_and_texts_without_links_are_no_passages(source: list[str]) -> None:
    one, sides = item(source, ["honey", "wax"])
    reader = Judge()
    assert list(map(list, read_sentences(reader, [one], [sides]))) == [[]]
    assert not reader.read_pairs


def test_one_false_sentence_of_four_is_seen() -> None:
    texts = ["bees make honey", "cows eat grass", "cats catch mice", "owls fly late"]
    good, sides = item(texts, ["honey of bees", "grass for cows", "mice for cats", "late owls fly"])
    bad, _ = item(texts, ["honey of bees", "grass not cows", "mice for cats", "late owls fly"])
    whole = {"meaning": 80.0, "meaning_recall": 90.0, "meaning_precision": 80.0}
    reader = Judge()
    scores = [
        of_passage(whole, found, sides, (), SCALE) for found in read_sentences(reader, [good, bad], [sides, sides])
    ]
    assert scores[0]["meaning_precision"] == pytest.approx((80 * 90) ** 0.5)
    geometric = (90**3 * 20) ** 0.25
    assert scores[1]["meaning_precision"] == pytest.approx((80 * geometric) ** 0.5)
    assert scores[1]["meaning_recall"] == scores[0]["meaning_recall"] == pytest.approx(90.0)
    assert scores[1]["meaning"] == pytest.approx(
        80 ** MEANING["meaning"] * 90 ** MEANING["meaning_recall"] * geometric ** MEANING["meaning_precision"]
    )


def test_a_joined_sentence_is_read_beside_both_that_it_rests_on() -> None:
    one, sides = item(["bees make honey", "cows eat grass", "owls fly late"], ["honey of bees and grass", "late owls"])
    reader = Judge()
    read_sentences(reader, [one], [sides])
    of_output = [source for source, output in reader.read_pairs if output == "honey of bees and grass"]
    assert "bees make honey cows eat grass" in of_output


def test_a_word_has_the_mean_of_both_readings() -> None:
    one, sides = item(["bees make honey", "cows eat grass"], ["honey of bees", "grass for cows"])
    (sentences,) = read_sentences(Judge(), [one], [sides])
    assert with_sentences(np.full(6, 0.2), sentences, 1) == pytest.approx([0.6] * 6)
    assert with_sentences(np.full(6, 0.2), (), 0) == pytest.approx([0.2] * 6)


def test_a_sentence_without_content_counts_nothing() -> None:
    one, (source, output) = item(["bees make honey", "hm hm"], ["honey of bees"])
    silent = replace(source, weights=np.array([1.0, 1.0, 1.0, 0.0, 0.0]))
    (found,) = read_sentences(Judge(), [one], [(silent, output)])
    assert [sentence.place for sentence in found if sentence.side == 0] == [slice(0, 3)]
