"""Texts: tokens and their places, one normal form, and where sentences end."""

import re
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sema_english.segmentation import EnglishSegmenter
from sema_ud.segmenter import UniversalSegmenter

from sema import InputError, Scorer
from sema.errors import SemaWarning
from sema.languages import find_language
from sema.model.forms import one_form, segmented, without_markup
from sema.model.text import Segmenter, Text, closed, is_punctuation, spelled
from tests.cases import cases

WORDS = st.lists(st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=8), max_size=8)


def test_tokenized_line_keeps_its_tokens_as_one_sentence() -> None:
    text = Text.from_tokenized("  He did  n't\tgo 1\u00a0000 \u00a0 -LRB- km\u3000 -RRB- .\n")
    assert text.words == ("He", "did", "n't", "go", "1\u00a0000", "-LRB-", "km\u3000", "-RRB-", ".")
    assert (text.sentences, text.raw) == (((0, 9),), "He did n't go 1\u00a0000 -LRB- km\u3000 -RRB- .")
    assert "".join(spelled(text.tokens)) == "He did n't go 1\u00a0000 ( km\u3000 ) ."
    for line in ("", " ", "\t\n", "\u3000"):
        assert Text.from_tokenized(line, line) == Text("", (), ())


@cases("marks_and_words")
def test_marks_are_punctuation_and_words_and_numbers_are_not(word: str, mark: bool) -> None:
    assert is_punctuation(word) == mark


@pytest.mark.parametrize(
    ("text", "words", "whole"),
    [
        ('"Late?" asked Ann. "I am."', 'Late?" asked Ann', '"Late?" asked Ann'),
        ("He (Ann (his aunt) said) left.", "his aunt) said) left", "(his aunt) said) left"),
        ("Er rief »Halt« und »Nein« laut.", "Halt« und »Nein", "»Halt« und »Nein«"),
        ("Sie rief: „Halt“, und ging.", "rief: „Halt", "rief: „Halt“"),
        ("« Bon », dit-il.", "Bon », dit", "« Bon », dit"),
        ("他说“《故乡》写了，”又说“好。”", "写了，”又说“好", "写了，”又说“好。”"),
    ],
)
def test_brackets_and_quotations_cut_by_the_ends_of_words_get_their_other_mark(text, words, whole):
    read = ENGLISH.segment([text])[0]
    start = text.index(words)
    run = [place for place, token in enumerate(read.tokens) if start <= token.start < start + len(words)]
    found = closed(read, run)
    assert text[read.tokens[found[0]].start : read.tokens[found[-1]].end] == whole


SOURCE = "The café in the office district has five flats above it; Henry VIII, they say, ate there in 1540."
METRICS = ("meaning", "meaning_recall", "meaning_precision", "sema", "samsa", "stem_recall")


@cases("letters")
def test_letters_of_another_form_are_plain_and_accents_are_joined_to_theirs(raw, plain):
    assert one_form(raw).text == plain
    form = one_form("un cafe\u0301 noir")
    assert (form.starts[6], form.ends[6]) == (6, 8)
    form = one_form("\u0995\u09bf\u0995\u09c7\u09be")  # of two letters with vowel signs, one is composed
    assert (form.starts, form.ends) == ([0, 1, 2, 2], [1, 2, 5, 5])


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


@pytest.mark.parametrize(
    "other",
    [
        unicodedata.normalize("NFD", SOURCE),
        SOURCE.replace("ffi", "ﬃ").replace("fl", "ﬂ"),
        "\ufeff" + SOURCE.replace(" ", "\u200b ", 2),  # not seen: a byte order mark, zero-width spaces
    ],
)
def test_every_metric_takes_forms_of_a_text_for_one_text(other):
    report = Scorer("en", METRICS).score([SOURCE, SOURCE, other], [SOURCE, other, SOURCE])
    first, *others = report.systems[0].items
    assert all(item.scores == first.scores for item in others)
    assert first.scores["meaning"] == 100


def test_metrics_of_words_read_what_nobody_sees_as_published_scores_do_and_say_so():
    def scores(source, output, reference):
        return (
            Scorer("en", ["sari", "bleu", "copied"]).score([source], [output], [[reference]]).systems[0].items[0].scores
        )

    other = SOURCE.replace("office", "of\u200bfice")
    plain = scores(SOURCE, SOURCE, SOURCE)
    for texts, part in [
        ((other, SOURCE, SOURCE), "source"),
        ((SOURCE, other, SOURCE), "output of 'output'"),
        ((SOURCE, SOURCE, other), "references"),
    ]:
        with pytest.warns(SemaWarning, match=rf"^item 0, {part}: U\+200B is invisible") as warned:
            assert scores(*texts) != plain
        assert len(warned) == 1
    with pytest.raises(InputError, match="the source is empty"):
        Scorer("en", ["compression"]).score(["\ufeff\u200b"], [SOURCE])


def test_nothing_warns_of_what_it_does_not_read_or_of_emoji(recwarn):
    Scorer("en", METRICS).score([SOURCE], [SOURCE.replace("office", "of\u200bfice")])
    Scorer("en", ["copied"]).score([SOURCE], ["They \u2764\ufe0f it."])
    assert not recwarn.list


ENGLISH = EnglishSegmenter()


def segmenters(*pairs: tuple[str, str]) -> list[tuple[Segmenter, str, str]]:
    """The English, universal and Chinese segmenters, each with its pair of texts."""
    each = ENGLISH, UniversalSegmenter("en"), find_language("zh").parts().segmenter
    return [(segmenter, *pair) for segmenter, pair in zip(each, pairs, strict=True)]


def sentences(segmenter: Segmenter, text: str) -> list[str]:
    (read,) = segmented(segmenter, [text])
    assert read.raw == text
    assert [token for start, end in read.sentences for token in read.tokens[start:end]] == list(read.tokens)
    return [" ".join(words) for words in read.sentence_words]


@pytest.mark.parametrize("piece", ["[3]", "😀", "|", ")", "• 9 .", "!"])
def test_what_has_no_letter_is_no_sentence(piece: str) -> None:
    texts = ("He came.", "She left."), ("Él vino.", "Ella salió."), ("他来了。", "她走了。")
    for segmenter, first, second in segmenters(*texts):
        for text in (f"{first} {second} {piece}", f"{first} {piece} {second}", f"{piece} {first} {second}"):
            assert len(sentences(segmenter, text)) == 2, text


def test_a_number_at_a_line_s_start_belongs_to_its_line_and_a_text_without_any_word_is_one_sentence() -> None:
    for segmenter in (ENGLISH, UniversalSegmenter("en")):  # the second finds three sentences
        assert sentences(segmenter, "Dogs bark.\n• 9 . Cats run.") == ["Dogs bark .", "• 9 . Cats run ."]
        assert sentences(segmenter, "Dogs bark.\n[3]\nCats run.") == ["Dogs bark . [ 3 ]", "Cats run ."]
    assert sentences(ENGLISH, "[3]") == ["[ 3 ]"] and sentences(ENGLISH, " ") == []


@pytest.mark.parametrize("tag", ["<br>", "<br/>", "<BR />", "</li>", '<p class="a" id=b>', "</h2>", "</td><td>"])
def test_markup_of_blocks_ends_a_sentence_and_is_no_word(tag: str) -> None:
    texts = ("one dog", "two cats"), ("un perro", "dos gatos"), ("他来", "她走")
    for segmenter, first, second in segmenters(*texts):
        found = sentences(segmenter, f"{first}{tag}{second}")
        assert ["".join(one.split()) for one in found] == ["".join(first.split()), "".join(second.split())]


@pytest.mark.parametrize("text", ["a < b > c", "x <p and q> y", "the <b>bold</b> dog", "<brown>", "1 <p", "</ p>"])
def test_other_angles_stay(text: str) -> None:
    assert without_markup(text) == text


class Bare:
    """A segmenter that gives words without places."""

    signature = "bare:1"

    def segment(self, texts: Sequence[str]) -> list[Text]:
        return [Text.from_sentences([[*re.findall(r"\w+|\S", text), "*"]]) for text in texts]


def test_words_without_places_are_found_in_the_text_as_given() -> None:
    raw = "<br>Cafe\u0301, ﬁne,  no."
    (read,) = segmented(Bare(), [raw])
    assert read.raw == raw and read.words == ("Café", ",", "fine", ",", "no", ".", "*")
    places = [raw[token.start : token.end] for token in read.tokens]
    assert places == ["Cafe\u0301", ",", "ﬁne", ",", "no", ".", ""]
