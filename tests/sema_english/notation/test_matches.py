"""Facts that both texts write in different notations are read in the source's words."""

from dataclasses import replace

from sema_english.notation.matches import matches
from sema_english.notation.quantities import read_quantities
from sema_english.segmentation.segmenter import EnglishSegmenter
from sema_reader.normalisation import normalised

SEGMENTER = EnglishSegmenter()


def test_every_word_of_the_output_has_the_least_reading_of_the_words_that_stand_for_it():
    source, output = "The Food and Drug Administration has 3 labs.", "The FDA, as it is known, has three labs."
    texts = SEGMENTER.segment([source, output])
    reading = normalised(*texts, matches(*texts))
    assert reading is not None
    assert reading.spread(range(0, -len(reading.text.words), -1)) == (0, *range(-4, -15, -1))


def test_a_minus_is_part_of_its_number():
    (amount,) = read_quantities(SEGMENTER.segment(["It was -12 degrees."])[0])
    assert amount.number == -12
    assert amount.tokens == (2, 3)


def test_numbers_are_read_once() -> None:
    (text,) = SEGMENTER.segment(["It sold 13 cars."])
    assert read_quantities(replace(text)) is read_quantities(text)
