"""The command line in its own folder with the outside language, so that no model is loaded."""

from pathlib import Path

import pytest

from tests.commands import GOOD
from tests.conftest import Run


@pytest.fixture
def folder(outside_package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands run in, with two files of three items; the outside language is installed."""
    monkeypatch.syspath_prepend(str(outside_package))
    monkeypatch.chdir(tmp_path)
    for name in ("source.txt", "output.txt"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")
    return tmp_path


@pytest.fixture
def sema(folder: Path, command: Run) -> Run:
    """Run a command there in this process."""
    return command
