"""The tables of words with their levels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PublicData
from training.chinese import hsk_tables
from training.english import cefr_words


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("要是……，就……", [("要是", "就")]),
        ("（1）不用关联词语（2）用关联词语：先……，再/然后……", [("先", "然后")]),
        ("哪怕……，也/还……", [("哪怕", "也"), ("哪怕", "还")]),
        ("……，并且……", []),
        ("主语+被/叫/让+宾语", []),
    ],
)
def test_frames_are_points_of_several_given_words(content: str, found: list[tuple[str, ...]]) -> None:
    assert list(hsk_tables.frames(content)) == found


@pytest.mark.parametrize(
    ("module", "names", "data"),
    [
        (cefr_words, ["cefr_words"], ("readability", "cefrj_vocabulary.tsv.gz")),
        (hsk_tables, ["hsk_words", "hsk_grammar"], ("lexicons", "zh", "hsk30_words.tsv.gz")),
    ],
)
def test_the_shipped_tables_are_those_that_the_command_writes(
    module: Any, names: list[str], data: tuple[str, ...], public_data: PublicData, tmp_path: Path, monkeypatch: Any
) -> None:
    public_data(*data)
    monkeypatch.setattr("sys.argv", ["", "--to", str(tmp_path)])
    module.main()
    for file in (f"{name}.txt" for name in names):
        assert (tmp_path / file).read_text(encoding="utf-8") == (module.TABLES / file).read_text(encoding="utf-8")
