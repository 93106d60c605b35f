"""Wrong usage, bad input and failing code: the exit status, one line that says what is wrong, and no file is changed.

``tests/data/errors.tsv`` has most cases; the files that they name lie in ``tests/data/errors``.
"""

import shlex
import shutil
import socket
from pathlib import Path

import pytest

from sema.cli.main import COMMANDS
from tests.commands import EO, GOOD, environment, files, one_line, start, write
from tests.conftest import ROOT, Run

TABLE = ROOT / "tests" / "data" / "errors.tsv"


@pytest.mark.parametrize("row", TABLE.read_text(encoding="utf-8").splitlines()[1:])
def test_whatever_is_wrong_is_one_line_and_a_status_and_costs_no_file(sema: Run, folder: Path, row: str) -> None:
    status, command, *said = row.split("\t")
    shutil.copytree(TABLE.with_suffix(""), folder, dirs_exist_ok=True)
    for name in ("empty", "folder", "xml"):
        (folder / name).mkdir()
    write("folder/other.txt", "mine")
    write("xml/00001.xml", "corrected by hand")
    Path("link.csv").symlink_to("table.csv")
    words = shlex.split(command.replace("EO", shlex.join(EO)))
    if "run" in words:
        assert sema("score", *EO, "--save", "run").returncode == 0
    before = files()
    one_line(sema(*words), int(status), *said)
    assert files() == before


@pytest.mark.parametrize(
    ("name", "content", "parts"),
    [
        ("output.txt", b"La kato dormas.\nMi \xff vidas.\nLi iras.\n", ("output.txt:2: ", "UTF-8")),
        ("output.txt", b"La kato dormas.\nMi\0vidas.\nLi iras.\n", ("output.txt:2: ", "NUL")),
        ("output.txt", GOOD.encode() * 2, ("output.txt: ", "6 items", "source.txt has 3")),
        ("output.txt", "é\né\né\n".encode("latin-1"), (
            "output.txt:1: is not UTF-8 (byte 0xe9 at position 1); convert the file to UTF-8", "all its 3 items")),
        ("source.txt", b"La kato dormas.\n" + b"a" * 1_000_001 + b"\nLi iras.\n",
         ("source.txt:2: the source has 1,000,001 characters, and a text may have 1,000,000",)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_texts_that_cannot_be_scored_are_named_by_line(
    sema: Run, name: str, content: bytes, parts: tuple[str, ...]
) -> None:
    write(name, content)
    one_line(sema("score", *EO, "--metrics", "sema"), 1, *parts)


def test_a_name_that_no_folder_can_have_is_one_line(sema: Run) -> None:
    one_line(sema("score", *EO, "--save", "name\0"), 1)


def test_a_port_in_use_is_status_1(sema: Run) -> None:
    pytest.importorskip("uvicorn")
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        one_line(sema("serve", "--port", str(port)), 1, f"port {port} of 127.0.0.1 is in use", "--port")
        one_line(sema("serve", "--host", "no.such.host.invalid", "--port", str(port)), 1, "cannot listen", "--host")


def test_an_unexpected_error_shows_its_traceback_to_those_who_debug(sema: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(arguments: object) -> int:
        raise ZeroDivisionError("of mine")

    monkeypatch.setattr(COMMANDS["languages"], "run", fails)
    one_line(sema("languages"), 1, "unexpected ZeroDivisionError: of mine", "--debug")
    for words in (["--debug", "languages"], ["languages", "--debug"]):
        done = sema(*words)
        assert done.returncode == 1 and "in fails" in done.stderr
        assert done.stderr.splitlines()[-1].startswith("sema: unexpected ZeroDivisionError")


def test_a_reader_that_leaves_is_no_error(folder: Path, outside_package: Path) -> None:
    process = start("scenes", "--lang", "eo", "source.txt", env=environment(outside_package))
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.wait() == 0
    assert process.stderr.read() == ""
