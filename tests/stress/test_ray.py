"""Ray: the same numbers as here; a lost worker costs nothing, a poisoned item only itself."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from sema import Item, MeanMetric, Scorer
from sema.scoring import scorer as scorer_module
from tests.commands import files
from tests.conftest import ROOT
from tests.esperanto import esperanto

pytestmark = pytest.mark.stress
SOURCES = [f"La kato dormas. Mi vidas {number} domojn." for number in range(12)]
OUTPUTS = {"ours": [text[:-8] for text in SOURCES], "copy": SOURCES}


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray = pytest.importorskip("ray")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    yield
    ray.shutdown()


class Deadly(MeanMetric):
    """Ends the process that meets an item with the number 7."""

    name = "deadly"

    def scores(self, items: Sequence[Item]) -> list[float]:
        if any("7" in item.source.words for item in items):
            os.kill(os.getpid(), signal.SIGKILL)
        return [float(len(item.output.words)) for item in items]


def test_a_poisoned_item_costs_itself_alone(cluster: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from sema.scoring.ray_runner import RayRunner

    monkeypatch.setitem(scorer_module.CHUNK, "sentence", 4)
    scorer = Scorer(esperanto(), [Deadly()], runner=RayRunner(2))
    report = scorer.score(SOURCES, OUTPUTS, collect_errors=True)
    assert [(system.name, item.index) for system, item in report.failed] == [("ours", 7), ("copy", 7)]
    assert "ends the process that scores it" in (report.failed[0][1].error or "")
    assert report.systems[1].scores["deadly"] == 9


@pytest.fixture
def address(cluster: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A cluster of two cores that another command started (`ray start --head`)."""
    import ray

    ray.shutdown()
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    command = [sys.executable, "-m", "ray.scripts.scripts"]
    port = 20_000 + os.getpid() % 20_000
    options = [f"--port={port}", "--num-cpus=2", "--include-dashboard=false", "--disable-usage-stats"]
    started = subprocess.run([*command, "start", "--head", *options], capture_output=True, text=True, timeout=120)
    assert started.returncode == 0, started.stderr
    yield f"127.0.0.1:{port}"
    ray.shutdown()
    subprocess.run([*command, "stop", "--force"], capture_output=True, timeout=120, check=True)


def ray_workers() -> list[int]:
    """The processes that are scoring."""
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if name.startswith(b"ray::work"):
            pids.append(int(folder.name))
    return pids


def test_on_a_running_cluster_the_command_prints_the_same_even_if_a_worker_is_killed(
    address: str, tmp_path: Path
) -> None:
    source, output = tmp_path / "source.txt", tmp_path / "output.txt"
    source.write_text("".join(f"The cat sat on mat {number} and slept.\n" for number in range(1500)), encoding="utf-8")
    output.write_text("".join(f"The cat sat. It slept on {number}.\n" for number in range(1500)), encoding="utf-8")
    command = [sys.executable, "-m", "sema", "score", "--lang", "en", "-s", str(source), "-o", str(output), "--json"]
    here = subprocess.run([*command, "--save", str(tmp_path / "here")], capture_output=True, timeout=600, check=True)
    options = ["--runner", "ray", "--address", address, "--save", str(tmp_path / "there")]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as there:
        end = time.monotonic() + 120
        while not (workers := ray_workers()) and there.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        assert workers and there.poll() is None
        os.kill(workers[0], signal.SIGKILL)
        out, err = there.communicate(timeout=600)
    assert there.returncode == 0, err.decode()[-2000:]
    assert json.loads(out) == json.loads(here.stdout)
    assert files(tmp_path / "there") == files(tmp_path / "here")
