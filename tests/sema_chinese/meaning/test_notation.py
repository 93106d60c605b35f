"""Numbers in other signs are read as the source writes them."""

from __future__ import annotations

import pytest
from sema_chinese.meaning.notation import matches
from sema_reader.notation import normalised

from sema import Scorer
from sema.model.text import Text


@pytest.mark.parametrize(
    ("source", "output", "words"),
    [
        ("在 三 十 天 内", "在 30 天 内", "在 三 十 天 内"),
        ("增长 两 成", "增长 20 %", "增长 两 成"),
        ("超过 三 十 天 ，", "超过 三十 日 ，", "超过 三 十 天 ，"),
        ("持续 5 天 。", "5 日 开始 。", None),
        ("在 三 十 天 内", "在 20 天 内", None),
        ("用 三 十 天", "用 30 年", None),
        ("达八百亿 元", "仅 800亿 元", None),
    ],
)
def test_the_same_number_is_read_alike(source: str, output: str, words: str | None) -> None:
    texts = Text.from_tokenized(source), Text.from_tokenized(output)
    reading = normalised(*texts, matches(*texts))
    assert (None if reading is None else " ".join(reading.text.words)) == words


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("请在三十天内提交申请。", "请在30天内提交申请。"),
        ("如果超过三十天，就不能退货。", "如果超过三十日，就不能退货。"),
    ],
)
def test_another_notation_costs_hardly_anything(source: str, output: str) -> None:
    (item,) = Scorer("zh", ["meaning"]).score([source], [output]).systems[0].items
    assert item.scores["meaning"] > 90
