"""One version: what the package says of itself is what its changelog and its citation say."""

import re

import sema
from tests.conftest import ROOT

RELEASES = re.findall(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_changelog_begins_with_the_version() -> None:
    assert sema.__version__.removesuffix(".dev0") == RELEASES[0]


def test_the_citation_names_the_last_release() -> None:
    last = RELEASES[1] if sema.__version__.endswith(".dev0") else RELEASES[0]
    assert f"\nversion: {last}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_version_is_stated_once() -> None:
    assert RELEASES[0] not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
