import json
from pathlib import Path

import pytest

from sema.errors import ResourceError
from sema.runtime.checksums import RECORD, checked, sha256, write_sums


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "b").write_bytes(b"")
    write_sums(tmp_path, ("a", "b"))
    return tmp_path


def test_a_sum_that_others_compute_too(folder: Path) -> None:
    assert sha256(folder / "a") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert set(json.loads((folder / RECORD).read_text())) == {"a", "b"}


def test_whole_files_have_a_digest_of_their_own(folder: Path) -> None:
    assert len(checked(folder, "files")) == 12
    assert checked(folder, "files", ("a",)) != checked(folder, "files")


def test_damaged_and_missing_files_are_named(folder: Path) -> None:
    (folder / "b").write_bytes(b"x")
    with pytest.raises(ResourceError, match=r"b is damaged"):
        checked(folder, "files")
    assert checked(folder, "files", ("a",)), "a file that nobody asked for"
    (folder / "a").unlink()
    with pytest.raises(ResourceError, match=r"a is missing"):
        checked(folder, "files")
    with pytest.raises(ResourceError, match=r"has no c in its record"):
        checked(folder, "files", ("c",))
    (folder / RECORD).unlink()
    with pytest.raises(ResourceError, match="no files in"):
        checked(folder, "files")
