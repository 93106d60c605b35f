"""Signals end a process with one line at any moment, and its workers with it."""

import json
import os
import signal
from pathlib import Path

import pytest

from sema.cli import signals
from tests.commands import EO, environment, files, is_one_line, start

FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
PARTS = 5
MOMENTS = """
import json, os, signal, sys
from sema.__main__ import main

parts, *sys.argv[1:] = sys.argv[1:]

def run_until(call, how=0):
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    calls = 0
    def count(*_):
        nonlocal calls
        calls += 1
        if calls == call:
            os.kill(os.getpid(), how)
    os.dup2(os.open("told", os.O_RDWR | os.O_CREAT | os.O_TRUNC), 2)
    sys.setprofile(count)
    status = main()
    sys.setprofile(None)
    open("calls", "w").write(str(calls))
    sys.exit(status)

for sys.argv[-1] in ("compiled", "whole"):
    assert run_until(0) == 0
sys.argv[-1] = "run"
last = int(open("calls").read())
found = []
for part in range(int(parts), -1, -1):  # the first is at the end: what follows finds its work done
    how = (signal.SIGINT, signal.SIGTERM)[part % 2]
    found.append((run_until(40 + (last - last // 50) * part // int(parts), how), open("told").read()))
print(json.dumps(found), file=sys.stderr)
sys.exit(run_until(0))
"""
"""The command in copies of a process that has imported nothing of it but its door: two whole, then some that a signal
meets at a call of Python's, from the first to the last; then one that goes on to the end. The calls of the second are
counted: the first may compile modules, which takes calls."""


@FORKS
def test_a_signal_at_any_stage_is_one_line(folder: Path, outside_package: Path) -> None:
    given = ["score", *EO, "--metrics", "sema,sari", "-r", "output.txt", "--resume", "--save", "NAME"]
    own = environment(outside_package, PYTHONPYCACHEPREFIX=str(folder / "bytecode"), PYTHONDONTWRITEBYTECODE="")
    process = start(*given, program=("-c", MOMENTS, str(PARTS)), env=own)
    _, error = process.communicate()
    assert process.returncode == 0, error
    found = json.loads(error)
    assert len(found) == PARTS + 1, found
    for status, told in found:
        assert status == signals.STOPPED, found
        is_one_line(told, "sema: stopped")
    assert files(folder / "run") == files(folder / "whole")


def twice() -> None:
    """A second signal, before the first has been told."""
    signals.raise_on_signals()
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        os.kill(os.getpid(), signal.SIGTERM)


def deaf() -> None:
    """As a shell starts what it runs in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signals.end_on_signals()
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)


ACTS = twice, deaf
"""What may follow a signal."""


def ends() -> list[tuple[int, str]]:
    """How copies of this process end with the acts: their statuses, and what they say."""
    found = []
    for act in ACTS:
        if not (child := os.fork()):
            os.dup2(os.open("told", os.O_RDWR | os.O_CREAT | os.O_TRUNC), 2)
            act()
            os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        found.append((status, Path("told").read_text()))
    return found


@FORKS
def test_the_process_ends_with_one_line_whatever_follows_a_signal(tmp_path: Path) -> None:
    program = "import json; from tests.sema.cli import test_processes as tests; print(json.dumps(tests.ends()))"
    process = start(program=("-c", program), cwd=tmp_path, env=environment())
    output, error = process.communicate()
    assert process.returncode == 0, error
    assert json.loads(output) == [[signals.STOPPED, "sema: stopped\n"]] * len(ACTS)
