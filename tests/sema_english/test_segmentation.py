import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sema_english.segmentation import EnglishSegmenter

from benchmarks.overlap import overlap
from sema.model.text import Text
from tests.cases import cases
from tests.conftest import PublicData
from training.english.boundaries import ud_documents

INVISIBLE = set(map(chr, [*range(0x20), *range(0x7F, 0xA0), 0x200B, 0x200E, 0x200F, *range(0x2028, 0x202F)]))
INVISIBLE |= set(map(chr, [*range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC)]))
SNIPPETS = (
    "the John went Mr. U.S. J. I. p. No. 5 3,000 $5.50 9:30am don't cannot O'Connell 's n't 'tis well-known e-mail "
    "a@b.com http://x.org/y. &apos;s &amp; &amp;lt; -LRB- `` '' \" ' ( ) [ . ... ? ?! ! , ; : - -- — ’s “ ” :-) <3 "
    "👩\u200d👩\u200d👧 🇩🇪 e\u0301 中文 हिन्दी \ud800 \u00ad \u200d \ufeff \x00 \n \n\n \r \t A a X é .. \r\n"
)
PIECES = st.sampled_from([" ", *SNIPPETS.split(" ")])
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=25).map("".join), st.lists(PIECES, max_size=25).map(" ".join))


@pytest.fixture(scope="module")
def segmenter() -> EnglishSegmenter:
    return EnglishSegmenter()


def segment(text: str) -> Text:
    return EnglishSegmenter().segment([text])[0]


CONTRACTED = re.compile("n?['`´‘’‛ʼ＇](?:t|s|m|d|ll|ve|re)", re.IGNORECASE)
"""The second part of a contraction, which may be written apart."""


@given(TEXTS)
@example("¹` S")
@settings(max_examples=100, deadline=None)
def test_tokens_cover_every_visible_character_once_and_in_order_and_sentences_all_tokens(raw: str) -> None:
    text = segment(raw)
    position = 0
    for token in text.tokens:
        gap = raw[position : token.start]
        assert all(char.isspace() or char in INVISIBLE for char in gap)
        assert token.start < token.end
        within = any(char.isspace() or char in INVISIBLE for char in raw[token.start : token.end])
        assert not within or CONTRACTED.fullmatch(token.text)
        assert token.text and token.text.encode("utf-8") and not any(map(str.isspace, token.text))
        position = token.end
    assert all(char.isspace() or char in INVISIBLE for char in raw[position:])
    assert text.raw == raw and segment(raw) == text
    assert [index for start, end in text.sentences for index in range(start, end)] == list(range(len(text.tokens)))
    assert all(start < end for start, end in text.sentences)


@given(st.lists(PIECES, max_size=25).map(" ".join))
@settings(max_examples=100, deadline=None)
def test_tokenized_text_is_left_as_it_is(raw: str) -> None:
    words = segment(raw).words
    assert segment(" ".join(words)).words == words


@cases("en/tokens")
def test_texts_are_cut_into_tokens(raw: str, tokens: str) -> None:
    assert " ".join(segment(raw).words) == tokens


@pytest.mark.parametrize(
    ("raw", "written"),
    [
        ("R&amp;D&apos;s -LRB- x", "R&amp;D|&apos;s|-LRB-|x"),
        ("They haven ' t paid; it ' s 5' s.", "They|have|n ' t|paid|;|it|' s|5|'|s|."),
    ],
)
def test_escapes_and_cut_contractions_keep_the_offsets_of_what_was_written(raw: str, written: str) -> None:
    assert "|".join(raw[token.start : token.end] for token in segment(raw).tokens) == written
    assert segment("They haven ' t paid").words[1:3] == ("have", "n't")


@cases("en/sentences")
def test_texts_are_cut_into_sentences(text: str) -> None:
    expected = ["".join(part.split()) for part in text.split(" | ")]
    assert ["".join(words) for words in segment(text.replace(" | ", " ")).sentence_words] == expected
    assert len(segment("There he died six weeks later.This was on 13 January 888 .").sentences) == 2


@cases("en/line_breaks")
def test_line_breaks_end_sentences_unless_they_wrap_lines(text: str, count: int) -> None:
    assert len(segment(text).sentences) == count


@pytest.mark.parametrize(
    "junk", ["a", "a.", ". ", "-", "'", "a-", "&amp;", "1,", "@", "a@", "http://", "a\r", "(:", "U.S. ", "! a ( "]
)
def test_long_junk_is_segmented_whole(junk: str) -> None:
    """A pattern that backtracks would not come back from this within a test run."""
    text = junk * (100_000 // len(junk))
    segmented = segment(text)
    assert sum(end - start for start, end in segmented.sentences) == len(segmented.tokens)


@pytest.fixture(scope="module")
def paragraphs(public_data: PublicData) -> list[list[tuple[str, list[str]]]]:
    return list(ud_documents(public_data("ud", "en_ewt", "en_ewt-ud-dev.conllu")))


def test_token_f1_on_ewt_dev(paragraphs: list[list[tuple[str, list[str]]]], segmenter: EnglishSegmenter) -> None:
    gold: list[set[tuple[int, int]]] = []
    for paragraph in paragraphs:
        raw = "".join(text for text, _ in paragraph)
        gold.append(set())
        position = 0
        for word in (word for _, words in paragraph for word in words):
            start = raw.index(word, position)
            position = start + len(word)
            gold[-1].add((start, position))
    texts = segmenter.segment(["".join(text for text, _ in paragraph) for paragraph in paragraphs])
    excerpt = len(paragraphs) < 100  # in the excerpt, a few e-mails with addresses and rows of dashes weigh more
    spans = ([(token.start, token.end) for token in text.tokens] for text in texts)
    assert overlap(spans, gold).f1 >= (0.97 if excerpt else 0.988)


@pytest.mark.parametrize("lower", [False, True])
def test_sentence_count_on_ewt_dev(
    paragraphs: list[list[tuple[str, list[str]]]], segmenter: EnglishSegmenter, lower: bool
) -> None:
    raws = ["".join(text for text, _ in paragraph) for paragraph in paragraphs]
    texts = segmenter.segment([raw.lower() for raw in raws] if lower else raws)
    right = sum(len(text.sentences) == len(paragraph) for text, paragraph in zip(texts, paragraphs, strict=True))
    assert right / len(paragraphs) >= 0.82
