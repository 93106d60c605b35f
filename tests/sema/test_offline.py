"""Scoring stays on this machine: no file in the user's home and no look-up, whatever the libraries would like."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SCORE = """
import sema
print(sema.Scorer("en", ["sema"]).score(["The dog barked."], ["A dog barked."]).systems[0].scores)
"""
WATCHED = (
    """
import socket, sys
seen = []
sys.addaudithook(lambda event, arguments: seen.append(event) if event.startswith("socket.") else None)
"""
    + SCORE
    + """
assert not seen, seen
"""
)


def score(home: Path, *command: str, code: str = SCORE) -> subprocess.CompletedProcess[str]:
    """Score one pair in a process of its own whose home is an empty folder."""
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "parsers", ROOT / "lexicons")))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    return subprocess.run(
        [*command, sys.executable, "-c", code],
        env={**environment, "HOME": str(home), "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )


def test_nothing_is_written_to_the_home_and_no_socket_is_made(tmp_path: Path) -> None:
    done = score(tmp_path, code=WATCHED)
    assert "sema" in done.stdout
    assert list(tmp_path.rglob("*")) == []


def test_no_system_call_connects_or_writes_outside(tmp_path: Path) -> None:
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    home, log = tmp_path / "home", tmp_path / "calls"
    home.mkdir()
    try:
        score(home, strace, "-f", "-qq", "-e", "trace=network,openat,mkdir,mkdirat,creat,unlink", "-o", str(log))
    except subprocess.CalledProcessError as error:
        pytest.skip(f"strace cannot trace here: {error.stderr.splitlines()[-1:]}")
    calls = log.read_text(encoding="utf-8", errors="replace").splitlines()
    assert any("onnxruntime" in call for call in calls), "the model was run"
    assert not [call for call in calls if re.search(r"\b(connect|sendto|sendmsg)\(|socket\(AF_INET", call)]
    made = [call for call in calls if ("O_CREAT" in call or "mkdir" in call) and "__pycache__" not in call]
    assert not [call for call in made if str(home) in call or "deviceid" in call]
    assert list(home.rglob("*")) == []
