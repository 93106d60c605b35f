"""Worker processes: they need no main guard, end with their parent however it ends, and a lost one is one line."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from sema import Item, MeanMetric, Scorer
from sema.errors import ResourceError
from sema.scoring import runners
from tests.commands import alive
from tests.conftest import ROOT
from tests.esperanto import WordCount, esperanto

SCRIPT = """
import os, sys, time
from sema import MeanMetric, Scorer
from tests.esperanto import esperanto

class Slow(MeanMetric):
    name, description = "slow", "takes its time"
    def scores(self, items):
        open(os.path.join(sys.argv[1], str(os.getpid())), "w").close()
        time.sleep(float(sys.argv[2]))
        return [float(len(item.output.words)) for item in items]

report = Scorer(esperanto(), [Slow()], workers=2).score(["La kato dormas."] * 600, ["La kato."] * 600)
print(report.systems[0].scores["slow"])
"""


def start(folder: Path, seconds: float) -> subprocess.Popen[str]:
    """A script without a main guard that scores with two workers; each writes its number into the folder."""
    script = folder / "script.py"
    script.write_text(SCRIPT.replace("sys.argv[1]", repr(str(folder / "pids"))).replace("sys.argv[2]", str(seconds)))
    (folder / "pids").mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        # What a shell runs in the background is deaf to Ctrl-C, and so is all that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def workers(folder: Path, count: int = 2) -> list[int]:
    """The workers' numbers, as soon as they are at work."""
    for _ in range(600):
        pids = [int(path.name) for path in (folder / "pids").iterdir()]
        if len(pids) >= count:
            return pids
        time.sleep(0.1)
    raise AssertionError("the workers did not start")


def test_no_main_guard_is_needed(tmp_path: Path) -> None:
    process = start(tmp_path, 0)
    out, err = process.communicate(timeout=120)
    assert (out, err, process.returncode) == ("3.0\n", "", 0)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent(tmp_path: Path, how: signal.Signals) -> None:
    process = start(tmp_path, 600)
    pids = workers(tmp_path)
    process.send_signal(how)
    process.wait(timeout=20)
    for _ in range(200):
        if not any(map(alive, pids)):
            break
        time.sleep(0.1)
    assert not any(map(alive, pids))


class Deadly(MeanMetric):
    name = "deadly"
    description = "kills the process that computes it"

    def scores(self, items: list[Item]) -> list[float]:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def test_a_lost_worker_is_one_line_and_the_next_call_works() -> None:
    with pytest.raises(ResourceError, match="a worker process died") as caught:
        Scorer(esperanto(), [Deadly()], workers=2).score(["La kato dormas."], ["La kato."])
    assert "\n" not in str(caught.value)
    report = Scorer(esperanto(), [WordCount()], workers=2).score(["La kato dormas."], ["La kato."])
    assert report.systems[0].scores["words"] == 3


@pytest.mark.parametrize("lost", ["a thread", "torch", "a GPU", "none"])
def test_nothing_is_copied_that_a_copy_would_lose(monkeypatch: pytest.MonkeyPatch, lost: str) -> None:
    plan = runners.worker_plan(Scorer(esperanto(), [WordCount()]).engine)
    runtime = SimpleNamespace(get_available_providers=lambda: ["CUDAExecutionProvider"] if lost == "a GPU" else [])
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    if lost == "torch":
        monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
    monkeypatch.setattr(runners, "active_count", lambda: 2 if lost == "a thread" else 1)
    assert not runners._copied(plan), "a program that uses the library may have locks that a copy would keep"
    monkeypatch.setattr(runners, "is_own", lambda: True)
    try:
        assert runners._copied(plan) is (lost == "none" and sys.platform == "linux")
        assert (plan in runners._engines) is (lost == "none" and sys.platform == "linux")
    finally:
        runners._engines.clear()
