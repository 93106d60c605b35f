"""Every reader of a user's file answers what it cannot read with one line; compressed files are read as they are."""

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sema_rerank.simplifiers import read_weights
from sema_simplifier.rules import RuleTable
from sema_tsar.runs import read_runs
from sema_ud.conllu import read_trees

from sema.errors import InputError, ResourceError
from sema.files import tables
from sema.files.links import open_links
from sema.files.texts import open_column, read_column
from tests.commands import write

DIGITS = "9" * 5_000
CELL = "x" * 140_000
NESTED = "[" * 100_000
LINKED = '{"source": ["a"], "sentences": [{"tokens": ["a"], "links": [[%s, 0, "exact"]]}]}'


def links(path: Path) -> None:
    raise_errors(open_links(str(path)))


def raise_errors(found: Any) -> None:
    for one in found:
        if isinstance(one, InputError):
            raise one


def conllu(*cells: str) -> str:
    return "\t".join([*cells, *"_" * (10 - len(cells))]) + "\n"


@pytest.mark.parametrize(
    ("read", "name", "content"),
    [
        (links, "a.txt", f"{DIGITS}-0"),
        (links, "a.txt", "٣-٤"),
        (links, "a.jsonl", LINKED % DIGITS),
        (links, "a.jsonl", LINKED % ("9" * 99)),
        (links, "a.jsonl", '{"a":' + NESTED),
        (read_weights, "a.json", f'{{"weights": {{"a": {DIGITS}}}}}'),
        (read_weights, "a.json", NESTED),
        (read_trees, "a.conllu", conllu(DIGITS, "a")),
        (read_trees, "a.conllu", conllu("1", "a", "_", "NOUN", "_", "_", DIGITS, "root")),
        (RuleTable.load, "a.json.gz", NESTED),
    ],
)
def test_readers_answer_with_one_line(read: Callable[[Path], object], name: str, content: str) -> None:
    write(name, gzip.compress(content.encode()) if name.endswith(".gz") else content)
    with pytest.raises((InputError, ResourceError)) as caught:
        read(Path(name))
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


def test_a_cell_of_any_length_is_read_from_a_packed_table() -> None:
    write("all.tsv.gz", gzip.compress(f'text_id\tsimplified\n1\t"{CELL}\n\n'.encode()))
    assert read_runs(["all.tsv.gz"])[0].outputs == {"1": f'"{CELL}'}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x1f\x8b\x08broken", "cannot be unpacked"),
        (gzip.compress(b"text_id\tsimplified\n1\t\xff\n"), r"all\.tsv\.gz:2: is not UTF-8"),
        (gzip.compress(b"text_id\tsimplified\n1\n"), r"all\.tsv\.gz:2: has 1 cell but the first line names 2"),
        (gzip.compress(b"text_id\tsimplified\n1\t" + b"a" * (2 << 20)), "unpacks to more than"),
    ],
)
def test_a_packed_table_that_cannot_be_read_is_named(
    content: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST", 1 << 20)
    write("all.tsv.gz", content)
    with pytest.raises(InputError, match=said):
        read_runs(["all.tsv.gz"])
    with pytest.raises(InputError, match=said):
        raise_errors(open_column("all.tsv.gz", "output").values)


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
def test_compressed_files_are_read_as_what_they_hold_and_damaged_ones_say_so(suffix: str) -> None:
    lines, table = f"s.txt{suffix}", f"t.csv{suffix.upper()}"
    write(lines, PACKERS[suffix](LINES))
    write(table, PACKERS[suffix](TABLE))
    assert read_column(lines, "source").values == tuple(LINES.decode().splitlines())
    assert read_column(table, "source").values == ("one", "two")
    assert read_column(f"{table}:B", "output").values == ("uno", "due")
    whole = PACKERS[suffix](LINES * 50)
    for content in (whole[: len(whole) // 2], b"plain text\n"):
        write(lines, content)
        with pytest.raises(InputError, match="cannot be unpacked: "):
            open_column(lines, "source")


def test_a_zip_file_must_hold_one_file_beside_hidden_files_of_macos() -> None:
    write("s.zip", zipped(("a.txt", b"a\n"), ("b.txt", b"b\n")))
    with pytest.raises(InputError, match=r"s\.zip: holds 2 files; unpack it and name the one"):
        open_column("s.zip", "source")
    write("s.txt.zip", zipped(("a.txt", b"a\n"), ("__MACOSX/._a.txt", b"\0"), (".DS_Store", b"\0")))
    assert list(open_column("s.txt.zip", "source").values) == ["a"]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (gzip.compress(LINES), "a gzip file; give it the suffix .gz"),
        (lzma.compress(LINES), "an xz file"),
        (bz2.compress(LINES), "a bzip2 file"),
        (zipped(("word/document.xml", LINES)), "a zip file, as Word's and Excel's files are"),
        (b"%PDF-1.7\n", "a PDF file"),
        ("one\ntwo\n".encode("utf-16"), "UTF-16; save it as UTF-8"),
        ("one text\ntwo texts\n".encode("utf-16-le"), "UTF-16; save it as UTF-8"),
        ("one text\ntwo texts\n".encode("utf-16-be"), "UTF-16; save it as UTF-8"),
        (b"one\rtwo\r", "text with CR alone as line ends, as on old Macs; save it with LF"),
    ],
)
@pytest.mark.parametrize("name", ["s.txt", "s.jsonl", "s.csv"])
def test_what_is_no_text_is_named(content: bytes, kind: str, name: str) -> None:
    write(name, content)
    with pytest.raises(InputError) as caught:
        open_column(name, "source")
    assert f"{name}:1: is {kind}" in str(caught.value)


@pytest.mark.parametrize(
    "text", ["a\rb\n", "a\0b\n", "a line with one zero \0 in it\n", "多\0么\n", "BZh is a name\n", "PK\n"]
)
def test_text_with_a_zero_or_an_odd_beginning_stays_text(text: str) -> None:
    write("s.txt", text)
    assert read_column("s.txt", "source").values == (text[:-1],)
