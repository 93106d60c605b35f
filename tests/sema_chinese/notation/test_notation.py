import pytest
from sema_chinese.aligner import ChineseAligner, are_opposed
from sema_chinese.notation.quantities import match, numbers
from sema_chinese.notation.spelling import Spelling

from tests.cases import cases


def spelling(text: str) -> Spelling:
    return Spelling(tuple(text.split()))


@cases("zh/numbers")
def test_numbers_over_several_words(text: str, value: float, kind: str) -> None:
    number = numbers(spelling(text))[0]
    assert (number.value, number.kind) == (value, kind)


@pytest.mark.parametrize("text", ["一些 人", "周三 下午", "十分 高兴", "二氧化碳", "进 一 步", "两 国"])
def test_what_is_no_number(text: str) -> None:
    assert numbers(spelling(text)) == []


@cases("zh/equal_numbers")
def test_numbers_in_other_notation_are_equal(source: str, output: str, same: bool) -> None:
    assert bool(match(numbers(spelling(source)), numbers(spelling(output)))) is same


@cases("zh/opposites")
def test_opposition_is_symmetric(first: str, second: str, opposed: bool) -> None:
    assert are_opposed(first, second) is opposed
    assert are_opposed(second, first) is opposed


def test_link_weights_follow_relations_and_neighbours() -> None:
    aligner = ChineseAligner()
    pair = ["他们", "击败", "了", "百分", "之", "十五"], ["他们", "打败", "失败", "15%"]
    (grid,) = aligner.probabilities([pair])
    assert grid.shape == (6, 4)
    assert grid[0, 0] == 1
    assert grid[1, 1] >= 0.85
    assert grid[1, 2] < 0.85
    assert (grid[3:, 3] == 1).all()
    opposites, numbers = aligner.probabilities(
        [(["价格", "上调"], ["价格", "下调"]), (["三百", "二十万"], ["三百", "三十万"])]
    )
    assert opposites[1, 1] < 0.5 and not numbers.any()
