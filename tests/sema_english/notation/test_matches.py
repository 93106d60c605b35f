"""What both texts state in other signs is read in the source's words."""

import gc
from dataclasses import replace

import pytest
from sema_english.notation import quantities
from sema_english.notation.matches import matches
from sema_english.notation.quantities import read_quantities
from sema_english.notation.words import read_words
from sema_english.segmentation.segmenter import EnglishSegmenter
from sema_reader.notation import normalised

SEGMENTER = EnglishSegmenter()


def test_every_word_of_the_output_has_the_least_reading_of_the_words_that_stand_for_it():
    source, output = "The Food and Drug Administration has 3 labs.", "The FDA, as it is known, has three labs."
    texts = SEGMENTER.segment([source, output])
    reading = normalised(*texts, matches(*texts))
    assert reading is not None
    assert reading.spread(range(0, -len(reading.text.words), -1)) == (0, *range(-4, -15, -1))


def test_a_minus_is_part_of_its_number():
    (amount,) = read_quantities(SEGMENTER.segment(["It was -12 degrees."])[0])
    assert amount.quantity.number == -12
    assert amount.tokens == (2, 3)


def test_numbers_are_read_once_while_a_text_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantities, "_READ", kept := type(quantities._READ)())
    (text,) = SEGMENTER.segment(["It sold 13 cars."])
    found = read_quantities(text)
    assert read_quantities(replace(text)) is found and len(kept) == 1
    del text
    read_words.cache_clear()  # it keeps the last texts
    gc.collect()
    assert not kept
