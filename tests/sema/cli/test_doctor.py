"""``sema doctor``."""

import re
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
