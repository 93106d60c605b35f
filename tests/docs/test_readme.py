"""The README's commands run as they stand, its Python example runs, and its links lead somewhere."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT, Run

README = (ROOT / "README.md").read_text(encoding="utf-8")
NOT_HERE = ("ud:fr",)
"""Commands that need models which only a user has."""


def commands() -> list[list[str]]:
    blocks = re.findall(r"```\n(.*?)```", README, flags=re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("sema ")]
    return [shlex.split(line, comments=True) for line in lines if not any(word in line for word in NOT_HERE)]


def test_the_commands_run(run: Run, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    assert len(commands()) >= 9
    for command in commands():
        done = run(*command[1:])
        assert done.returncode == 0, (command, done.stderr)
    assert (tmp_path / "report.html").stat().st_size > 10_000


def test_the_python_example_runs(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "'samsa'" in done.stdout


def test_the_links_lead_somewhere() -> None:
    targets = [target for target in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in target]
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_what_to_know_before_reporting_is_what_was_measured() -> None:
    """The figures that the README owns up to are those of the results."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    results = ROOT / "benchmarks" / "results"
    meaning = (results / "meaning.md").read_text(encoding="utf-8").partition("## Simplicity-DA")[2]
    names = ("meaning", "meteor_source", "stem_recall", "sema")
    found = {name: re.search(rf"\| {name} \| ([\d.]+) \|", meaning) for name in names}
    said = re.search(
        r"`meaning` has r ([\d.]+); `meteor_source` \(r ([\d.]+)\) and `stem_recall` \(([\d.]+)\)"
        r".*?`sema` does \(([\d.]+)\)",
        readme,
        re.S,
    )
    assert said is not None
    assert list(said.groups()) == [figure[1] for figure in found.values() if figure]
    samsa = re.search(r"structural simplicity is negative \((-[\d.]+)\)", readme)
    row = next(line for line in (results / "scoring.md").read_text("utf-8").splitlines() if "`ucca`: samsa |" in line)
    assert samsa is not None and samsa[1] == row.split("|")[6].strip()
