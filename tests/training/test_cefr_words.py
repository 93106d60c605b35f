from __future__ import annotations

from pathlib import Path

import pytest
from sema_english.listed import read_lines

from tests.conftest import PublicData
from training.english.cefr_words import main


def test_the_shipped_table_is_the_one_that_the_command_writes(
    public_data: PublicData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public_data("readability", "cefrj_vocabulary.tsv.gz")
    monkeypatch.setattr("sys.argv", ["cefr_words", "--to", str(tmp_path)])
    main()
    assert (tmp_path / "cefr_words.txt").read_text(encoding="utf-8").splitlines() == read_lines("cefr_words.txt")
