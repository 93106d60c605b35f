"""Compressed files are read; non-text files are refused by their kind, never read as a few odd lines."""

import bz2
import gzip
import io
import lzma
import zipfile
from pathlib import Path

import pytest

from sema.errors import InputError
from sema.files import packed
from sema.files.texts import open_column, read_column

LINES = "one text\nanother text\n一个句子。\n".encode()
TABLE = b"source,A,B\none,eins,uno\ntwo,zwei,due\n"


def zipped(*files: tuple[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("folder")
        for name, content in files:
            archive.writestr(name, content)
    return data.getvalue()


PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zip": lambda data: zipped(("x", data))}


@pytest.mark.parametrize("suffix", PACKERS)
def test_compressed_files_are_read_as_what_they_hold(tmp_path: Path, suffix: str) -> None:
    lines, table = tmp_path / f"s.txt{suffix}", tmp_path / f"t.csv{suffix.upper()}"
    lines.write_bytes(PACKERS[suffix](LINES))
    table.write_bytes(PACKERS[suffix](TABLE))
    assert read_column(str(lines), "source").values == tuple(LINES.decode().splitlines())
    assert read_column(str(table), "source").values == ("one", "two")
    assert read_column(f"{table}:B", "output").values == ("uno", "due")


@pytest.mark.parametrize("suffix", PACKERS)
def test_damaged_ones_say_so(tmp_path: Path, suffix: str) -> None:
    whole = PACKERS[suffix](LINES * 50)
    for content in (whole[: len(whole) // 2], b"plain text\n"):
        path = tmp_path / f"s.txt{suffix}"
        path.write_bytes(content)
        with pytest.raises(InputError, match="cannot be unpacked: "):
            open_column(str(path), "source")


def test_a_zip_file_must_hold_one_file(tmp_path: Path) -> None:
    path = tmp_path / "s.zip"
    path.write_bytes(zipped(("a.txt", b"a\n"), ("b.txt", b"b\n")))
    with pytest.raises(InputError, match=r"s\.zip: holds 2 files; unpack it and name the one"):
        open_column(str(path), "source")


def test_hidden_files_of_macos_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "s.txt.zip"
    path.write_bytes(zipped(("a.txt", b"a\n"), ("__MACOSX/._a.txt", b"\0"), (".DS_Store", b"\0")))
    assert list(open_column(str(path), "source").values) == ["a"]


def test_what_unpacks_to_very_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MOST", 1 << 20)
    path = tmp_path / "s.txt.gz"
    path.write_bytes(gzip.compress(b"a" * (1 << 20) + b"\n"))
    with pytest.raises(InputError, match="unpacks to more than"):
        open_column(str(path), "source")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (gzip.compress(LINES), "a gzip file; give it the suffix .gz"),
        (lzma.compress(LINES), "an xz file"),
        (bz2.compress(LINES), "a bzip2 file"),
        (zipped(("word/document.xml", LINES)), "a zip file, as Word's and Excel's files are"),
        (b"%PDF-1.7\n", "a PDF file"),
        ("one\ntwo\n".encode("utf-16"), "UTF-16; save it as UTF-8"),
        ("one text\ntwo texts\n".encode("utf-16-le"), "UTF-16 without a byte order mark"),
        ("one text\ntwo texts\n".encode("utf-16-be"), "UTF-16 without a byte order mark"),
        ("这是一个句子。\n那是另一个。\n".encode("utf-16-le"), "UTF-16 without a byte order mark"),
    ],
    ids=["gzip", "xz", "bzip2", "zip", "pdf", "utf-16", "utf-16-le", "utf-16-be", "utf-16-le-zh"],
)
@pytest.mark.parametrize("name", ["s.txt", "s.jsonl", "s.csv"])
def test_what_is_no_text_is_named(tmp_path: Path, content: bytes, kind: str, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        open_column(str(path), "source")
    assert f"{name}:1: is {kind}" in str(caught.value)


@pytest.mark.parametrize("text", ["a\0b\n", "a line with one zero \0 in it\n", "多\0么\n", "BZh is a name\n", "PK\n"])
def test_text_with_a_zero_or_an_odd_beginning_stays_text(tmp_path: Path, text: str) -> None:
    path = tmp_path / "s.txt"
    path.write_bytes(text.encode())
    assert read_column(str(path), "source").values == (text[:-1],)
