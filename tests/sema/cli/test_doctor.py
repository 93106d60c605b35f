"""``sema doctor``, and results in Excel files."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sema.cli import doctor
from sema.cli.main import main
from sema.errors import extras, missing_package
from sema.files.formats import write_items
from sema.plugins import Plugin
from tests.conftest import Run
from tests.esperanto import esperanto


def test_doctor_names_what_is_there_and_what_is_broken(
    command: Run, outside_package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "site" / "sema_bad-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sema-bad\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[sema.languages]\nqq = no_such_module:make\n[sema.commands]\nrun = no_such_command:run\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(outside_package))
    done = command("doctor", site=tmp_path / "site")
    assert done.returncode == 1
    for name in ("sema-eo 0.1", "matplotlib", "qq", "no_such_module", "no_such_command"):
        assert name in done.stdout


def test_doctor_tries_every_metric(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from sema.languages import GROUP
    from sema.metrics.scene_metrics import SamsaAbl

    monkeypatch.setattr(GROUP, "all", lambda: [Plugin("eo", "sema-eo 0.1", lambda: esperanto())])
    assert main(["doctor", "--full"]) == 0
    shown = capsys.readouterr().out
    assert "works (" in shown and "there is no judge of fluency for language" in shown
    assert re.search(
        r"bertscore_p, bertscore_r, bertscore_f1 +eo +needs something +bertscore_p needs an encoder", shown
    )
    assert "samsa_abl" not in shown
    monkeypatch.setattr(SamsaAbl, "rows", lambda *given: 1 / 0)
    assert main(["doctor", "--full"]) == 1
    assert re.search(r"samsa_abl +eo +does not work +division by zero", capsys.readouterr().out)


def test_every_extra_for_users_has_a_purpose() -> None:
    for_us = {"all", "dev", "train", "teacher", "plugs", "docs", "fuzz"}
    assert set(doctor.EXTRAS) == set(extras()) - for_us


def test_an_extra_that_was_left_out_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from sema.languages import GROUP

    def segmenter() -> None:
        raise missing_package("stanza") from ImportError("stanza")

    monkeypatch.setattr(GROUP, "all", lambda: [Plugin("eo", "x", lambda: replace(esperanto(), segmenter=segmenter))])
    assert main(["doctor"]) == 0
    assert re.search(r"^eo +needs something +x +.*pip install stanza", capsys.readouterr().out, re.M)


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


def test_results_in_excel(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    rows = [
        {"system": "=1+1", "item": 0, "scores": {"sema": 50.5}},
        {"system": "b", "item": 0, "scores": {}, "error": "broken\x07"},
    ]
    write_items(rows, ["sema"], str(tmp_path / "rows.xlsx"))
    sheet = openpyxl.load_workbook(tmp_path / "rows.xlsx").active
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["system", "item", "sema", "error"],
        ["=1+1", 0, 50.5, None],
        ["b", 0, None, "broken\ufffd"],
    ]
    assert sheet["A2"].data_type == "s", "a text, and no formula"
