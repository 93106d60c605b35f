from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sema_chinese.segmentation.segmenter import ChineseSegmenter, split_sentences
from sema_ud.conllu import read_sentences

from benchmarks.overlap import overlap
from sema.model.text import Segmenter, Text
from tests.cases import cases


@pytest.fixture(scope="module")
def segmenter() -> ChineseSegmenter:
    return ChineseSegmenter(threads=1)


@cases("zh/sentences")
def test_texts_are_cut_into_sentences(text: str, expected: tuple[str, ...]) -> None:
    assert tuple(text[begin:end] for begin, end in split_sentences(text)) == expected


def check(text: Text) -> None:
    assert all(text.raw[token.start : token.end] == token.text for token in text.tokens)
    assert "".join(text.words) == "".join(text.raw.split())
    covered = [index for start, end in text.sentences for index in range(start, end)]
    assert covered == list(range(len(text.tokens)))


def test_words_in_either_script_and_mixed_with_latin(segmenter: ChineseSegmenter) -> None:
    latin = "我用iPhone 15在U.S. News上看了3.5%的报告,很好!"
    texts = segmenter.segment(["他们在北京大学学习。", "他們在北京大學學習。", latin, " ", "二〇〇四年。"])
    simplified, traditional, mixed, empty, digits = texts
    for text in texts:
        check(text)
    assert [(t.start, t.end) for t in simplified.tokens] == [(t.start, t.end) for t in traditional.tokens]
    assert "他們" in traditional.words and "他们" in simplified.words
    assert {"iPhone", "15", "U.S.", "News", "3.5"} <= set(mixed.words)
    assert empty.tokens == ()
    assert digits.words[0] == "二〇〇四"


def test_an_address_is_one_word(segmenter: ChineseSegmenter) -> None:
    assert isinstance(segmenter, Segmenter) and segmenter.segment([]) == []
    texts = ["网址是www.pku.edu.cn，邮箱为abc@pku.edu.cn。", "请看https://a.org/b?c=1 。", "他在pku.edu.cn学习。"]
    (text, other, before_words) = segmenter.segment(texts)
    assert text.words == ("网址", "是", "www.pku.edu.cn", "，", "邮箱", "为", "abc@pku.edu.cn", "。")
    assert other.words[-2:] == ("https://a.org/b?c=1", "。")
    assert before_words.words == ("他", "在", "pku.edu.cn", "学习", "。")


def test_a_sentence_of_three_thousand_characters_is_read_in_passes_that_agree(segmenter: ChineseSegmenter) -> None:
    texts = segmenter.segment(["他在北京学习，" * 430 + "她来了。", "他在北京学习汉语" * 375])
    for text in texts:
        check(text)
        assert len(text.sentences) == 1
    assert texts[0].words[: 5 * 430] == ("他", "在", "北京", "学习", "，") * 430


@settings(max_examples=40, deadline=None)
@given(st.text("他们在北京大學學習漢語。，！？“”（） \n\tabcXYZ123.,%-‘’……；：·🙂é", max_size=60))
def test_nothing_is_lost_in_any_text(text: str) -> None:
    (segmented,) = ChineseSegmenter(threads=1).segment([text])
    check(segmented)


def test_words_as_annotated(segmenter: ChineseSegmenter, ud_data: Path) -> None:
    file = ud_data / "zh_gsdsimp" / "zh_gsdsimp-ud-test.conllu"
    annotated = list(islice(read_sentences(file), 120))
    texts = segmenter.segment([one.text for one in annotated])
    spans = ([(token.start, token.end) for token in text.tokens] for text in texts)
    assert overlap(spans, (one.offsets for one in annotated)).f1 > 0.93
