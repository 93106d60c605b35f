"""One version: what the package says of itself is what its changelog and its citation say."""

import re

import sema
from tests.conftest import ROOT

RELEASES = re.findall(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_changelog_and_citation_say_the_version_and_nothing_states_it_twice() -> None:
    developed = sema.__version__.endswith(".dev0")
    assert sema.__version__.removesuffix(".dev0") == RELEASES[0]
    assert f"\nversion: {RELEASES[developed]}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert RELEASES[0] not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
