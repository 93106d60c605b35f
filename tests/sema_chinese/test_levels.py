import math

import pytest
from sema_chinese.levels.hsk import TOP, constructions, listed_levels, word_level

from sema import Scorer
from sema.errors import InputError
from sema.languages import find_language
from sema.metrics.base import Item
from sema.metrics.registry import make_metric
from sema.model.forms import segmented
from sema.model.text import Text
from sema.options import Settings
from tests.cases import cases


def test_shares_count_every_token_and_pool_over_the_corpus(make_item, results) -> None:
    items = [make_item("x", "爸爸 安排 爱 。"), make_item("x", "颠覆 爸爸")]
    low, high = (results(name, items, tokenizer="none") for name in ("hsk_low", "hsk_high"))
    assert low.items == (75, 50)
    assert high.items == (25, 50)  # 。 is in no level; 颠覆 in the top one
    assert (low.corpus, high.corpus) == pytest.approx((100 * 4 / 6, 100 * 2 / 6))


def test_a_text_has_the_level_whose_learners_know_nearly_all_its_words() -> None:
    assert {word: word_level(word) for word in ("我", "喜欢", "承认", "错误")} == {
        **{"我": 1, "喜欢": 1, "承认": 4, "错误": 3}
    }
    metric = make_metric("hsk_level", Settings({"target": 2}))
    easy = Text.from_tokenized("我 喜欢 你 。")
    hard = Text.from_tokenized("我 承认错误 2024")  # the second word is not listed; its parts are
    unknown = Text.from_tokenized("甴曱")
    blank = Text.from_tokenized("。")
    rows = metric.rows([Item(easy, text) for text in (easy, hard, unknown, blank)])
    levels = [metric.item_value(row) for row in rows]
    assert levels[:3] == pytest.approx([1, 3 + (0.95 - 0.5) * 2, 6 + 0.95])
    assert math.isnan(levels[3])
    assert metric.corpus(rows) == pytest.approx(sum(levels[:3]) / 3)
    evidence = metric.explain(Item(easy, hard))["levels"]
    assert (evidence["target"], evidence["source"]["label"], evidence["output"]["above"]) == ("HSK 2", "HSK 1", [1])
    assert [(part["text"], part["label"]) for part in evidence["output"]["hard"]] == [("承认错误", "HSK 4")]
    repeated = metric.explain(Item(easy, Text.from_tokenized("承认 我 承认")))["levels"]["output"]
    assert (repeated["above"], [part["tokens"] for part in repeated["hard"]]) == ([0, 2], [[0]])
    with pytest.raises(InputError, match=r"hsk_level.target cannot be 9"):
        make_metric("hsk_level", Settings({"target": 9}))


def test_a_cefr_target_means_nothing_among_levels_of_hsk() -> None:
    report = Scorer("zh", ["hsk_level"]).score(["我喜欢你。"] * 2, ["我喜欢你。"] * 2, targets=["B1", 3])
    assert report.systems[0].items[0].scores == report.systems[0].items[1].scores  # the score needs no target
    named, numbered = (report.evidence(item)["output"] for item in (0, 1))
    assert "levels" not in named and "B1 is a CEFR level" in named["unexplained"]["hsk_level"]
    assert numbered["levels"]["target"] == "HSK 3" and "unexplained" not in numbered


def test_easy_texts_have_low_levels_in_either_script() -> None:
    outputs = ["我喜欢在家里看书。", "鉴于形势严峻，委员会颁布了一系列举措。", "我喜歡在家裡看書。"]
    report = Scorer("zh", ["hsk_level", "hsk_low", "hsk_high"]).score(outputs, outputs)
    easy, hard, traditional = (item.scores for item in report.systems[0].items)
    assert traditional == easy
    assert easy["hsk_level"] < 2 and hard["hsk_level"] > 5
    assert easy["hsk_low"] > hard["hsk_low"] and easy["hsk_high"] < hard["hsk_high"]
    assert "list=hsk-3.0,words=10978" in report.signature


@cases("zh/frames")
def test_frames_of_the_standard_are_found(line: str, found: tuple[tuple[str, int, tuple[int, ...]], ...]) -> None:
    """Sentences are separated by ``||``, and no frame crosses them."""
    parts = constructions(Text.from_sentences([part.split() for part in line.split("||")]))
    assert tuple((part.what, part.level, part.tokens) for part in parts) == found


@pytest.mark.stress
def test_every_word_of_the_hsk_list_can_be_reached() -> None:
    parts = find_language("zh").parts()
    metric = make_metric("hsk_level").bind(parts)
    vocabulary = listed_levels()
    texts = segmented(parts.segmenter, list(vocabulary))
    read = [[level for level in metric._read(text).words if level] for text in texts]
    missed = {word for word, found in zip(vocabulary, read, strict=True) if found != [min(vocabulary[word], TOP)]}
    assert missed == set()
