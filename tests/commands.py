"""The command line in tests: texts of the outside language, separate processes, and checks of one-line errors."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

ROOT = Path(__file__).parents[1]
GOOD = "La kato dormas.\nMi vidas domon.\nLi iras.\n"
EO = ["--lang", "eo", "-s", "source.txt", "-o", "output.txt"]


def environment(site: Path | None = None, **more: str) -> dict[str, str]:
    """This process's environment for another one that finds the project, and the packages in a folder."""
    paths = [str(ROOT), *(str(ROOT / top) for top in ("parsers", "lexicons", "apps")), *([str(site)] if site else [])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more}


def start(*arguments: str, program: tuple[str, ...] = ("-m", "sema"), **options: Any) -> subprocess.Popen[str]:
    """Begin ``sema``, or another program of Python's, in a process of its own; it hears Ctrl-C."""
    # A shell's background jobs ignore SIGINT, and so do their children.
    hearing = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, *program, *arguments], **{**piped, **hearing, **options})


def is_one_line(error: str, *parts: str) -> None:
    """An error of one line that says all of this."""
    assert error.count("\n") == 1 and error.startswith("sema"), error
    for part in parts:
        assert part in error, error


def printed(done: CompletedProcess[str]) -> dict[str, Any]:
    """The JSON object that a command printed."""
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def one_line(done: CompletedProcess[str], status: int, *parts: str) -> None:
    """A command that ended with this status and one line that says all of this."""
    assert done.returncode == status, done
    is_one_line(done.stderr, *parts)


def write(name: str, content: str | bytes) -> None:
    """Write a file in the folder that commands run in."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())


def files(folder: Path | str = ".") -> dict[str, bytes]:
    """What a folder holds, by paths in it."""
    found = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def ended(*numbers: int) -> None:
    """Wait until processes have ended, other than children of this one (on Linux)."""
    for number in numbers:
        try:
            process = os.pidfd_open(number)
        except ProcessLookupError:
            continue
        select.select([process], [], [])
        os.close(process)
