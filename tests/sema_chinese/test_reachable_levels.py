"""Every word of a list of levels counts with its level, however the tokenizer cuts it."""

import pytest
from sema_chinese.levels.word_lists import TOP, read_vocabulary
from sema_english.levels.cefr import english_levels, listed_level, listed_levels

from sema.languages import find_language
from sema.metrics.base import Item
from sema.metrics.registry import make_metric
from sema.model.forms import segmented
from sema.model.levels import listed_runs
from sema.model.text import Text, Token


def test_runs_are_looked_up_longest_first() -> None:
    listed = {"图书馆", "图书", "汉语"}.__contains__
    assert listed_runs(["图书", "馆", "汉", "语", "书"], listed, 4) == {0: 2, 2: 2}
    assert listed_runs(["图", "书", "馆"], listed, 4) == {0: 3}
    assert listed_runs(["图", "书", "馆"], listed, 2) == {0: 2}
    assert listed_runs([], listed, 4) == {}


@pytest.mark.stress
def test_every_word_of_the_hsk_list_can_be_reached() -> None:
    parts = find_language("zh").parts()
    metric = make_metric("hsk_level").bind(parts)
    vocabulary = read_vocabulary()
    texts = segmented(parts.segmenter, list(vocabulary))
    read = [[level for level in metric._read(text).words if level] for text in texts]
    missed = {word for word, found in zip(vocabulary, read, strict=True) if found != [min(vocabulary[word], TOP)]}
    assert missed == set()


def test_every_word_of_the_cefr_lists_can_be_reached() -> None:
    parts = find_language("en").parts()
    known = listed_levels()
    texts = segmented(parts.segmenter, list(known))
    whole = [text.raw for text in texts if text.words == (text.raw,)]
    assert [word for word in whole if listed_level(word, parts.lexicon) != known[word]] == []
    cut = [text for text in texts if len(text.words) > 1]
    assert len(whole) + len(cut) == len(known)
    assert parts.encoder is not None
    read = english_levels(parts.lexicon).read(zip(cut, parts.encoder.states([text.words for text in cut]), strict=True))
    levels = [[level for level in one.words if level is not None] for one in read]
    assert levels == [[known[text.raw]] for text in cut]


def test_a_hard_word_that_is_cut_is_shown_whole() -> None:
    parts = find_language("zh").parts()
    words = ("因", "此", "他", "来", "。")
    text = Text("因此他来。", tuple(Token(word, at, at + 1) for at, word in enumerate(words)), ((0, 5),))
    levels = make_metric("hsk_level").bind(parts).explain(Item(text, text))["levels"]["output"]
    assert [part["text"] for part in levels["hard"]] == ["因此"]
