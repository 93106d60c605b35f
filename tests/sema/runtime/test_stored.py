"""Files that ship or that users give: read whole, checked against their sums, and named where they are damaged."""

import json
from pathlib import Path

import pytest

from sema.errors import ResourceError
from sema.runtime.checksums import RECORD, checked, sha256, write_sums
from sema.runtime.pairs import load_pairs, save_pairs


def test_sums_are_those_that_others_compute_and_damaged_and_missing_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "b").write_bytes(b"")
    write_sums(tmp_path, ("a", "b"))
    assert sha256(tmp_path / "a") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert set(json.loads((tmp_path / RECORD).read_text())) == {"a", "b"}
    assert checked(tmp_path, "files") != checked(tmp_path, "files", ("a",))
    (tmp_path / "b").write_bytes(b"x")
    assert checked(tmp_path, "files", ("a",)), "a file that nobody asked for"
    for damage, asked, message in (
        (None, None, "b is damaged"),
        ("a", None, "a is missing"),
        (None, ("c",), "has no c in its record"),
        (RECORD, None, "no files in"),
    ):
        if damage:
            (tmp_path / damage).unlink()
        with pytest.raises(ResourceError, match=message):
            checked(tmp_path, "files", asked)


PAIRS = [("b", "a"), ("a", "b"), ("a", "ç"), ("d", "a"), ("c", "d")]


def test_damaged_pairs_are_refused_or_read(tmp_path: Path) -> None:
    file = tmp_path / "pairs.npz"
    save_pairs(file, PAIRS)
    whole, refused = file.read_bytes(), 0
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        try:
            load_pairs(file)
        except ResourceError:
            refused += 1
    assert refused > len(whole) / 3
    file.write_bytes(b"PK nonsense")
    with pytest.raises(ResourceError, match="reinstall"):
        load_pairs(file)
