"""The first chunk in pieces: progress comes soon, and the scores and the files of a run are the same."""

from itertools import pairwise
from pathlib import Path

import pytest

from sema import Scorer
from sema.scoring import scorer as module
from tests.commands import files
from tests.esperanto import esperanto

SOURCES = [f"La kato {number} dormas." for number in range(23)]
OUTPUTS = {"a": SOURCES[::-1], "b": ["La kato."] * 23}


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(module.CHUNK, "sentence", 16)


def test_progress_comes_in_pieces_that_double_then_by_whole_chunks(tmp_path: Path) -> None:
    scorer = Scorer(esperanto(), ["sema", "sari"])
    references = [[text] for text in SOURCES]
    seen: list[int] = []
    report = scorer.score(SOURCES, OUTPUTS, references, progress=lambda done, total: seen.append(done))
    assert seen == [2, 4, 8, 16, 23]
    assert report == scorer.score(SOURCES, OUTPUTS, references)
    scorer.write(tmp_path / "whole", SOURCES, OUTPUTS, references)
    scorer.write(tmp_path / "pieces", SOURCES, OUTPUTS, references, progress=lambda done, total: seen.append(done))
    assert files(tmp_path / "whole") == files(tmp_path / "pieces")
    assert seen == [2, 4, 8, 16, 23] * 2 and all(first < later for first, later in pairwise(seen[:5]))


@pytest.mark.parametrize("count", [1, 2, 3, 16, 17])
def test_every_number_of_items_is_scored_once(count: int) -> None:
    report = Scorer(esperanto(), ["sema"]).score(
        SOURCES[:count], {name: texts[:count] for name, texts in OUTPUTS.items()}, progress=lambda done, total: None
    )
    assert [item.index for item in report["a"].items] == list(range(count))
