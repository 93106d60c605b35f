"""Wrong usage and bad input: the exit status, and one line that says what is wrong; ``tests/data/errors.tsv`` has them.

The files that they name lie in ``tests/data/errors``.
"""

import shlex
import shutil
from pathlib import Path

import pytest

from tests.commands import EO, GOOD, one_line
from tests.conftest import ROOT, Run

TABLE = ROOT / "tests" / "data" / "errors.tsv"


@pytest.mark.parametrize("row", TABLE.read_text(encoding="utf-8").splitlines()[1:])
def test_whatever_is_wrong_is_one_line_and_a_status(sema: Run, folder: Path, row: str) -> None:
    status, command, *said = row.split("\t")
    shutil.copytree(TABLE.with_suffix(""), folder, dirs_exist_ok=True)
    for name in ("empty", "folder"):
        (folder / name).mkdir()
    (folder / "folder" / "other.txt").write_text("mine", encoding="utf-8")
    words = shlex.split(command.replace("EO", shlex.join(EO)))
    if "run" in words:
        assert sema("score", *EO, "--save", "run").returncode == 0
    one_line(sema(*words), int(status), *said)


@pytest.mark.parametrize(
    ("name", "content", "parts"),
    [
        ("source.txt", b"La kato dormas.\nMi \xff vidas.\nLi iras.\n", ("source.txt:2: ", "UTF-8")),
        ("output.txt", b"La kato dormas.\nMi \xff vidas.\nLi iras.\n", ("output.txt:2: ", "UTF-8")),
        ("output.txt", b"La kato dormas.\nMi\0vidas.\nLi iras.\n", ("output.txt:2: ", "NUL")),
        ("output.txt", GOOD.encode() * 2, ("output.txt: ", "6 items", "source.txt has 3")),
        ("output.txt", b"", ("output.txt: ", "0 items")),
        ("output.txt", GOOD.encode("utf-16"), ("output.txt:1: ", "UTF-16")),
        ("output.txt", "é\né\né\n".encode("latin-1"), (
            "output.txt:1: is not UTF-8 (byte 0xe9 at position 1); convert the file to UTF-8", "all its 3 items")),
        ("source.txt", b"La kato dormas.\n" + b"a" * 1_000_001 + b"\nLi iras.\n",
         ("source.txt:2: the source has 1,000,001 characters, and a text may have 1,000,000",)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_texts_that_cannot_be_scored_are_named_by_line(
    sema: Run, folder: Path, name: str, content: bytes, parts: tuple[str, ...]
) -> None:
    (folder / name).write_bytes(content)
    one_line(sema("score", *EO, "--metrics", "sema"), 1, *parts)


def test_a_name_that_no_folder_can_have_is_one_line(sema: Run) -> None:
    one_line(sema("score", *EO, "--save", "name\0"), 1)
