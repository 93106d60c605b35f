"""Chunks are scored one by one, here or by worker processes."""

import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from sema import Item, MeanMetric, Scorer
from sema.errors import ResourceError
from sema.scoring import runners
from sema.scoring.runners import ProcessRunner
from tests.commands import ended, environment, start
from tests.esperanto import WordCount, esperanto

SIZE = 16
TEXTS = [f"La kato{number}o dormas." for number in range(4 * SIZE)]


@pytest.mark.parametrize("count", [1, SIZE, SIZE + 1])
def test_every_item_is_scored_once_and_progress_comes_by_whole_chunks(count: int) -> None:
    texts, seen = TEXTS[:count], []
    report = Scorer(esperanto(), ["sema"]).score(texts, {"a": texts}, progress=lambda done, total: seen.append(done))
    assert [item.index for item in report["a"].items] == list(range(count))
    assert seen == sorted({min(SIZE, count), count})


# Worker processes: they need no main guard, find new code, and a lost one is one line

ONE_PAIR = ["La kato dormas."], ["La kato."]
SCRIPT = """
import os, signal
from sema import Scorer
from sema.scoring.runners import ProcessRunner
from tests.esperanto import WordCount, esperanto

class Waiting(WordCount):
    def scores(self, items):
        while {waits}:
            os.write(1, b"%d\\n" % os.getpid())
            signal.pause()
        return super().scores(items)

scorer = Scorer(esperanto(), [Waiting()], runner=ProcessRunner({workers}))
print(scorer.score(["La kato dormas."] * 600, ["La kato."] * 600).systems[0].scores["words"])
"""
"""A script without a main guard that scores in worker processes; those that wait say first who they are."""


def script(folder: Path, **how: object) -> subprocess.Popen[str]:
    (folder / "script.py").write_text(SCRIPT.format(**how))
    return start(program=(str(folder / "script.py"),), env=environment())


def test_no_main_guard_is_needed(tmp_path: Path) -> None:
    assert script(tmp_path, waits=False, workers=1).communicate() == ("3.0\n", "")


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes as Linux can")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent(tmp_path: Path, how: signal.Signals) -> None:
    process = script(tmp_path, waits=True, workers=2)
    assert process.stdout is not None
    pids = [int(process.stdout.readline()) for _ in range(2)]
    process.send_signal(how)
    process.communicate()
    ended(*pids)


def test_workers_find_code_where_this_process_finds_it_by_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from tests.esperanto import WordCount\nclass Later(WordCount): ...\n"
    (tmp_path / "sema_found_later.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    metric = import_module("sema_found_later").Later()
    report = Scorer(esperanto(), [metric], runner=ProcessRunner(1)).score(*ONE_PAIR)
    assert report.systems[0].scores == {"words": 3.0}


class Deadly(MeanMetric, name="deadly"):
    """Kills the process that computes it."""

    def scores(self, items: list[Item]) -> list[float]:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def test_a_lost_worker_is_one_line_and_the_next_call_works() -> None:
    with pytest.raises(ResourceError, match="a worker process died") as caught:
        Scorer(esperanto(), [Deadly()], runner=ProcessRunner(1)).score(*ONE_PAIR)
    assert "\n" not in str(caught.value)
    report = Scorer(esperanto(), [WordCount()], runner=ProcessRunner(1)).score(*ONE_PAIR)
    assert report.systems[0].scores["words"] == 3


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ResourceError, match="the Python package 'ray' is missing: pip install ray"):
        Scorer(esperanto(), [WordCount()], runner=runners.make_runner(2, "ray")).score(["La kato."], ["La kato."])
