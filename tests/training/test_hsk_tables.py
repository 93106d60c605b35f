from __future__ import annotations

from pathlib import Path

import pytest
from sema_chinese.listed import read_lines

from tests.conftest import PublicData
from training.chinese.hsk_tables import frames, main


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
    assert list(frames(content)) == found


def test_the_shipped_tables_are_those_that_the_command_writes(
    public_data: PublicData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public_data("lexicons", "zh", "hsk30_words.tsv.gz")
    monkeypatch.setattr("sys.argv", ["hsk_tables", "--to", str(tmp_path)])
    main()
    for name in ("hsk_words", "hsk_grammar"):
        assert (tmp_path / f"{name}.txt").read_text(encoding="utf-8").splitlines() == read_lines(f"{name}.txt")
