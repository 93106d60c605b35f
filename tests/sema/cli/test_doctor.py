"""``sema doctor``."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sema.cli import doctor
from sema.errors import extras, missing_package
from sema.plugins import Plugin
from tests.conftest import Run, installed, wheel
from tests.esperanto import esperanto


def test_doctor_names_what_is_there_and_what_is_broken(
    command: Run, outside_package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = "[sema.languages]\nqq = no_such_module:make\n[sema.commands]\nrun = no_such_command:run\n"
    installed(tmp_path, wheel(tmp_path, "sema-bad", "1", {}, points))
    monkeypatch.syspath_prepend(str(outside_package))
    done = command("doctor", site=tmp_path / "site")
    assert done.returncode == 1
    for name in ("sema-eo 0.1", "matplotlib", "qq", "no_such_module", "no_such_command"):
        assert name in done.stdout


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make one language the only one that is installed."""
    from sema.languages import GROUP

    return lambda made: monkeypatch.setattr(GROUP, "all", lambda: [Plugin("eo", "sema-eo 0.1", lambda: made)])


def test_doctor_tries_every_metric(command: Run, only: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    from sema.metrics.scene_metrics import SamsaAbl

    only(esperanto())
    done = command("doctor", "--full")
    assert done.returncode == 0 and "samsa_abl" not in done.stdout
    assert "works (" in done.stdout and "there is no judge of fluency for language" in done.stdout
    row = r"bertscore_p, bertscore_r, bertscore_f1 +eo +needs something +bertscore_p needs an encoder"
    assert re.search(row, done.stdout)
    monkeypatch.setattr(SamsaAbl, "rows", lambda *given: 1 / 0)
    done = command("doctor", "--full")
    assert done.returncode == 1 and re.search(r"samsa_abl +eo +does not work +division by zero", done.stdout)


def test_every_extra_for_users_has_a_purpose() -> None:
    for_us = {"all", "dev", "train", "plugs", "docs", "fuzz"}
    assert set(doctor.EXTRAS) == set(extras()) - for_us


def test_an_extra_that_was_left_out_is_no_fault(command: Run, only: Callable[..., None]) -> None:
    def segmenter() -> None:
        raise missing_package("stanza") from ImportError("stanza")

    only(replace(esperanto(), segmenter=segmenter))
    done = command("doctor")
    assert done.returncode == 0
    assert re.search(r"^eo +needs something +sema-eo 0.1 +.*pip install stanza", done.stdout, re.M)


LOADS_NO_NETWORK = """
import sema
from sema.cli.main import main
from sema.runtime import onnx

load = onnx.Session.__init__

def refuse(session, file, *given, **more):
    assert file.stat().st_size < 1_000_000, "a network is loaded"
    load(session, file, *given, **more)

onnx.Session.__init__ = refuse
status = main(["doctor"])
try:
    sema.Scorer("en", ["sema"]).score(["The cat sat."], ["The cat sat."])
except sema.InputError:
    raise SystemExit(status)
raise SystemExit("loading would not be seen")
"""
"""In a process of its own: in this one the networks may be loaded already."""


@pytest.mark.stress
def test_doctor_loads_no_large_network_and_misses_nothing_of_another_language() -> None:
    """HSK's words ship: nothing is missing for Chinese, and for English nothing is asked for."""
    done = subprocess.run([sys.executable, "-c", LOADS_NO_NETWORK], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "hsk_low" not in done.stdout, "it needs nothing"
    assert re.search(r"^en +installed", done.stdout, re.M) and re.search(r"^en +meaning +pairs-", done.stdout, re.M)
