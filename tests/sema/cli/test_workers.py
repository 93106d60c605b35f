"""Worker processes of the command line: copies of its process, which end with it."""

import signal
import sys
import time
from pathlib import Path

import pytest

from tests.commands import EO, alive, environment, start


def children(number: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{number}/task/{number}/children").read_text().split()]
    except OSError:
        return []


@pytest.mark.skipif(sys.platform != "linux", reason="workers are copies on Linux alone")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_are_copies_and_end_with_their_parent(folder: Path, outside_package: Path, how: signal.Signals) -> None:
    for name in ("source.txt", "output.txt"):
        Path(name).write_text("".join(f"La kato {number} dormas.\n" for number in range(60_000)), encoding="utf-8")
    process = start("score", *EO, "--workers", "2", "--save", "run", env=environment(outside_package))
    for _ in range(600):
        if len(pids := children(process.pid)) >= 2:
            break
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    own, *others = (Path(f"/proc/{number}/cmdline").read_bytes() for number in (process.pid, *pids))
    assert others == [own, own]
    process.send_signal(how)
    _, error = process.communicate(timeout=30)
    assert process.returncode == (130 if how != signal.SIGKILL else -signal.SIGKILL), error
    for _ in range(200):
        if not any(map(alive, pids)):
            break
        time.sleep(0.1)
    assert not any(map(alive, pids))
