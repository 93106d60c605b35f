"""Chinese numbers over several words, opposites, and how likely words stand for each other."""

import numpy as np
import pytest
from sema_chinese import aligner
from sema_chinese.aligner import ChineseAligner
from sema_chinese.notation.quantities import match, numbers
from sema_chinese.spelling import Spelling
from sema_chinese.substitutes import are_opposed, listed_places, replacements

from sema.alignment.rules import NEAREST, nearest
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


def test_listed_words_are_found_however_a_text_is_cut() -> None:
    places = {place.word for place in listed_places(Spelling(("转化", "为", "水")))}
    assert {"转化", "转化为", "为"} & places >= {"转化", "转化为"}
    assert "打败" in replacements("击败")
    assert "击败" not in replacements("失败")


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


def test_a_word_repeated_often_is_compared_with_few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the pairs of a repeated word and its repeated synonym grow with the square of the texts."""
    compared: list[int] = []

    def counted(places: list[int], around: float) -> list[int]:
        compared.append(len(partners := nearest(places, around)))
        return partners

    monkeypatch.setattr(aligner, "nearest", counted)
    here, there = map(Spelling, (("高兴",) * 300, ("快乐",) * 300))
    grid = np.zeros((300, 300), np.float32)
    aligner._link_listed(grid, here, there)
    assert (grid.max(1) > 0).all() and (grid.max(0) > 0).all()
    assert sum(compared) < 300 * 2 * NEAREST
