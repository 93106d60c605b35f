"""Whole files are read up to a size limit, and every failure names the file."""

import os
from pathlib import Path

import pytest

from sema.errors import InputError
from sema.runtime.contents import text_content


def test_text_comes_without_its_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffçe\r\n".encode())
    assert text_content(path) == "çe\r\n"


def test_larger_files_and_endless_ones_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 5)
    assert text_content(path, 5) == "xxxxx"
    for endless in (path, Path("/dev/zero")):
        if endless.exists():
            with pytest.raises(InputError, match=r"has more than \d+ MB"):
                text_content(endless, 4)


@pytest.mark.parametrize(("content", "said"), [(None, "cannot be read"), (b"\xff", "is not UTF-8")])
def test_failures_name_the_file(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / f"file{os.sep}a.txt" if content is None else tmp_path / "a.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=said) as caught:
        text_content(path)
    assert caught.value.file == str(path)
