"""Runs on disk are read back as scored; damaged lines are named, and strangers' runs reach no other file."""

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from sema import InputError, Report, Run, Scorer
from sema.errors import SemaWarning
from sema.metrics.bleu import Ibleu
from sema.metrics.combine import CombinedMetric
from sema.metrics.sari import Sari
from sema.scoring import run_files
from tests.cases import cases
from tests.commands import files
from tests.esperanto import WordCount, esperanto
from tests.sema.scoring.runs_on_disk import CHUNKS, METRICS, OUTPUTS, REFERENCES, SOURCES, score

SIZE = 3


def test_evidence_and_texts_of_an_item(runs: Path) -> None:
    run = Run(runs / "finished")
    evidence = run.evidence(0)["ours"]
    assert evidence["source"] == ["La", "kato", "dormas", ".", "Mi", "vidas", "0", "domojn", "."]
    assert [scene["sentence"] for scene in evidence["scenes"]] == [None, 0]
    outputs = {"ours": OUTPUTS["ours"][0], "copy": SOURCES[0]}
    assert run.texts(0) == {"item": 0, "source": SOURCES[0], "outputs": outputs, "references": SOURCES[:1]}
    assert run.item(0)["copy"].scores["words"] == 9
    assert "empty" in run.evidence(13)["ours"]["error"]
    with pytest.raises(InputError, match="has no item 14; its items are 0 to 13"):
        run.evidence(14)


def test_a_saved_run_has_the_scores_of_the_report_to_the_last_bit(runs: Path) -> None:
    scorer, run = Scorer(esperanto(), METRICS), Run(runs / "finished")
    report = scorer.score(SOURCES, OUTPUTS, REFERENCES, collect_errors=True)
    assert run.summary == report.summary
    assert run.report([WordCount()]) == report == pickle.loads(pickle.dumps(report))
    assert scorer.score(SOURCES, OUTPUTS, REFERENCES, collect_errors=True, keep_items=False) == report


def test_ids_that_are_not_utf_8_are_escaped(tmp_path: Path) -> None:
    run = Scorer(esperanto(), [WordCount()]).write(tmp_path / "run", ["La."], ["La."], ids=["Jos\udce9"])
    assert run.texts(0)["id"] == r"Jos\udce9"


def test_two_halves_merge_to_the_whole(tmp_path: Path) -> None:
    scorer, halves = Scorer(esperanto(), ["sema", "samsa"]), []
    whole = scorer.score(SOURCES, OUTPUTS, collect_errors=True)
    for number, part in enumerate((slice(0, 2), slice(2, 14))):
        systems = {name: texts[part] for name, texts in OUTPUTS.items()}
        scorer.write(tmp_path / str(number), SOURCES[part], systems)
        halves.append(scorer.score(SOURCES[part], systems, collect_errors=True))
    merged, stored = Report.merge(halves), Run.merge([tmp_path / "0", tmp_path / "1"])
    for system, stored_system, other in zip(merged, stored, whole, strict=True):
        assert system.scores == stored_system.scores == other.scores
        assert [item.scores for item in system.items] == [item.scores for item in other.items]
    assert [merged.evidence(index)["ours"]["item"] for index in range(14)] == [*range(14)]


def test_a_saved_run_has_the_options_of_metric_objects(tmp_path: Path) -> None:
    metrics = [Ibleu(alpha=0.1), "bleu", "mean:sari,bleu"]
    scorer = Scorer(esperanto(), metrics, options={"smoothing": "floor"})
    report = scorer.write(tmp_path / "run", SOURCES[:3], SOURCES[:3], REFERENCES[:3]).report()
    assert report.objects == scorer.metrics
    for metric in report.objects:
        assert metric.corpus(report.systems[0].rows(metric.name)) == report.systems[0][metric.name]
    assert Report.merge([report, report]).systems[0]["ibleu"] == report.systems[0]["ibleu"]


def test_a_saved_run_whose_metrics_cannot_be_made_again_is_refused(tmp_path: Path) -> None:
    mean = CombinedMetric("mean", Sari(), Ibleu(alpha=0.1))
    run = Scorer(esperanto(), [mean]).write(tmp_path / "run", SOURCES[:3], SOURCES[:3], REFERENCES[:3])
    with pytest.raises(InputError, match="scored by mean:sari,ibleu with options that its name cannot be given"):
        run.report()
    assert run.report([mean]).objects == (mean,)


def read_all(folder: Path) -> None:
    """Read all that a run holds."""
    run = Run(folder)
    run.report([WordCount()]), run.summary.to_dict(), run.texts(0), run.item(0), run.evidence(0)
    list(run.all_texts()), list(run.all_evidence())


@pytest.mark.parametrize("sealed", [False, True], ids=["changed", "forged"])
@cases("inconsistent_runs")
def test_inconsistent_run_files_are_refused(finished: Path, name: str, old: str, new: str, sealed: bool) -> None:
    """What fuzzing found: tracebacks of eleven kinds, and scores taken from files with lines missing."""
    path = finished / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    if sealed:
        about, *rows = [json.loads(path.read_bytes())] if name == "run.json" else map(json.loads, path.open("rb"))
        run_files.write_chunk(finished, about, rows) if rows else run_files.write_head(finished, about)
    with pytest.raises(InputError, match="is damaged"):
        read_all(finished)


def test_a_run_without_a_chunk_is_refused(finished: Path) -> None:
    (finished / CHUNKS[-1]).unlink()
    with pytest.raises(InputError, match="is damaged"):
        read_all(finished)


def test_a_frame_has_a_row_for_each_system_and_item() -> None:
    pandas = pytest.importorskip("pandas")
    frame = Scorer(esperanto(), ["sema", WordCount()]).score(SOURCES, OUTPUTS, collect_errors=True).to_frame()
    assert list(frame.columns) == ["system", "item", "sema", "words", "error"] and len(frame) == 28
    assert frame[frame["system"] == "copy"]["sema"].iloc[0] == 100
    assert pandas.isna(frame["sema"].iloc[13])


def test_the_head_is_for_other_tools(tmp_path: Path) -> None:
    assert score(tmp_path, last=8).head["finished"]
    assert list(files(tmp_path)) == [".lock", "00000.jsonl", "00001.jsonl", "00002.jsonl", "run.json"]
    head = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert head["signature"].startswith("lang:eo|level:sentence|")
    assert head["systems"] == ["ours", "copy"] and head["finished"] is True
    assert head["scores"]["copy"].keys() == {"sari", "samsa", "words"} and head["scores"]["copy"]["samsa"] == 100.0


# Runs from strangers: nothing outside their folder is read, written, moved or replaced

MINE = b"mine, and as it was\n"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file of the user's that lies elsewhere."""
    path = tmp_path / "mine" / "letter.txt"
    path.parent.mkdir()
    path.write_bytes(MINE)
    return path


def put(path: Path, what: Callable[[Path], object]) -> None:
    path.unlink(missing_ok=True)
    what(path)


@pytest.mark.parametrize("kind", ["finished", "unfinished"])
@pytest.mark.parametrize("name", ["run.json", *CHUNKS, ".lock"])
@pytest.mark.parametrize("exists", [True, False], ids=["a file", "nothing"])
def test_a_link_in_a_run_is_refused_and_its_target_left_alone(
    request: pytest.FixtureRequest, mine: Path, name: str, kind: str, exists: bool
) -> None:
    folder = request.getfixturevalue(kind)
    if not exists:
        mine.unlink()
    put(folder / name, lambda path: path.symlink_to(mine))
    before = files(mine.parent)
    for way in ("resume", "overwrite") if name in ("run.json", ".lock") else ("resume",):
        with pytest.raises(InputError, match="is not a plain file"):
            score(folder, **{way: True})
    assert files(mine.parent) == before and (folder / name).is_symlink()


@pytest.mark.parametrize("name", CHUNKS)
def test_replacing_a_run_removes_links_and_not_their_targets(
    finished: Path, whole: dict[str, bytes], mine: Path, name: str
) -> None:
    put(finished / name, lambda path: path.symlink_to(mine))
    score(finished, overwrite=True)
    assert files(finished) == whole and not (finished / name).is_symlink() and mine.read_bytes() == MINE


@pytest.mark.parametrize("head", ['{"format": 2}', "{"], ids=["earlier format", "damaged"])
def test_a_run_that_cannot_be_read_can_be_replaced(finished: Path, whole: dict[str, bytes], head: str) -> None:
    (finished / "run.json").write_text(head)
    score(finished, overwrite=True)
    assert files(finished) == whole


@pytest.mark.parametrize("what", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
@pytest.mark.parametrize("name", ["run.json", *CHUNKS])
def test_pipes_devices_and_folders_are_refused(finished: Path, name: str, what: Callable[[Path], object]) -> None:
    put(finished / name, what)
    for use in (lambda: score(finished, resume=True), lambda: Run(finished).report(METRICS[2:])):
        with pytest.raises(InputError, match="is not a plain file"):
            use()


def test_no_more_is_read_than_a_run_can_have(
    finished: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    os.truncate(finished / "00001.jsonl", 1 << 40)  # zeros, none of which is on the disk
    with pytest.warns(SemaWarning, match="1 chunk of its items is scored again"):
        score(finished, resume=True)
    assert files(finished) == whole
    os.truncate(finished / "run.json", 1 << 40)
    monkeypatch.setattr(run_files, "MOST_BYTES", 1 << 12)
    with pytest.raises(InputError, match="is damaged"):
        Run(finished)


def test_a_link_to_the_folder_itself_is_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    assert score(tmp_path / "link").head["finished"] and Run(tmp_path / "real").head["finished"]
