"""What both texts state in other signs is read in the source's words."""

import pytest
from sema_english.meaning.notation import matches
from sema_english.meaning.quantities import read_quantities
from sema_english.segmentation.segmenter import EnglishSegmenter
from sema_reader.notation import normalised

from sema import Scorer

SEGMENTER = EnglishSegmenter()


def read(source, output):
    texts = SEGMENTER.segment([source, output])
    reading = normalised(*texts, matches(*texts))
    return None if reading is None else " ".join(reading.text.words)


@pytest.mark.parametrize(
    ("source", "output", "words"),
    [
        ("Pope Pius XII spoke.", "Pope Pius the Twelfth spoke.", "Pope Pius the XII spoke ."),
        ("It cost 1.2 million pounds.", "The cost was 1,200,000 pounds.", "The cost was 1.2 million pounds ."),
        ("Seventeen ships sank.", "17 ships sank.", "Seventeen ships sank ."),
        ("The European Space Agency paid.", "The ESA paid.", "The European Space Agency paid ."),
        ("NATO met.", "The North Atlantic Treaty Organization met.", "The NATO met ."),
        ("The ladder was not safe.", "The ladder was unsafe.", "The ladder was not safe ."),
        ("The ladder was unsafe.", "The ladder was not safe.", "The ladder was unsafe ."),
        ("The ladder was not safe.", "The ladder was insane.", None),
        ("Pope Pius XII spoke.", "Pope Pius the Eleventh spoke.", None),
        ("The European Space Agency paid.", "The EPA paid.", None),
        ("Six men and six dogs came.", "Six dogs and six men came.", None),
    ],
)
def test_the_same_in_other_signs_is_read_alike(source, output, words):
    assert read(source, output) == words


def test_every_word_of_the_output_has_a_reading():
    source, output = "The Food and Drug Administration has 3 labs.", "The FDA, as it is known, has three labs."
    texts = SEGMENTER.segment([source, output])
    reading = normalised(*texts, matches(*texts))
    assert reading is not None
    spread = reading.spread([0.5] * len(reading.text.words))
    assert spread == (0.5,) * len(SEGMENTER.segment([output])[0].words)


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("In 1603 James VI left for London.", "In 1603 James the Sixth left for London."),
        ("The island has 3.4 million inhabitants.", "The island has 3,400,000 inhabitants."),
        ("The International Labour Organization published a report.", "The ILO published a report."),
    ],
)
def test_other_signs_cost_hardly_anything(source, output):
    (item,) = Scorer("en", ["meaning"]).score([source], [output]).systems[0].items
    assert item.scores["meaning"] > 80


def test_a_minus_is_part_of_its_number():
    (amount,) = read_quantities(SEGMENTER.segment(["It was -12 degrees."])[0])
    assert amount.quantity.number == -12
    assert amount.tokens == (2, 3)
