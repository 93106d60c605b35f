"""Targets that cannot be written are refused before anything is scored; columns of one file are systems."""

from pathlib import Path

import pytest

from sema.cli.main import main
from sema.scoring.scorer import Scorer

TABLE = "source,A,B\nThe cat sat.,The cat sat.,A dog.\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "sys.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["x" * 300 + ".jsonl", "/proc/nothing.jsonl"])
def test_a_file_that_cannot_be_written_is_refused_before_scoring(
    table: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def score(*args: object, **kwargs: object) -> None:
        raise AssertionError("it was scored")

    monkeypatch.setattr(Scorer, "score", score)
    target = str(tmp_path / name)
    given = ["score", "--lang", "en", "-s", str(table), "-o", f"{table}:A", "--metrics", "fkgl", "--per-item", target]
    assert main(given) == 1
    assert "cannot be written: " in capsys.readouterr().err


def test_nothing_is_left_of_the_check(table: Path, tmp_path: Path) -> None:
    given = ["score", "--lang", "en", "-s", str(table), "-o", f"{table}:A", "--metrics", "fkgl"]
    assert main([*given, "--per-item", str(tmp_path / "rows.jsonl")]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.jsonl", "sys.csv"]
