"""Chinese numbers over several words."""

import pytest
from sema_chinese.notation.quantities import match, numbers
from sema_chinese.spelling import Spelling

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
