"""Chinese numbers over several words."""

from __future__ import annotations

import pytest
from sema_chinese.meaning.quantities import match, numbers
from sema_chinese.spelling import Spelling


def spelling(text: str) -> Spelling:
    words = tuple(text.split())
    return Spelling(words, ((0, len(words)),))


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("百分 之 十 五", 15, "%"),
        ("15 %", 15, "%"),
        ("七成 左右", 70, "%"),
        ("三百 二十万 人", 3_200_000, ""),
        ("二十余 种", 20, ""),
        ("达八百亿 美元", 80_000_000_000, "美元"),
        ("三分 之一", 0.333333, "share"),
        ("第十 七", 17, "ordinal"),
        ("二０ 四 九 年", 2049, "年"),
        ("四 点 九亿 吨", 490_000_000, "吨"),
        ("十多 万 项", 100_000, ""),
        ("数千 名", 1000, "vague"),
        ("5 千 名", 5000, ""),
        ("首 届 比赛", 1, "ordinal"),
        ("半数 以上", 50, "%"),
        ("4 月 8 号", 4, "月"),
        ("一成 半", 15, "%"),
        ("三成 五", 35, "%"),
        ("七旬 老人", 70, "岁"),
        ("两 个 百分点", 2, "%"),
    ],
)
def test_numbers_over_several_words(text: str, value: float, kind: str) -> None:
    number = numbers(spelling(text))[0]
    assert (number.value, number.kind) == (value, kind)


@pytest.mark.parametrize("text", ["一些 人", "周三 下午", "十分 高兴", "二氧化碳", "进 一 步", "两 国"])
def test_what_is_no_number(text: str) -> None:
    assert numbers(spelling(text)) == []


@pytest.mark.parametrize(
    ("source", "output", "same"),
    [
        ("百分 之 十 五", "15 %", True),
        ("三分 之 二", "三分 之一", False),
        ("3012 人", "3000 人", True),
        ("3000 人", "3012 人", False),
        ("5300 人", "数千 人", True),
        ("数千 人", "数十 人", False),
        ("3 年", "3 天", False),
        ("第三 名", "3 %", False),
        ("四分 之一", "25 %", True),
        ("1903 年", "1930 年", False),
        ("八十 年代", "1980 年 之后", True),
        ("半数", "五成", True),
        ("一成 半", "百分之 十 五", True),
        ("千分 之一", "一 千 分之一", True),
        ("千分 之一", "百分 之一", False),
        ("千分 之五", "百分 之 零点五", True),
        ("八 至 九 个 月", "八九 个 月", True),
        ("十七八 岁", "十七 岁", True),
        ("十七八 岁", "十九 岁", False),
        ("一两万 人", "1 、 2万 人", True),
        ("二十一 世纪", "2000 年 以后", True),
        ("二十一 世纪", "1900 年 以后", False),
    ],
)
def test_numbers_in_other_notation_are_equal(source: str, output: str, same: bool) -> None:
    assert bool(match(numbers(spelling(source)), numbers(spelling(output)))) is same
