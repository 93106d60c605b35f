"""Ray: the same numbers as here; a lost worker costs nothing, a poisoned item itself alone."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from sema import Item, MeanMetric, ResourceError, Scorer
from sema.errors import UnknownNameError
from sema.scoring import scorer as scorer_module
from sema.scoring.runners import make_runner
from tests.conftest import ROOT
from tests.esperanto import WordCount, esperanto

SOURCES = [f"La kato dormas. Mi vidas {number} domojn." for number in range(12)]
OUTPUTS = {"ours": [text[:-8] for text in SOURCES], "copy": SOURCES}


def test_an_unknown_runner_and_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownNameError, match="unknown runner 'rya'"):
        make_runner(1, "rya")
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    from sema.scoring.ray_runner import RayRunner

    with pytest.raises(ResourceError, match="the Python package 'ray' is missing: pip install ray"):
        Scorer(esperanto(), [WordCount()], runner=RayRunner(2)).score(SOURCES, OUTPUTS)


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray = pytest.importorskip("ray")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    yield
    ray.shutdown()


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(scorer_module.CHUNK, "sentence", 4)


class Deadly(MeanMetric):
    """Ends the process that meets an item: always (``poison``), or once, as a lost machine does (``once``)."""

    name = "deadly"
    description = "ends processes"

    def __init__(self, word: str, mark: Path | None = None) -> None:
        self.word, self.mark = word, mark

    def scores(self, items: Sequence[Item]) -> list[float]:
        for item in items:
            if self.word in item.source.words and (self.mark is None or not self.mark.exists()):
                if self.mark is not None:
                    self.mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return [float(len(item.output.words)) for item in items]


def test_the_numbers_are_those_of_this_process(cluster: None) -> None:
    from sema.scoring.ray_runner import RayRunner

    here = Scorer(esperanto(), ["sema", "samsa", WordCount()]).score(SOURCES, OUTPUTS)
    there = Scorer(esperanto(), ["sema", "samsa", WordCount()], runner=RayRunner(2)).score(SOURCES, OUTPUTS)
    assert there == here


def test_a_lost_worker_costs_nothing(cluster: None, tmp_path: Path) -> None:
    from sema.scoring.ray_runner import RayRunner

    report = Scorer(esperanto(), [Deadly("7", tmp_path / "lost")], runner=RayRunner(2)).score(SOURCES, OUTPUTS)
    assert (tmp_path / "lost").exists() and not report.failed


def test_a_poisoned_item_costs_itself_alone(cluster: None) -> None:
    from sema.scoring.ray_runner import RayRunner

    scorer = Scorer(esperanto(), [Deadly("7")], runner=RayRunner(2))
    report = scorer.score(SOURCES, OUTPUTS, collect_errors=True)
    assert [(system.name, item.index) for system, item in report.failed] == [("ours", 7), ("copy", 7)]
    assert "ends the process that scores it" in (report.failed[0][1].error or "")
    assert report.systems[1].scores["deadly"] == 8
