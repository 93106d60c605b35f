"""Worker processes of the command line: copies of its process, which end with it."""

import signal
import sys
from pathlib import Path

import pytest

from tests.commands import EO, ended, environment, start, write

WAITING = """
import os, signal, sys
import sema_eo
from sema.cli.main import main
parent = os.getpid()
def wait(self, items):
    while os.getpid() != parent:
        os.write(1, b"%d\\n" % os.getpid())
        signal.pause()
    return [1.0] * len(items)
sema_eo.WordCount.scores = wait
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="workers are copies on Linux alone")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_are_copies_and_end_with_their_parent(folder: Path, outside_package: Path, how: signal.Signals) -> None:
    for name in ("source.txt", "output.txt"):
        write(name, "".join(f"La kato {number} dormas.\n" for number in range(2_000)))
    write("waiting.py", WAITING)
    arguments = ["score", *EO, "--metrics", "words", "--workers", "2", "--save", "run"]
    process = start(*arguments, program=("waiting.py",), env=environment(outside_package))
    assert process.stdout is not None
    pids = [int(process.stdout.readline()) for _ in range(2)]
    own, *others = (Path(f"/proc/{number}/cmdline").read_bytes() for number in (process.pid, *pids))
    assert others == [own, own]
    process.send_signal(how)
    _, error = process.communicate()
    assert process.returncode == (130 if how != signal.SIGKILL else -signal.SIGKILL), error
    ended(*pids)
