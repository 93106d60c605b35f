"""Completion, typed into shells on a terminal; how long one takes to complete depends on the machine."""

import os
import pty
import re
import select
import shutil
import time
from pathlib import Path

import pytest

from tests.conftest import Run

pytestmark = pytest.mark.stress


def typed(command: list[str], folder: Path, lines: list[str]) -> list[str]:
    """What a shell on a terminal runs when each line is typed, then the tab key, then enter."""
    child, terminal = pty.fork()
    if not child:
        os.chdir(folder)
        os.execvpe(command[0], command, {**os.environ, "TERM": "xterm", "HOME": str(folder), "ZDOTDIR": str(folder)})
    seen = b""

    def wait_for(pattern: bytes, seconds: float = 60) -> re.Match[bytes] | None:
        nonlocal seen
        end = time.monotonic() + seconds
        while not (match := re.search(pattern, seen)) and time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                seen += os.read(terminal, 1 << 16)
        seen = seen[match.end() :] if match else seen
        return match

    made = []
    wait_for(b"READY> ")
    for line in lines:
        os.write(terminal, f"{line}\t".encode())
        wait_for(b"no such text", 1)  # for as long as completing may take
        os.write(terminal, b"\n")
        match = wait_for(rb"RAN:(.*?):END\r\n")
        made.append(match[1].decode().strip() if match else f"nothing ran: {seen!r}")
        wait_for(b"READY> ", 5)
    os.close(terminal)
    os.waitpid(child, 0)
    return made


STARTED = {
    "zsh": (".zshrc", "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; PROMPT='READY> '\n"
                      "sema() { print -r -- \"RAN:$*:END\" }\n"),
    "tcsh": (".tcshrc", "source sema.tcsh; set prompt='READY> '; alias sema 'echo RAN:\\!*\":END\"'\n"),
}  # fmt: skip


@pytest.mark.parametrize("shell", STARTED)
def test_completion_in_other_shells(run: Run, tmp_path: Path, shell: str) -> None:
    pytest.importorskip("shtab")
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = run("completion", shell).stdout
    for name in ("_sema", f"sema.{shell}"):
        (tmp_path / name).write_text(script, encoding="utf-8")
    (tmp_path / "original.txt").write_text("", encoding="utf-8")
    name, settings = STARTED[shell]
    (tmp_path / name).write_text(settings, encoding="utf-8")
    lines = ["sema sce", "sema score --sou", "sema score -s ori"]
    wanted = ["scenes", "score --source", "score -s original.txt"]
    assert typed([shell] if shell == "tcsh" else [shell, "-i"], tmp_path, lines) == wanted
