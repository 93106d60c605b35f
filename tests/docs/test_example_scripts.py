import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT

SCRIPTS = ROOT / "examples" / "scripts"
EXAMPLES = ROOT / "examples" / "en"
pytestmark = pytest.mark.stress
Run = Callable[..., list[str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a script in this process, whose models are loaded; the lines that it prints."""

    def call(name: str, *words: str | Path, status: int = 0) -> list[str]:
        monkeypatch.setattr(sys, "argv", [f"{name}.py", *map(str, words)])
        ended: object = 0
        try:
            runpy.run_path(str(SCRIPTS / f"{name}.py"), run_name="__main__")
        except SystemExit as end:
            ended = int(bool(end.code))
        printed = capsys.readouterr()
        assert ended == status, printed.err
        return printed.out.splitlines()

    return call


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Faithful and unfaithful pairs in turn."""
    sources, *systems = (
        (EXAMPLES / f"{name}.txt").read_text("utf-8").splitlines() for name in ("original", "split", "changed")
    )
    rows = [{"source": one, "output": output} for one, *both in zip(sources, *systems, strict=True) for output in both]
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_systems_are_ranked_and_the_worst_items_come_with_their_verdicts(run: Run) -> None:
    printed = run("rank_systems")
    assert printed[0].startswith("split") and len(printed) == 6
    printed = run("worst_items")
    scores = [float(line.split()[1]) for line in printed[::2]]
    assert scores == sorted(scores) and len(scores) == 8
    assert any("wrong" in line for line in printed)


def test_a_corpus_is_filtered_and_a_second_call_goes_on(run: Run, corpus: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    first = run("filter_corpus", corpus, kept)
    rows = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert 6 <= len(rows) <= 9 and (tmp_path / "kept.run").is_dir()
    assert run("filter_corpus", corpus, kept)[-1] == first[-1]


def test_a_dataset_gets_a_column_for_each_metric(run: Run, corpus: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    rows = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    datasets.Dataset.from_list(rows).save_to_disk(tmp_path / "given")
    run("score_dataset", tmp_path / "given", tmp_path / "scored")
    scored = datasets.load_from_disk(tmp_path / "scored")
    assert set(scored.column_names) == {"source", "output", "meaning", "fkgl"} and len(scored["meaning"]) == len(rows)


def test_a_pull_request_fails_when_meaning_falls(run: Run) -> None:
    files = {name: EXAMPLES / f"{name}.txt" for name in ("original", "split", "shortened")}
    said = run("check_pull_request", files["original"], files["split"], files["shortened"], status=1)
    assert "meaning fell by" in said[-1]
    run("check_pull_request", files["original"], files["shortened"], files["split"])
