"""What an installed package has: every file beside the code goes into the wheel."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PATTERNS = PROJECT["tool"]["setuptools"]["package-data"]["*"]
FOLDERS = [ROOT / "sema", *(ROOT / "parsers").glob("sema_*"), *(ROOT / "lexicons").glob("sema_*")]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_files_beside_the_code_are_package_data(folder: Path) -> None:
    beside = [file for file in folder.rglob("*") if file.is_file() and file.suffix not in (".py", ".pyc")]
    left_out = [str(file.relative_to(ROOT)) for file in beside if not any(file.match(pattern) for pattern in PATTERNS)]
    assert not left_out
