"""One version in package, changelog and citation; signatures tell two states of a checkout apart."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import sema
from sema.runtime.version import signed_version
from tests.conftest import ROOT


def _signed(folder: Path) -> str:
    code = "from sema.runtime.version import signed_version; print(signed_version())"
    shown = subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, capture_output=True, text=True)
    return shown.stdout.strip()


def test_a_changed_line_changes_the_version_between_releases_and_not_that_of_a_release(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sema", tmp_path / "sema", ignore=shutil.ignore_patterns("__pycache__"))
    before = _signed(tmp_path)
    assert before == _signed(tmp_path)
    named = tmp_path / "sema" / "__init__.py"
    (tmp_path / "sema" / "errors.py").open("a").write("# changed\n")
    assert (_signed(tmp_path) != before) == (".dev" in sema.__version__)
    named.write_text(named.read_text().replace(f'"{sema.__version__}"', '"9.8.7"'))
    assert _signed(tmp_path) == "9.8.7"


def test_scores_sign_it() -> None:
    assert f"sema:{signed_version()}" in sema.Scorer("en", metrics=["fkgl"]).score(["A cat."], ["A cat."]).signature


RELEASES = re.findall(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_changelog_and_citation_say_the_version_and_nothing_states_it_twice() -> None:
    developed = sema.__version__.endswith(".dev0")
    assert sema.__version__.removesuffix(".dev0") == RELEASES[0]
    assert f"\nversion: {RELEASES[developed]}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert RELEASES[0] not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
