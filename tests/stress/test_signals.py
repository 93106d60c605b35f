import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.commands import EO, GOOD, environment, files, is_one_line, start

pytestmark = pytest.mark.stress
SIGNALS = int(os.environ.get("SEMA_SIGNALS", "30"))
PYTHONS_OWN = ("init_import_site", "frozen site", "frozen runpy", "can't initialize")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_at_any_moment_is_one_line(
    tmp_path: Path, outside_package: Path, how: signal.Signals, chance: random.Random
) -> None:
    for name in ("source.txt", "output.txt"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")

    def process(name: str) -> subprocess.Popen[str]:
        arguments = ["score", *EO, "--metrics", "sema,sari", "-r", "output.txt", "--save", name, "--resume"]
        return start(*arguments, cwd=tmp_path, env=environment(outside_package))

    began = time.monotonic()
    assert process("whole").wait() == 0
    usual = time.monotonic() - began
    for _ in range(SIGNALS):
        running = process("run")
        time.sleep(chance.uniform(0, 1) * usual)
        running.send_signal(how)
        _, error = running.communicate()
        if any(sign in error for sign in PYTHONS_OWN) and "sema/cli" not in error:
            continue  # Python itself was starting, and printed its own message
        if running.returncode == 130 or error:
            is_one_line(error, "sema: stopped")
        assert running.returncode in (0, 130, -how), "silent only while Python itself starts or ends"
    assert process("run").wait() == 0
    assert files(tmp_path / "run") == files(tmp_path / "whole")
