"""Runs on disk: they are read back as scored; interrupted ones resume; those that do not fit are refused."""

import json
import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sema import InputError, Report, Run, Scorer
from sema.scoring import scorer as scorer_module
from tests.commands import files
from tests.esperanto import WordCount, esperanto

SOURCES = ["La kato dormas.", "La hundo manĝas pomon. Mi vidas la domon.", "Vi kuras.", "Li legas libron.", ""]
OUTPUTS = {"ours": ["La kato dormas.", "Mi vidas domon.", "Vi kuras.", "", "Mi."], "copy": SOURCES}


def make(*metrics: str | WordCount) -> Scorer:
    return Scorer(esperanto(), list(metrics) or ["sema", "samsa", WordCount()])


@pytest.fixture(autouse=True, scope="module")
def small_chunks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(scorer_module.CHUNK, "sentence", 2)
        yield


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved") / "run"
    make("sema").write(folder, SOURCES, OUTPUTS)
    return folder


@pytest.fixture
def folder(saved: Path, tmp_path: Path) -> Path:
    """A copy of a saved run."""
    return Path(shutil.copytree(saved, tmp_path / "run"))


def test_evidence_and_texts_of_an_item(tmp_path: Path) -> None:
    run = make().write(tmp_path / "run", SOURCES, OUTPUTS)
    evidence = run.evidence(1)["ours"]
    assert evidence["source"] == ["La", "hundo", "manĝas", "pomon", ".", "Mi", "vidas", "la", "domon", "."]
    assert [scene["sentence"] for scene in evidence["scenes"]] == [None, 0]
    assert run.texts(3) == {"item": 3, "source": SOURCES[3], "outputs": {"ours": "", "copy": SOURCES[3]}}
    assert run.scores(0)["ours"]["sema"] == 100
    assert "empty" in run.evidence(4)["ours"]["error"]
    with pytest.raises(InputError, match="has no item 9; its items are 0 to 4"):
        run.evidence(9)


def test_a_report_pickles() -> None:
    report = make().score(SOURCES, OUTPUTS, collect_errors=True)
    assert pickle.loads(pickle.dumps(report)) == report


def test_two_halves_merge_to_the_whole(tmp_path: Path) -> None:
    whole = make().score(SOURCES, OUTPUTS, collect_errors=True)
    halves = []
    for number, part in enumerate((slice(0, 2), slice(2, 5))):
        systems = {name: texts[part] for name, texts in OUTPUTS.items()}
        make("sema", "samsa").write(tmp_path / str(number), SOURCES[part], systems)
        halves.append(make().score(SOURCES[part], systems, collect_errors=True))
    merged = Report.merge(halves)
    assert [system.scores for system in merged.systems] == [system.scores for system in whole.systems]
    assert [item.scores for item in merged.systems[0].items] == [item.scores for item in whole.systems[0].items]
    assert [merged.evidence(index)["ours"]["item"] for index in range(5)] == [0, 1, 2, 3, 4]
    stored = Run.merge([tmp_path / "0", tmp_path / "1"])
    assert stored.systems[0].scores["sema"] == whole.systems[0].scores["sema"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("run.json", '"items": 5', '"items": "5"'),
        ("run.json", '"items": 5', '"items": 4'),
        ("run.json", '"name": "sema"', '"nom": "sema"'),
        ("00000.jsonl", '"system": "ours", ', ""),
        ("00000.jsonl", '"system": "ours"', '"system": ["ours"]'),
        ("00000.jsonl", '"system": "ours", "item": 0', '"system": "ours", "item": 1'),
        ("00000.jsonl", '"rows": {"sema": [', '"rows": {"sema": [[], '),
        ("00000.jsonl", '"outputs": {', '"outputs": null, "other": {'),
        ("00000.jsonl", '"tokens": [1', '"tokens": [999'),
        ("00000.jsonl", '"sentence": 0', '"sentence": 7'),
        ("00000.jsonl", '"end": ', '"end": 99999999999999999999999'),
        ("00000.jsonl", '"bytes": ', '"bytes": 4611686018427387'),
        ("00000.jsonl", '"lines": 2', '"lines": 1'),
        ("00000.jsonl", '"lines": 2', '"lines": 3'),
        ("00002.jsonl", '"lines": 1', '"lines": 2'),
    ],
)
def test_inconsistent_run_files_are_refused(folder: Path, name: str, old: str, new: str) -> None:
    """What fuzzing found: tracebacks of eleven kinds, and scores taken from files with lines missing."""
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=r"damaged|cannot be read"):
        run = Run(folder)
        run.report(), run.texts(0), run.scores(0), run.evidence(0), list(run.all_texts())


@pytest.mark.parametrize("name", ["00000.jsonl", "00002.jsonl"])
def test_a_run_that_lost_a_chunk_is_refused(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(InputError, match="is damaged"):
        Run(folder)


def test_a_frame_has_a_row_for_each_system_and_item() -> None:
    pandas = pytest.importorskip("pandas")
    frame = make().score(SOURCES, OUTPUTS, collect_errors=True).to_frame()
    assert list(frame.columns) == ["system", "item", "sema", "samsa", "words", "error"]
    assert len(frame) == 10
    assert frame[frame["system"] == "copy"]["sema"].iloc[0] == 100
    assert pandas.isna(frame["sema"].iloc[4])


def test_the_head_is_for_other_tools(saved: Path) -> None:
    assert list(files(saved)) == ["00000.jsonl", "00001.jsonl", "00002.jsonl", "run.json"]
    head = json.loads((saved / "run.json").read_text(encoding="utf-8"))
    assert head["signature"].startswith("lang:eo|level:sentence|")
    assert head["systems"] == ["ours", "copy"]
    assert head["scores"]["copy"] == {"sema": 100.0}
    assert head["finished"] is True
