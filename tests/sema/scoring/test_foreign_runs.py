"""Runs from strangers: nothing outside their folder is read, written, moved or replaced."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sema import InputError, Run, Scorer
from sema.errors import SemaWarning
from sema.scoring import run_files
from sema.scoring import scorer as scorer_module
from tests.commands import files
from tests.esperanto import esperanto

TEXTS = [f"La kato {number} dormas." for number in range(6)]
NAMES = ["run.json", "00000.jsonl", "00001.jsonl", "00002.jsonl", ".lock"]
MINE = b"mine, and as it was\n"


@pytest.fixture(autouse=True, scope="module")
def small_chunks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(scorer_module.CHUNK, "sentence", 2)
        yield


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, and one that was stopped at once."""
    folder = tmp_path_factory.mktemp("runs")
    write(folder / "finished")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Scorer(esperanto(), ["sema"]).write(folder / "unfinished", TEXTS, {"one": TEXTS}, progress=stop)
    return folder


@pytest.fixture
def folder(runs: Path, tmp_path: Path) -> Path:
    """A finished run."""
    return Path(shutil.copytree(runs / "finished", tmp_path / "run"))


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file of the user's that lies elsewhere."""
    path = tmp_path / "mine" / "letter.txt"
    path.parent.mkdir()
    path.write_bytes(MINE)
    return path


def write(folder: Path, *, resume: bool = False, overwrite: bool = False) -> Run:
    return Scorer(esperanto(), ["sema"]).write(folder, TEXTS, {"one": TEXTS}, resume=resume, overwrite=overwrite)


def put(path: Path, what: Callable[[Path], object]) -> None:
    path.unlink(missing_ok=True)
    what(path)


@pytest.mark.parametrize("start", ["finished", "unfinished"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("exists", [True, False], ids=["a file", "nothing"])
def test_a_link_in_a_run_is_refused_and_its_target_left_alone(
    runs: Path, tmp_path: Path, mine: Path, name: str, start: str, exists: bool
) -> None:
    folder = Path(shutil.copytree(runs / start, tmp_path / "run"))
    if not exists:
        mine.unlink()
    put(folder / name, lambda path: path.symlink_to(mine))
    before = files(tmp_path / "mine")
    for way in ["resume", *(["overwrite"] if name in ("run.json", ".lock") else [])]:
        with pytest.raises(InputError, match="is not a plain file"):
            write(folder, **{way: True})
    assert files(tmp_path / "mine") == before and (folder / name).is_symlink()
    if start == "finished" and name != ".lock":
        with pytest.raises(InputError, match="is not a plain file"):
            list(Run(folder).all_texts())


@pytest.mark.parametrize("name", NAMES[1:4])
def test_replacing_a_run_removes_links_and_not_their_targets(folder: Path, mine: Path, name: str) -> None:
    whole = files(folder)
    put(folder / name, lambda path: path.symlink_to(mine))
    write(folder, overwrite=True)
    assert files(folder) == whole and not (folder / name).is_symlink() and mine.read_bytes() == MINE


@pytest.mark.parametrize("what", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
@pytest.mark.parametrize("name", NAMES[:4])
def test_pipes_devices_and_folders_are_refused_at_once(folder: Path, name: str, what: Callable[[Path], object]) -> None:
    put(folder / name, what)
    with pytest.raises(InputError, match="is not a plain file"):
        write(folder, resume=True)
    with pytest.raises(InputError, match="is not a plain file"):
        Run(folder).report()


def test_folders_in_a_run_are_not_entered(runs: Path, tmp_path: Path, mine: Path) -> None:
    folder = Path(shutil.copytree(runs / "unfinished", tmp_path / "run"))
    (folder / "parts").symlink_to(mine.parent, target_is_directory=True)
    write(folder, resume=True)
    assert files(tmp_path / "mine") == {"letter.txt": MINE} and (folder / "parts").is_symlink()
    write(folder, overwrite=True)
    assert files(tmp_path / "mine") == {"letter.txt": MINE} and (folder / "parts").is_symlink()


def test_no_more_is_read_than_a_run_can_have(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = files(folder)
    os.truncate(folder / "00001.jsonl", 1 << 40)  # zeros, none of which is on the disk
    with pytest.warns(SemaWarning, match="1 chunk of its items is scored again"):
        write(folder, resume=True)
    assert files(folder) == whole
    os.truncate(folder / "run.json", 1 << 40)
    monkeypatch.setattr(run_files, "MOST_BYTES", 1 << 12)
    with pytest.raises(InputError, match="is damaged"):
        Run(folder)


def test_a_link_to_the_folder_itself_is_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    assert write(tmp_path / "link").head["finished"] and Run(tmp_path / "real").head["finished"]
