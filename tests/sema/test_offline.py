"""Scoring stays on this machine: no file in the user's home and no look-up, whatever the libraries try."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import environment

API = """
import sema
print(sema.Scorer("en", ["sema"], workers=2).score(["The dog barked."], ["A dog barked."]).systems[0].scores)
"""
COMMAND = """
from sema.cli.main import main
open(FOLDER + "/s.txt", "w").write("The dog barked.\\n")
main(["score", "--lang", "en", "-s", FOLDER + "/s.txt", "-o", FOLDER + "/s.txt", "--metrics", "sema"])
"""
WEB = """
from sema.web.app import create_app
from fastapi.testclient import TestClient
web = TestClient(create_app(), base_url="http://localhost")
print(web.post("/score", json={"lang": "en", "sources": ["The dog barked."], "outputs": ["A dog."]}).json()["systems"])
"""
CALLS = "trace=network,openat,mkdir,mkdirat,creat"
STRACE = shutil.which("strace")
MAY_TRACE = STRACE if STRACE and subprocess.run([STRACE, "true"], capture_output=True).returncode == 0 else None
ENTRIES = {"api": API, "command": COMMAND, "web": WEB}
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


def score(entry: str, home: Path, *command: str, watch: Path) -> subprocess.CompletedProcess[str]:
    """Score one pair by an entry, in a process of its own whose home is an empty folder."""
    if entry == "web":
        pytest.importorskip("fastapi")
    bare = {
        name: value for name, value in environment(watch, HOME=str(home)).items() if name[:4] not in ("XDG_", "ORT_")
    }
    code = f"FOLDER = {str(home.parent)!r}\n{ENTRIES[entry]}"
    return subprocess.run([*command, sys.executable, "-c", code], env=bare, capture_output=True, text=True, check=True)


@pytest.mark.parametrize("entry", ["api", "command", pytest.param("web", marks=pytest.mark.stress)])
def test_nothing_is_looked_up_sent_or_written_to_the_home(tmp_path: Path, entry: str) -> None:
    """Python's audit hook sees what Python asks for; strace, where it is installed and may trace, every system call."""
    home, watch, log, calls = (tmp_path / name for name in ("home", "watch", "log", "calls"))
    home.mkdir()
    watch.mkdir()
    (watch / "sitecustomize.py").write_text(f"LOG = {str(log)!r}\n{WATCHER}", encoding="utf-8")
    traced = [] if MAY_TRACE is None else [MAY_TRACE, "-f", "-qq", "-e", CALLS, "-o", str(calls)]
    assert "sema" in score(entry, home, *traced, watch=watch).stdout
    assert not log.exists() or not log.read_text(encoding="utf-8")
    assert list(home.rglob("*")) == []
    if traced:
        seen = calls.read_text(encoding="utf-8", errors="replace").splitlines()
        assert any("onnxruntime" in call for call in seen), "the model was run"
        assert not [call for call in seen if re.search(r"socket\(AF_INET|sin_addr|sin6_addr", call)]
        made = [call for call in seen if ("O_CREAT" in call or "mkdir" in call) and "__pycache__" not in call]
        assert not [call for call in made if str(home) in call or "deviceid" in call]
