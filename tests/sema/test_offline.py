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

API = """
import sema
print(sema.Scorer("en", ["sema"]).score(["The dog barked."], ["A dog barked."]).systems[0].scores)
"""
COMMAND = """
from sema.cli.main import main
open(FOLDER + "/s.txt", "w").write("The dog barked.\\n")
main(["score", "--lang", "en", "-s", FOLDER + "/s.txt", "-o", FOLDER + "/s.txt", "--metrics", "sema"])
"""
WORKERS = API.replace('["sema"]', '["sema"], workers=2')
WEB = """
from sema.web.app import create_app
from fastapi.testclient import TestClient
web = TestClient(create_app(), base_url="http://localhost")
print(web.post("/score", json={"lang": "en", "sources": ["The dog barked."], "outputs": ["A dog."]}).json()["systems"])
"""
ENTRIES = {"api": API, "command": COMMAND, "workers": WORKERS, "web": WEB}
WATCHER = """
import os, socket, sys
def watch(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        open(LOG, "a").write(event)
    elif event in ("socket.connect", "socket.sendto") and arguments[0].family != socket.AF_UNIX:
        open(LOG, "a").write(f"{event} {arguments[1]}")
sys.addaudithook(watch)
"""
"""What every process of Python's runs at its start: look-ups and connections to other machines are written down."""


def score(entry: str, home: Path, *command: str, watch: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Score one pair by an entry, in a process of its own whose home is an empty folder."""
    if entry == "web":
        pytest.importorskip("fastapi")
    paths = os.pathsep.join(map(str, [*([watch] if watch else []), ROOT, ROOT / "parsers", ROOT / "lexicons"]))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    code = f"FOLDER = {str(home.parent)!r}\n{ENTRIES[entry]}"
    return subprocess.run(
        [*command, sys.executable, "-c", code],
        env={**environment, "HOME": str(home), "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )


@pytest.mark.parametrize("entry", ENTRIES)
def test_nothing_is_written_to_the_home_and_nobody_is_looked_up(tmp_path: Path, entry: str) -> None:
    home, watch, log = tmp_path / "home", tmp_path / "watch", tmp_path / "log"
    home.mkdir()
    watch.mkdir()
    (watch / "sitecustomize.py").write_text(f"LOG = {str(log)!r}\n{WATCHER}", encoding="utf-8")
    assert "sema" in score(entry, home, watch=watch).stdout
    assert not log.exists() or not log.read_text(encoding="utf-8")
    assert list(home.rglob("*")) == []


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_system_call_connects_or_writes_outside(tmp_path: Path, entry: str) -> None:
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    home, log = tmp_path / "home", tmp_path / "calls"
    home.mkdir()
    try:
        score(entry, home, strace, "-f", "-qq", "-e", "trace=network,openat,mkdir,mkdirat,creat", "-o", str(log))
    except subprocess.CalledProcessError as error:
        pytest.skip(f"strace cannot trace here: {error.stderr.splitlines()[-1:]}")
    calls = log.read_text(encoding="utf-8", errors="replace").splitlines()
    assert any("onnxruntime" in call for call in calls), "the model was run"
    assert not [call for call in calls if re.search(r"socket\(AF_INET|sin_addr|sin6_addr", call)]
    made = [call for call in calls if ("O_CREAT" in call or "mkdir" in call) and "__pycache__" not in call]
    assert not [call for call in made if str(home) in call or "deviceid" in call]
    assert list(home.rglob("*")) == []
