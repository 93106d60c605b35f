"""Worker processes: they need no main guard, find new code, and a lost one is one line."""

import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from sema import Item, MeanMetric, Scorer
from sema.errors import ResourceError
from sema.scoring import runners
from sema.scoring.runners import ProcessRunner
from tests.commands import environment, start
from tests.esperanto import WordCount, esperanto

TEXTS = ["La kato dormas."], ["La kato."]
SCRIPT = """
from sema import Scorer
from sema.scoring.runners import ProcessRunner
from tests.esperanto import WordCount, esperanto

scorer = Scorer(esperanto(), [WordCount()], runner=ProcessRunner(1))
print(scorer.score(["La kato dormas."] * 600, ["La kato."] * 600).systems[0].scores["words"])
"""


def test_no_main_guard_is_needed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert start(program=(str(script),), env=environment()).communicate() == ("3.0\n", "")


def test_workers_find_code_where_this_process_finds_it_by_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from tests.esperanto import WordCount\nclass Later(WordCount): ...\n"
    (tmp_path / "sema_found_later.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    metric = import_module("sema_found_later").Later()
    report = Scorer(esperanto(), [metric], runner=ProcessRunner(1)).score(*TEXTS)
    assert report.systems[0].scores == {"words": 3.0}


class Deadly(MeanMetric, name="deadly"):
    """Kills the process that computes it."""

    def scores(self, items: list[Item]) -> list[float]:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def test_a_lost_worker_is_one_line_and_the_next_call_works() -> None:
    with pytest.raises(ResourceError, match="a worker process died") as caught:
        Scorer(esperanto(), [Deadly()], runner=ProcessRunner(1)).score(*TEXTS)
    assert "\n" not in str(caught.value)
    report = Scorer(esperanto(), [WordCount()], runner=ProcessRunner(1)).score(*TEXTS)
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
        copied = lost == "none" and sys.platform == "linux"
        assert (runners._copied(plan), plan in runners._engines) == (copied, copied)
    finally:
        runners._engines.clear()
