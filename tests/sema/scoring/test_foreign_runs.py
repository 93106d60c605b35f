"""Runs from strangers: nothing outside their folder is read, written, moved or replaced."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sema import InputError, Run
from sema.errors import SemaWarning
from sema.scoring import run_files
from tests.commands import files
from tests.sema.scoring.runs_on_disk import CHUNKS, METRICS, score

SIZE = 3
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


@pytest.mark.parametrize("what", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
@pytest.mark.parametrize("name", ["run.json", *CHUNKS])
def test_pipes_devices_and_folders_are_refused(finished: Path, name: str, what: Callable[[Path], object]) -> None:
    put(finished / name, what)
    for use in (lambda: score(finished, resume=True), lambda: Run(finished).report(METRICS[2:])):
        with pytest.raises(InputError, match="is not a plain file"):
            use()


def test_folders_in_a_run_are_not_entered(unfinished: Path, mine: Path) -> None:
    (unfinished / "parts").symlink_to(mine.parent, target_is_directory=True)
    for way in ("resume", "overwrite"):
        score(unfinished, **{way: True})
        assert files(mine.parent) == {"letter.txt": MINE} and (unfinished / "parts").is_symlink()


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
