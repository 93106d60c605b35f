"""Small chunks for modules that name a size, and runs on disk."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sema.scoring.scorer import CHUNK
from tests.commands import files
from tests.sema.scoring.runs_on_disk import score


@pytest.fixture(autouse=True, scope="module")
def small_chunks(request: pytest.FixtureRequest) -> Iterator[None]:
    """A chunk has as many items as the module's SIZE says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CHUNK, "sentence", getattr(request.module, "SIZE", CHUNK["sentence"]))
        yield


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, and one that was stopped before its last chunk."""

    def stop(done: int, total: int) -> None:
        if done >= 12:
            raise KeyboardInterrupt

    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CHUNK, "sentence", 3)
        score(folder / "finished")
        with pytest.raises(KeyboardInterrupt):
            score(folder / "unfinished", progress=stop)
    return folder


@pytest.fixture(scope="session")
def whole(runs: Path) -> dict[str, bytes]:
    return files(runs / "finished")


@pytest.fixture
def finished(runs: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(runs / "finished", tmp_path / "run"))


@pytest.fixture
def unfinished(runs: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(runs / "unfinished", tmp_path / "run"))
