"""Pairs of words on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from sema.errors import ResourceError
from sema.runtime.pairs import load_pairs, save_pairs

PAIRS = [("b", "a"), ("a", "b"), ("a", "ç"), ("d", "a"), ("c", "d")]


def test_pairs_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "pairs.npz"
    save_pairs(file, PAIRS)
    assert load_pairs(file) == {"a": ("b", "d", "ç"), "b": ("a",), "c": ("d",), "d": ("a", "c"), "ç": ("a",)}
    assert "e" not in load_pairs(file)


def test_the_bytes_depend_only_on_the_pairs(tmp_path: Path) -> None:
    first, second = tmp_path / "1.npz", tmp_path / "2.npz"
    save_pairs(first, PAIRS)
    save_pairs(second, [pair[::-1] for pair in reversed(PAIRS)])
    assert first.read_bytes() == second.read_bytes()


def test_many_words_round_trip(tmp_path: Path) -> None:
    words = [f"{number:06}" for number in range(70_000)]  # more than 16 bits count
    save_pairs(tmp_path / "pairs.npz", zip(words, reversed(words), strict=True))
    assert load_pairs(tmp_path / "pairs.npz")[words[3]] == (words[-4],)


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pairs.npz").write_bytes(b"PK nonsense")
    with pytest.raises(ResourceError, match="reinstall"):
        load_pairs(tmp_path / "pairs.npz")


def test_a_table_with_one_changed_byte_is_refused_or_read(tmp_path: Path) -> None:
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
    file.write_bytes(b"")
    with pytest.raises(ResourceError, match="reinstall"):
        load_pairs(file)
