"""Translations of pages and reports: the table is complete, and finds whole sentences."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import sema
from sema.display.pictures.verdicts import Problem
from sema.display.pictures.words import NAMES, say, speaking, table
from sema.metrics.meaning import MeaningScore
from sema.model.meaning import FAIR, WHOLE, verdict
from tests.cases import cases

ROOT = Path(sema.__file__).parent
SPOKEN = re.compile(r"""\b(?:_|say|semaSay)\((?P<quote>["'])(?P<text>(?:\\.|(?!(?P=quote)).)+)(?P=quote)""")
OTHERS = [code for code in NAMES if code != "en"]


def spoken_texts() -> set[str]:
    """Every text that templates, scripts and modules say."""
    files = [*ROOT.glob("*/templates/*.html"), *ROOT.glob("*/templates/*.js"), *ROOT.glob("*/**/*.py")]
    found = {match["text"] for file in files for match in SPOKEN.finditer(file.read_text(encoding="utf-8"))}
    return {re.sub(r"\\(.)", r"\1", text) for text in found}


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_whatever_a_page_says_is_in_the_table_and_has_no_gaps_of_its_own(language: str) -> None:
    texts = spoken_texts()
    assert len(texts) > 150
    assert sorted(texts - table(language).keys()) == []
    assert [english for english, other in table(language).items() if not gaps(english) >= gaps(other)] == []


@cases("verdicts_in_chinese")
def test_verdicts_in_chinese(kinds: list[str], score: float, expected: str) -> None:
    said = verdict(score, kinds)
    with speaking("zh"):
        assert say(f"{said[0].upper()}{said[1:]}.") == expected


def test_what_is_said_of_meaning_has_the_limits_of_its_verdict() -> None:
    (english,) = (text for text in table("zh") if text.startswith("whether the output says what the source says"))
    assert f"w{str(MeaningScore.__doc__)[1:]}" == f"{english}."
    for said in (english, table("zh")[english]):
        assert [float(number) for number in re.findall(r"\d+", said)] == [WHOLE, FAIR]


def test_words_of_the_texts_stay_as_they_are() -> None:
    with speaking("zh"):
        assert str(Problem("wrong", "lost", "added", 0.03)) == "错误：“lost” → “added”"
        assert str(Problem("missing", "the wrong {n}", "", 0.03)) == "缺失：the wrong {n}"
        assert say("'was kept' became 'is new'") == "“was kept”变成了“is new”"
        assert say("no such sentence stands in the table") == "no such sentence stands in the table"
    assert str(Problem("missing", "lost", "", 0.03)) == "Missing: lost"
