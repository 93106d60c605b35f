"""A sentence has a word, and markup of blocks ends one, in every language."""

import pytest
from sema_english.segmentation import EnglishSegmenter
from sema_ud.segmenter import UniversalSegmenter

from sema import Scorer
from sema.languages import find_language
from sema.model.boundaries import without_markup
from sema.model.forms import segmented
from sema.model.text import Segmenter

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
    assert sentences(ENGLISH, "Dogs bark.\n• 9 . Cats run.") == ["Dogs bark .", "• 9 . Cats run ."]
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


def test_scores_do_not_change_with_a_footnote_mark() -> None:
    source = ["The cat that I saw slept, and the dog barked because it was late."]
    output = "I saw the cat. The cat slept. The dog barked."
    scorer = Scorer("en", ["samsa", "splits"])
    plain, noted, tokenized = (
        scorer.score(source, [text]).systems[0].scores for text in (output, f"{output} [3]", [output, "[3]"])
    )
    assert noted["samsa"] == pytest.approx(plain["samsa"], abs=10) and noted["samsa"] > 0
    assert plain["splits"] == noted["splits"] == tokenized["splits"]
