import re
from calendar import month_name
from collections.abc import Callable
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sema_english.words import table
from sema_reader import figures
from sema_reader.normalisation import Normalised, apart, normalised
from sema_reader.quantities import NUMBER, Patterns, _Form, decimal, units_of

from sema.model.text import Text, spelled
from tests.cases import cases

HOMES = {"en": "sema_english", "zh": "sema_chinese"}
PARTS = {
    "en": "5 five fifth 5th V 1.5 1.10 007 2½ 1/2 half a quarter of third million m £ $ pounds km metres - – / : , . "
    "to and between from minus p.m. past 15:00 3:1 May March 2020 20 1990-03-05 World War II Second twice times not "
    "fair unfair WHO Health Organization per cent % one in out o'clock the "
    "mph mph. ft ' sq 1960s sixties 18th century 1700s over more than at least ≥ or ¢ per day hours dozen",
    "zh": "五 5 十五 15 两 一 个 三 点 半 下午 上午 点半 : 00 年 月 日 号 天 小时 公里 米 3千 百分 之 % 分之一 / "
    "增加 了 倍 是 原来 的 翻 番 零下 - 度 ℃ 比 多 第 1.10 007 万 亿 ￥ 元 块钱 过半 一半 百分点 人 "
    "每 时速 以上 超过 ≤ 至 世纪 年代 六十 块 $ 折 ㎡ 三月",
}
WORDS = {"en": "the old dog was may march", "zh": "他们 一起 来 统一 万一 很 好"}
SMALL = {int(value): word for word, value in table("numbers")["small"].items()}


def rewritten(lang: str, source: Text, output: Text) -> Normalised | None:
    matches = import_module(f"{HOMES[lang]}.notation.matches").matches
    return normalised(source, output, matches(source, output))


def texts(words: str) -> st.SearchStrategy[Text]:
    some = st.lists(st.sampled_from(words.split()), min_size=1, max_size=12)
    return some.map(lambda chosen: Text.from_tokenized(" ".join(chosen)))


@pytest.mark.parametrize("lang", HOMES)
@given(data=st.data())
def test_a_copy_is_read_as_it_is(lang: str, data: st.DataObject) -> None:
    text = data.draw(texts(PARTS[lang]))
    assert rewritten(lang, text, text) is None


@pytest.mark.parametrize("lang", HOMES)
@given(data=st.data())
def test_texts_without_numbers_and_names_are_read_as_they_are(lang: str, data: st.DataObject) -> None:
    source, output = data.draw(texts(PARTS[lang])), data.draw(texts(WORDS[lang]))
    assert rewritten(lang, source, output) is None


@pytest.mark.parametrize("lang", HOMES)
@given(data=st.data())
def test_every_word_of_the_output_keeps_its_place(lang: str, data: st.DataObject) -> None:
    source, output = (data.draw(texts(PARTS[lang])) for _ in range(2))
    matches = apart(source, output, import_module(f"{HOMES[lang]}.notation.matches").matches(source, output))
    changed = {token for _, run in matches for token in run}
    assert len(changed) == sum(len(run) for _, run in matches)
    if new := rewritten(lang, source, output):
        assert len(new.places) == len(output.words)
        assert sorted({place for places in new.places for place in places}) == [*range(len(new.text.words))]
        for token, places in enumerate(new.places):
            assert token in changed or [new.text.words[place] for place in places] == [output.words[token]]
        for old, run in matches:
            last = new.places[run[-1]].stop
            assert new.text.words[last - len(old) : last] == source.words[old.start : old.stop]


def english(number: int) -> str:
    """A number from 1 to 999,999 in words."""
    if number >= 1000:
        return f"{english(number // 1000)} thousand {english(number % 1000)}".rstrip()
    if number >= 100:
        return f"{SMALL[number // 100]} hundred {'and ' if number % 100 else ''}{english(number % 100)}".rstrip()
    tens, ones = divmod(number, 10)
    if number in SMALL:
        return SMALL[number] if number else ""
    return f"{SMALL[10 * tens]} - {SMALL[ones]}"


def chinese(number: int) -> str:
    """A number from 1 to 9,999 in characters."""
    digits, found = "零一二三四五六七八九", ""
    for place, power in zip(range(3, -1, -1), ("千", "百", "十", ""), strict=True):
        digit = number // 10**place % 10
        if digit:
            found += digits[digit] + power
        elif found and number % 10**place:
            found = found.rstrip("零") + "零"
    return found.removeprefix("一") if number in range(10, 20) else found


def counts(number: int) -> dict[str, list[str]]:
    return {
        "en": [f"{english(number)} of them", f"{number} of them", f"{number:,} of them"],
        "zh": [f"{chinese(number % 9999 + 1)} 元", f"{number % 9999 + 1} 元", f"￥ {number % 9999 + 1}"],
    }


def times(number: int) -> dict[str, list[str]]:
    hour, minute = 13 + number % 11, 10 + number // 11 % 50
    return {
        "en": [f"{hour}:{minute}", f"{hour - 12}:{minute} p.m.", f"{hour - 12}:{minute} pm"],
        "zh": [f"{hour} : {minute}", f"下午 {hour - 12} 点 {minute} 分", f"{chinese(hour)} 时 {chinese(minute)} 分"],
    }


def dates(number: int) -> dict[str, list[str]]:
    year, month, day = 1900 + number % 99, 1 + number // 99 % 12, 1 + number // 1188 % 19
    name = month_name[month]
    return {
        "en": [f"{day} {name} {year}", f"{name} {day} , {year}", f"{year}-{month:02}-{day:02}"],
        "zh": [f"{year} 年 {month} 月 {day} 日", f"{year} - {month:02} - {day:02}", f"{year} / {month} / {day}"],
    }


def measures(number: int) -> dict[str, list[str]]:
    whole = 2 + number % 90
    return {
        "en": [f"{whole} km", f"{whole} kilometres", f"{whole * 1000:,} metres", f"{english(whole)} km"],
        "zh": [f"{whole} 公里", f"{chinese(whole)} 公里", f"{whole * 1000} 米"],
    }


def durations(number: int) -> dict[str, list[str]]:
    hours, minutes = 2 + number % 22, 2 + number // 22 % 58
    return {
        "en": [f"{hours} h {minutes} min", f"{hours} hours and {minutes} minutes", f"{60 * hours + minutes} minutes"],
        "zh": [f"{hours} 小时 {minutes} 分钟", f"{60 * hours + minutes} 分钟"],
    }


def limits(number: int) -> dict[str, list[str]]:
    return {
        "en": [f"> {number}", f"more than {number}", f"over {number:,}"],
        "zh": [f"> {number}", f"超过 {number}", f"多于 {number}"],
    }


@pytest.mark.parametrize("lang", HOMES)
@pytest.mark.parametrize("notations", [counts, times, dates, measures, durations, limits])
@given(first=st.integers(2, 999_999), second=st.integers(2, 999_999), data=st.data())
def test_equal_quantities_are_read_alike_and_others_are_not(
    lang: str, notations: Callable[[int], dict[str, list[str]]], first: int, second: int, data: st.DataObject
) -> None:
    forms, others = notations(first)[lang], notations(second)[lang]
    one, another = (Text.from_tokenized(f"( {form} )") for form in data.draw(st.permutations(forms))[:2])
    new = rewritten(lang, one, another)
    assert (another if new is None else new.text).words == one.words
    other = Text.from_tokenized(f"( {data.draw(st.sampled_from(others))} )")
    new = rewritten(lang, one, other)
    assert set(forms) == set(others) or (other if new is None else new.text).words != one.words


PATTERNS = Patterns(table("measures"), rf"{NUMBER}|\bone\b", decimal)
IN_LINES = [
    "#5", "#2.5e+06", "#5th", "#50%", "one", "a", "an", "and", "half", "per", "/", "-", ",", "to", "in",
    "\u017fec", "\u212am",
]  # fmt: skip


@given(st.lists(st.sampled_from([*IN_LINES, *units_of(table("measures"))]), max_size=9).map(" ".join))
def test_a_pattern_that_waits_to_be_compiled_finds_what_it_would(line: str) -> None:
    for _, form in PATTERNS._forms:
        waiting = _Form(form._whole, form._first.pattern)
        found, due = waiting.finditer(line), re.finditer(form._whole, line, re.IGNORECASE)
        assert [one.groupdict() for one in found] == [one.groupdict() for one in due]


def test_of_matches_that_overlap_the_longest_is_taken_and_a_copied_one_is_not() -> None:
    texts = Text.from_tokenized("a b c"), Text.from_tokenized("d e f g h i A B")
    matches = [(range(1), range(2, 3)), (range(2), range(1, 4)), (range(3), range(5, 6)), (range(1), range(6, 8))]
    assert apart(*texts, matches) == matches[1:3]


@cases("figures")
def test_figures_in_the_notation_of_any_language(source: str, output: str, read: str | None) -> None:
    pair = Text.from_tokenized(source), Text.from_tokenized(output)
    new = normalised(*pair, figures.matches(*pair))
    assert (None if new is None else "".join(spelled(new.text.tokens))) == read
