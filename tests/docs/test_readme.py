import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.render import ABOVE
from tests.conftest import ROOT, Run

README = (ROOT / "README.md").read_text(encoding="utf-8")
NOT_MEASURED_HERE = ("3.11", "41.38", "41.81")
"""A version of Python; SARI of ACCESS on TurkCorpus, which ``tests/sema/metrics/test_sari.py`` computes."""


def test_the_commands_run_and_print_what_is_shown(command: Run, tmp_path: Path) -> None:
    """Scores of networks differ a little between processors, and what is found in a text may."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    blocks = re.findall(r"^```\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    commands = [line for block in blocks for line in block.splitlines() if line.startswith("sema ")]
    assert len(commands) >= 15
    shown = re.findall(r"^```\n(sema [^\n]+)\n```\n\n```text\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    assert len(shown) == 2
    printed = {}
    for line in dict.fromkeys([*commands, *(line for line, _ in shown)]):
        done = command(*shlex.split(line, comments=True)[1:])
        assert done.returncode == 0, (line, done.stderr)
        printed[line] = done.stdout.strip().splitlines()
    assert (tmp_path / "report.html").stat().st_size > 10_000
    for line, text in shown:
        for ours, real in zip(text.splitlines(), printed[line], strict=False):
            if ours.startswith(" "):
                break
            for word, other in zip(ours.split(), real.split(), strict=True):
                if re.fullmatch(r"\d+\.\d+", word):
                    assert float(word) == pytest.approx(float(other), abs=1), ours
                else:
                    assert word == other, ours


def test_the_python_example_runs(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "'samsa'" in done.stdout


DECIMALS = re.compile(r"(?<![\w.`-])-?\d*\.\d{2,}(?![\w.])")


@pytest.mark.parametrize("page", ["README.md", "docs/faq.md", "docs/choosing.md"])
def test_measured_figures_come_from_the_records(page: str) -> None:
    """Correlations, scores and the like stand between marks that ``make results`` fills in."""
    text = (ROOT / page).read_text(encoding="utf-8")
    listed = [line.partition(" = ")[0] for block in ABOVE.finditer(text) for line in block["figures"].splitlines()]
    plain = re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL)
    assert [figure for figure in DECIMALS.findall(plain) if figure not in (*NOT_MEASURED_HERE, *listed)] == []
