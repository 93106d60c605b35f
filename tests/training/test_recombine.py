"""Sentences of passages beside what they rest on, with the labels of their own words."""

from __future__ import annotations

from random import Random

from training.reader.example import ENTAILED, NOT_ENTAILED
from training.reader.recombine import by_sentence, supporting

SOURCE = "Beekeepers sold honey in Tolland. Their neighbours planted clover. Rain came late that year."
OUTPUT = "The beekeepers bought honey there. Neighbours planted clover, and rain was late."


def test_a_sentence_rests_on_those_that_share_its_words() -> None:
    text = SOURCE.split()
    assert " ".join(supporting(["Neighbours", "planted", "clover,", "and", "rain", "was", "late."], text)) == (
        "Their neighbours planted clover. Rain came late that year."
    )
    assert supporting(["honey"], []) == []


def test_sentences_have_the_labels_of_their_own_words() -> None:
    labels = "00011" + "1" * 7
    row = {"s": SOURCE, "o": OUTPUT, "k": "en_tale", "oe": NOT_ENTAILED, "se": NOT_ENTAILED, "ow": labels, "g": 7}
    near = [one for one in by_sentence([row], Random(1)) if one["k"] == "en_tale_near"]
    by_output = {one["o"]: one for one in near}
    wrong, right = (
        by_output[text]
        for text in ("The beekeepers bought honey there.", "Neighbours planted clover, and rain was late.")
    )
    assert wrong["oe"] == NOT_ENTAILED and wrong["ow"] == "00011"
    assert wrong["s"] == "Beekeepers sold honey in Tolland."
    assert right["oe"] == ENTAILED and right["s"].startswith("Their neighbours")
    assert wrong["g"] == right["g"] == 0, "sentences are no versions of one text"
