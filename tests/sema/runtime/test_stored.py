"""Files that ship or that users give: read whole, checked against their sums, and named where they are damaged."""

import json
from pathlib import Path

import numpy as np
import pytest

from sema.errors import InputError, ResourceError
from sema.runtime.checksums import RECORD, checked, sha256, write_sums
from sema.runtime.contents import text_content
from sema.runtime.embeddings import Table, blocks, to_blocks, to_finer
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


def test_a_text_is_read_up_to_a_size_without_its_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffçe\r\n".encode())
    assert text_content(path) == "çe\r\n"
    path.write_bytes(b"\xff")
    for name, said in (
        (path, "is not UTF-8"),
        (tmp_path / "nothing", "cannot be read"),
        (Path("/dev/zero"), "has more than 0 MB"),
    ):
        with pytest.raises(InputError, match=said) as caught:
            text_content(name, 4)
        assert caught.value.file == str(name)


def test_embeddings_of_any_ids_are_finer_where_they_have_more_bits() -> None:
    """Two more bits quarter the error of the first ten."""
    exact = np.random.default_rng(2).normal(size=(20, 64)).astype(np.float32)
    exact[3] = 0
    rows = to_blocks(exact)
    finer = to_finer(exact[:10], rows[:10])
    assert finer.shape == (10, 16)
    table = Table(rows, finer)
    found = table[np.arange(20)]
    assert np.abs(found - exact)[:10].mean() < 0.3 * np.abs(blocks(rows) - exact)[:10].mean()
    np.testing.assert_array_equal(found[10:], blocks(rows)[10:])
    assert not found[3].any() and found.dtype == np.float32
    for ids in (np.array([[12, 3, 12], [0, 19, 9]]), np.zeros((0, 4), np.int64), np.array([15, 11])):
        np.testing.assert_array_equal(table[ids], found[ids])


PAIRS = [("b", "a"), ("a", "b"), ("a", "ç"), ("d", "a"), ("c", "d")]


def test_pairs_are_read_as_they_were_written_and_their_order_changes_no_byte(tmp_path: Path) -> None:
    first, second = tmp_path / "1.npz", tmp_path / "2.npz"
    save_pairs(first, PAIRS)
    save_pairs(second, [pair[::-1] for pair in reversed(PAIRS)])
    assert first.read_bytes() == second.read_bytes()
    assert load_pairs(first) == {"a": ("b", "d", "ç"), "b": ("a",), "c": ("d",), "d": ("a", "c"), "ç": ("a",)}
    words = [f"{number:06}" for number in range(70_000)]  # more than 16 bits count
    save_pairs(first, zip(words, reversed(words), strict=True))
    assert load_pairs(first)[words[3]] == (words[-4],)


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
