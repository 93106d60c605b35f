"""Faults of the machine: full disks, vanishing files, closed streams, little memory.

One line, the right exit status, and nothing half-written under a final name.
"""

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sema.cli.main import main
from sema.errors import InputError
from sema.files.blocks import BLOCK
from sema.files.texts import open_column
from tests.commands import EO, GOOD, environment, files, is_one_line, start


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """As on a disk with room for so many bytes of a file."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.fixture
def started(folder: Path, outside_package: Path) -> Callable[..., tuple[int, str]]:
    """Run a command in a process with an environment of almost nothing: its status, and what it says of errors."""
    bare = {"PATH": os.environ["PATH"], "PYTHONPATH": environment(outside_package)["PYTHONPATH"]}

    def call(*arguments: str, before: Callable[[], None] | None = None, **more: str) -> tuple[int, str]:
        process = start(*arguments, env=bare | more, preexec_fn=before)
        _, error = process.communicate()
        assert "Traceback" not in error, error
        return process.returncode, error

    return call


# Writing


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (["score", *EO, "--per-item", "new.csv"], "new.csv"),
        (["score", *EO, "--per-item", "new.parquet"], "new.parquet"),
        (["score", *EO, "--save", "new"], "new/run.json"),
        (["features", *EO, "--groups", "lengths", "--to", "new.csv"], "new.csv"),
        (["scenes", "--lang", "eo", "source.txt", "--html", "new.html"], "new.html"),
        (["forms", "edits", "-s", "source.txt", "-o", "output.txt", "--write", "new.html"], "new.html"),
        (["parse", "--lang", "eo", "source.txt", "--to", "xml"], "xml/00000.xml"),
        (["agreement", "ratings.csv", "--averages", "new.csv"], "new.csv"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
@pytest.mark.parametrize("size", [0, 60])
def test_a_full_disk_leaves_no_half_file(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], written: str, size: int
) -> None:
    ratings = "".join(f"{item},{rater},{item % 3}\n" for item in range(6) for rater in "ab")
    (folder / "ratings.csv").write_text(f"item,rater,meaning\n{ratings}")
    with largest_file(size):
        assert main(arguments) == 1
    is_one_line(capsys.readouterr().err, "cannot be written: File too large")
    assert not (folder / written).exists()
    assert not list(folder.rglob("*.new"))
    assert main(arguments) in (0, 1)  # an empty folder left behind does no harm
    assert (folder / written).exists()


def test_a_disk_that_fills_up_in_a_run_costs_no_chunk(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("source.txt", "output.txt"):
        (folder / name).write_text(GOOD * 100 + "La kato dormas. Li iras. Mi vidas domon.\n" * 300, encoding="utf-8")
    with largest_file(200_000):
        assert main(["score", *EO, "--metrics", "sema", "--save", "run"]) == 1
    is_one_line(capsys.readouterr().err, "run: cannot be written: File too large")
    assert (folder / "run" / "00000.jsonl").exists()
    assert main(["score", *EO, "--metrics", "sema", "--save", "run", "--resume"]) == 0
    assert main(["score", *EO, "--metrics", "sema", "--save", "whole"]) == 0
    assert files(folder / "run") == files(folder / "whole")


# Reading


@pytest.mark.parametrize("suffix", ["txt", "csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("change", ["vanish", "grow", "cut"])
def test_a_file_that_changes_while_it_is_read(tmp_path: Path, suffix: str, change: str) -> None:
    path = tmp_path / f"many.{suffix}"
    count = 5 * BLOCK
    if suffix == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.table({"source": [f"La kato {n}." for n in range(count)]}), path)
    elif suffix == "jsonl":
        path.write_text("".join(f'{{"source": "La kato {n}."}}\n' for n in range(count)))
    else:
        path.write_text("source\n" * (suffix != "txt") + "".join(f"La kato {n}.\n" for n in range(count)))
    column = open_column(str(path), "source")
    assert (len(column.values), column.values[3 * BLOCK + 1]) == (count, f"La kato {3 * BLOCK + 1}.")
    assert column.values[2 : BLOCK + 2] == [f"La kato {n}." for n in range(2, BLOCK + 2)]
    assert column.lines[BLOCK] == BLOCK + (2 if suffix in ("csv", "tsv") else 1)
    if change == "vanish":
        path.unlink()
    elif change == "grow":
        path.write_bytes(path.read_bytes() + b"more\n")
    else:
        os.truncate(path, 10)
    with pytest.raises(InputError, match="there is no such file" if change == "vanish" else "was changed while"):
        column.values[-1]


def test_a_pipe_is_read_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "pipe")
    child = os.fork()
    if not child:
        (folder / "pipe").write_text(GOOD)
        os._exit(0)
    assert main(["score", "--lang", "eo", "-s", "pipe", "-o", "output.txt", "--save", "run"]) == 0
    os.waitpid(child, 0)
    assert "3 items" in capsys.readouterr().out


# The process's surroundings


def test_neither_home_nor_a_place_for_temporary_files(started: Callable[..., tuple[int, str]]) -> None:
    assert started("score", *EO, "--save", "run", "--workers", "2", TMPDIR="/nowhere") == (0, "")


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_closed_stream(started: Callable[..., tuple[int, str]], folder: Path, number: int) -> None:
    status, said = started("score", *EO, "--per-item", "rows.csv", before=lambda: os.close(number))
    assert status == (1 if number == 1 else 0)
    assert said == ("sema: the results cannot be written: Bad file descriptor\n" if number == 1 else "")
    assert len((folder / "rows.csv").read_text().splitlines()) == 4


FULL = """
import sys
def full(event, arguments):
    if event == EVENT and PART in str(arguments[0]):
        raise MemoryError
sys.addaudithook(full)
"""
"""What a process runs at its start so that its memory is full at a certain import or file."""


@pytest.mark.parametrize(
    ("event", "part"), [("import", "numpy"), ("import", "sema.scoring"), ("open", "source.txt"), ("open", "output.txt")]
)
def test_full_memory_is_one_line(
    started: Callable[..., tuple[int, str]], outside_package: Path, tmp_path: Path, event: str, part: str
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    code = FULL.replace("EVENT", repr(event)).replace("PART", repr(part))
    (site / "sitecustomize.py").write_text(code, encoding="utf-8")
    path = f"{site}{os.pathsep}{environment(outside_package)['PYTHONPATH']}"
    status, error = started("score", *EO, PYTHONPATH=path)
    assert status == 1
    is_one_line(error, "the memory is full")


@pytest.mark.stress
@pytest.mark.parametrize("megabytes", [300, 600])
def test_little_memory_is_one_line_or_enough(started: Callable[..., tuple[int, str]], megabytes: int) -> None:
    size = megabytes << 20
    status, error = started("score", *EO, before=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
    if status > 0:  # OpenBLAS first prints its own complaints about memory, and may end the process by a signal
        is_one_line("".join(line for line in error.splitlines(keepends=True) if not line.startswith("OpenBLAS")))
