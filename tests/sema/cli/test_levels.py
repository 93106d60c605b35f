"""`sema levels`: the words of a text by level."""

from pathlib import Path

import pytest

from tests.commands import printed, write
from tests.conftest import Run

pytest.importorskip("sema_english")


def test_words_are_listed_by_level(sema: Run) -> None:
    write("en.txt", "The novelist slept.\nThe dog slept in 1923.\n")
    told = printed(sema("levels", "--lang", "en", "en.txt", "--json"))
    assert (told["metric"], told["items"], told["words"]) == ("cefr", 2, 7)
    levels = {row["level"]: row["list"] for row in told["profile"]}
    assert levels["A1"]["the"] == 2 and sum(row["words"] for row in told["profile"]) == 7
    assert sum(row["share"] for row in told["profile"]) == pytest.approx(1)
    assert next(level for level, words in levels.items() if "novelist" in words) > "A2"
    shown = sema("levels", "--lang", "en", "en.txt", "--words", "1").stdout
    assert shown.splitlines()[1].split()[:2] == ["A1", str(sum(levels["A1"].values()))]
    assert f"mean cefr {told['level']}" in shown


def test_a_profile_is_drawn(sema: Run) -> None:
    pytest.importorskip("matplotlib")
    write("en.txt", "The novelist slept.\n")
    assert sema("levels", "--lang", "en", "en.txt", "--figure", "profile.svg").returncode == 0
    assert "novelist" in Path("profile.svg").read_text(encoding="utf-8")
