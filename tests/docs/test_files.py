import re
import tomllib
import zlib
from pathlib import Path

import pytest

from tests.conftest import ROOT

DERIVED = (".npy", ".npz", ".onnx")
NAMED = re.findall(
    r"^\S.*\(((?:parsers|lexicons|apps|training|tests)/[\w/-]+)", (ROOT / "NOTICE").read_text(encoding="utf-8"), re.M
)
DERIVED_FILES = sorted(
    file for top in ("parsers", "lexicons", "apps") for file in (ROOT / top).rglob("*") if file.suffix in DERIVED
)


@pytest.mark.parametrize("file", DERIVED_FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_derived_files_are_in_the_notice_and_on_a_card(file: Path) -> None:
    assert all((ROOT / folder).is_dir() for folder in NAMED)
    assert any(file.is_relative_to(ROOT / folder) for folder in NAMED), "NOTICE does not name its folder"
    package = next(parent for parent in file.parents if parent.parent.name in ("parsers", "lexicons", "apps"))
    between = [parent for parent in file.parents if parent.is_relative_to(package) and parent != package]
    assert any(list(parent.glob("*CARD.md")) for parent in between), "no card beside it"


@pytest.mark.parametrize("file", sorted((ROOT / "training").rglob("*.gz")), ids=lambda file: file.name)
def test_data_for_training_are_in_the_notice(file: Path) -> None:
    assert any(file.is_relative_to(ROOT / folder) for folder in NAMED), "NOTICE does not name its folder"


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PATTERNS = PROJECT["tool"]["setuptools"]["package-data"]["*"]
MOST = 80_000_000
"""Bytes of a wheel."""
FOLDERS = [
    ROOT / "sema",
    *(folder for top in ("parsers", "lexicons", "apps") for folder in (ROOT / top).glob("sema_*")),
]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_files_beside_the_code_are_package_data(folder: Path) -> None:
    beside = [file for file in folder.rglob("*") if file.is_file() and file.suffix not in (".py", ".pyc")]
    left_out = [str(file.relative_to(ROOT)) for file in beside if not any(file.match(pattern) for pattern in PATTERNS)]
    assert not left_out


@pytest.mark.stress
def test_the_wheel_is_small() -> None:
    packaged = [file for folder in FOLDERS for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    sizes = {str(file.relative_to(ROOT)): len(zlib.compress(file.read_bytes())) for file in packaged}
    largest = sorted(sizes.items(), key=lambda one: -one[1])[:12]
    assert sum(sizes.values()) < MOST, largest


def test_the_page_on_installing_names_every_extra_that_a_user_may_want() -> None:
    rows = [line for line in (ROOT / "docs" / "install.md").read_text("utf-8").splitlines() if line.startswith("| `")]
    listed = {name for row in rows for name in re.findall("`(\\w+)`", row.split(" | ")[0])}
    ours = {"all", "dev", "train"}
    assert listed == set(PROJECT["project"]["optional-dependencies"]) - ours
