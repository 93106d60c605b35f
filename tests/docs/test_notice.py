"""NOTICE names every folder with derived files, each has a card, and each card has a page of its own."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

DERIVED = (".npy", ".npz", ".onnx")
FOLDERS = re.findall(
    r"^\S.*\(((?:parsers|lexicons|apps|tests)/[\w/-]+)", (ROOT / "NOTICE").read_text(encoding="utf-8"), re.M
)
FILES = sorted(
    file for top in ("parsers", "lexicons", "apps") for file in (ROOT / top).rglob("*") if file.suffix in DERIVED
)


def test_every_folder_of_the_notice_exists() -> None:
    assert FOLDERS and [folder for folder in FOLDERS if not (ROOT / folder).is_dir()] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_derived_files_are_in_the_notice_and_on_a_card(file: Path) -> None:
    assert any(file.is_relative_to(ROOT / folder) for folder in FOLDERS), "NOTICE does not name its folder"
    package = next(parent for parent in file.parents if parent.parent.name in ("parsers", "lexicons", "apps"))
    between = [parent for parent in file.parents if parent.is_relative_to(package) and parent != package]
    assert any(list(parent.glob("*CARD.md")) for parent in between), "no card beside it"


def test_no_two_cards_share_a_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import generate

    generate.copies(ROOT, tmp_path)
    cards = [file for top in ("parsers", "lexicons", "apps") for file in (ROOT / top).rglob("*CARD.md")]
    assert len(list((tmp_path / "cards").iterdir())) == len(cards)
