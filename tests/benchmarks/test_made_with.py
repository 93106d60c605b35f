import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import made_with, render
from benchmarks.made_with import GONE, OLDER, UNKNOWN, Opened
from benchmarks.records import Record

SCORE = Record("page.table", "ours", "F1", 0.8, peer=0.7, command="run", commit="abc", date="2026-01-02")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with weights and, beside it, data."""
    names = ("parsers/p/weights/model.bin", "parsers/p/weights/CARD.md", "parsers/p/code.py", "shared/set/rows.csv")
    for name in names:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, encoding="utf-8")
    monkeypatch.setattr(made_with, "ROOT", tmp_path)
    monkeypatch.setenv("SEMA_DATA", str(tmp_path / "shared"))
    made_with._digest.cache_clear()
    made_with.folder_digest.cache_clear()
    return tmp_path


def entry_of(project: Path) -> made_with.Entry:
    opened = Opened()
    opened.watch()
    for file in sorted(project.rglob("*.*")):
        file.read_bytes()
    return opened.entry()


def test_weights_and_data_that_are_opened_are_noted(project: Path) -> None:
    entry = entry_of(project)
    assert list(entry["weights"]) == ["parsers/p/weights/model.bin"] and list(entry["data"]) == ["set"]


def test_a_run_is_stale_when_its_weights_data_or_command_are_others(project: Path) -> None:
    place = project / "benchmarks" / "of_pairs.py"
    place.parent.mkdir()
    place.touch()
    run = "python -m benchmarks.of_pairs --all; abc of 2026-01-02"
    entries = {run: entry_of(project)}
    assert made_with.stale([run], entries, project) == {}
    assert made_with.stale(["another"], entries, project) == {"another": (UNKNOWN, "")}
    (project / "parsers/p/weights/model.bin").write_text("new", encoding="utf-8")
    made_with._digest.cache_clear()
    assert made_with.stale([run], entries, project) == {run: (OLDER, "parsers/p/weights/model.bin")}
    place.unlink()
    assert made_with.stale([run], entries, project) == {run: (GONE, "")}
    (project / "shared/set/rows.csv").write_text("new", encoding="utf-8")
    made_with.folder_digest.cache_clear()
    assert made_with.other_data([run], entries, project / "shared") == {run: ["set"]}
    assert made_with.other_data([run], entries, project / "absent") == {}


def test_a_run_that_starts_programs_counts_as_having_read_all_weights(project: Path) -> None:
    opened = Opened()
    opened.watch()
    subprocess.run(["git", "--version"], check=True, capture_output=True)
    assert not opened.entry()["weights"]
    subprocess.run([sys.executable, "--version"], check=True, capture_output=True)
    assert list(opened.entry()["weights"]) == ["parsers/p/weights/model.bin"]


@pytest.mark.parametrize(("kind", "sign"), [(OLDER, "†"), (UNKNOWN, "‡"), (GONE, "§")])
def test_figures_of_stale_runs_are_marked(kind: str, sign: str) -> None:
    records, stale = {SCORE.name: SCORE}, {SCORE.run: (kind, "model.bin")}
    text = "<!-- table page.table: x --><!-- end -->"
    assert f"abc of 2026-01-02; {kind}." in render.rendered(text, records, stale)
    assert kind not in render.rendered(text, records)
    for mark in ("figures", "compared"):
        shown = render.rendered(f"<!-- {mark}\nwhat = page.table > ours > F1\n--><!-- end -->", records, stale)
        assert f" 0.800{sign} " in shown and f"\n{sign} " in shown
    listed = render.rendered("<!-- older --><!-- end -->", records, stale)
    assert f"| `run` | abc of 2026-01-02 | 1 | {kind}: model.bin |" in listed
