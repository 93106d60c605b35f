"""A text has one normal form, however Unicode encodes it, and keeps its own offsets."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sema_english.segmentation.segmenter import EnglishSegmenter

from sema import Scorer
from sema.model.forms import one_form, segmented

SOURCE = "The café in the office district has five flats above it; Henry VIII, they say, ate there in 1540."
METRICS = ("meaning", "meaning_recall", "meaning_precision", "sema", "samsa", "stem_recall")


@pytest.mark.parametrize(
    ("raw", "plain"),
    [("oﬃce ﬂat", "office flat"), ("Ｈｅｎｒｙ Ⅷ", "Henry VIII"), ("hyphen\u00adated", "hyphenated"), ("𝐀 𝟏", "A 1"),
     ("un cafe\u0301 noir", "un café noir")],
)  # fmt: skip
def test_letters_of_another_form_are_plain_and_accents_are_joined_to_theirs(raw, plain):
    assert one_form(raw).text == plain
    form = one_form("un cafe\u0301 noir")
    assert (form.starts[6], form.ends[6]) == (6, 8)


@pytest.mark.parametrize("raw", ["10² m", "½ cup", "他说：“好，”１％。", "wait…", "naïve", "한국어"])
def test_signs_that_mean_something_else_stay(raw):
    form = one_form(raw)
    assert form is None or form.text == raw.replace("１", "1")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_places_point_into_the_text_as_given(raw):
    form = one_form(raw)
    if form is not None:
        assert len(form.text) == len(form.starts) == len(form.ends)
        assert all(0 <= start < end <= len(raw) for start, end in zip(form.starts, form.ends, strict=True))
        assert form.starts == sorted(form.starts)
        assert one_form(form.text) is None or one_form(form.text).text == form.text


def test_tokens_are_plain_and_their_places_the_users_own():
    raw = unicodedata.normalize("NFD", "The café’s oﬃce.")
    (text,) = segmented(EnglishSegmenter(), [raw])
    assert text.words[:2] == ("The", "café")
    assert text.raw == raw
    assert [raw[token.start : token.end] for token in text.tokens][1] == "cafe\u0301"
    assert "office" in text.words


@pytest.mark.parametrize("other", [unicodedata.normalize("NFD", SOURCE), SOURCE.replace("ffi", "ﬃ").replace("fl", "ﬂ")])
def test_every_metric_takes_forms_of_a_text_for_one_text(other):
    report = Scorer("en", METRICS).score([SOURCE, SOURCE, other], [SOURCE, other, SOURCE])
    first, *others = report.systems[0].items
    assert all(item.scores == first.scores for item in others)
    assert first.scores["meaning"] == 100
