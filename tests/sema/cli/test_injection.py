"""Faults of the machine: full disks, vanishing files, closed streams, little memory.

One line, the right exit status, and nothing half-written under a final name.
"""

import os
import re
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sema.cli.arguments import Given, Target
from sema.cli.main import every_command, main
from sema.files.blocks import BLOCK
from sema.files.texts import open_column
from sema.scoring.scorer import Scorer
from tests.commands import EO, GOOD, environment, files, is_one_line, one_line, start, write
from tests.conftest import Run

# Writing

WRITERS = {
    "per_item": ["score", *EO, "--per-item", "rows.csv"],
    "save": ["score", *EO, "--save", "new-run"],
    "figure": ["compare", "run", "--samples", "20", "--figure", "scores.svg"],
    "averages": ["agreement", "rated.csv", "--raters", "one,two", "--item", "item", "--averages", "means.csv"],
    "write": ["forms", "likert", "-s", "source.txt", "-o", "output.txt", "--write", "page.html"],
    "output": ["report", "run", "-o", "report.html"],
    "to": ["parse", "--lang", "eo", "source.txt", "--to", "xml"],
    "html": ["scenes", "--lang", "eo", "source.txt", "--html", "scenes.html"],
    "plot": ["metaeval", "--ratings", "rated.csv", "--by", "one", "--metrics", "two", "--plot", "points.svg"],
    "svg": ["align", *EO, "--svg", "links"],
}
"""For every argument that names results a command that writes them."""
RATED = "item,one,two\n0,1,2\n1,2,3\n2,1,1\n"
NAMED = re.compile(r"^(write|draw|keep everything|where|folder for the files|the page)\b")


def test_every_argument_that_names_files_is_declared_and_if_they_are_results_has_a_case() -> None:
    """So that inputs are not written over; an argument without a value has no metavar."""
    targets = set()
    read = {"FILE", "SOURCE", "OUTPUT", "REFERENCE", "RUN", "DIR", "FOLDER", "RATINGS", "NBEST", "SUBMISSIONS"}
    for argument in (argument for command in every_command().values() for argument in command.arguments):
        kind, metavar = argument.options.get("type"), argument.options.get("metavar")
        declared = kind is not None and isinstance(kind, type) and issubclass(kind, Target)
        named = NAMED.match(argument.options["help"]) and metavar not in (None, "NAME")
        assert bool(named) == declared, argument.names
        assert metavar not in read or issubclass(kind, Given | Target), argument.names
        targets |= {argument.names[-1].strip("-").replace("-", "_")} if declared else set()
    assert targets == WRITERS.keys()


def test_only_what_is_read_is_not_written_over(sema: Run) -> None:
    """Whatever option had the name of a folder (``--lang eo``), and all files in a run's folder were."""
    for name in ("eo/source.txt", "eo/output.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        write(name, GOOD)
    score = ["score", "--lang", "eo", "-s", "eo/source.txt", "-o", "eo/output.txt"]
    assert sema(*score, "--save", "run").returncode == 0
    commands = [[*score, "--per-item", "eo/items.jsonl"], ["report", "run", "-o", "run/report.html"]]
    assert [sema(*command).returncode for command in commands * 2] == [0] * 4
    assert sema(*score, "--per-item", "eo/output.txt").returncode == 1


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """As on a disk with room for so many bytes of a file."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize(
    "arguments",
    [
        *(WRITERS[name] for name in ("per_item", "save", "averages", "write", "to", "html")),
        ["score", *EO, "--per-item", "rows.parquet"],
    ],
)
@pytest.mark.parametrize("size", [0, 60])
def test_a_full_disk_leaves_no_half_file(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], size: int
) -> None:
    write("rated.csv", RATED)
    written = Path(arguments[-1]) / {"new-run": "run.json", "xml": "00000.xml"}.get(arguments[-1], "")
    with largest_file(size):
        assert main(arguments) == 1
    is_one_line(capsys.readouterr().err, "cannot be written: File too large")
    assert not written.exists()
    assert not list(folder.rglob("*.new"))
    assert main(arguments) in (0, 1)  # an empty folder left behind does no harm
    assert written.exists()


@pytest.mark.parametrize("call", ["os.fsync", "sema.files.replacing.Path.replace"])
def test_a_failed_write_of_rows_loses_neither_the_table_nor_the_old_file(
    sema: Run, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    write("rows.csv", "old")
    before = files()
    monkeypatch.setattr(call, refuse)
    done = sema("score", *EO, "--per-item", "rows.csv")
    one_line(done, 1, "rows.csv: cannot be written: No space left on device")
    assert "· eo ·" in done.stdout and files() == before


def test_a_disk_that_fills_up_in_a_run_costs_no_chunk(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("source.txt", "output.txt"):
        write(name, GOOD * 100 + "La kato dormas. Li iras. Mi vidas domon.\n" * 300)
    given = ["score", *EO, "--metrics", "sema", "--save"]
    with largest_file(100_000):
        assert main([*given, "run"]) == 1
    is_one_line(capsys.readouterr().err, "run/", ".jsonl: cannot be written: File too large")
    assert (folder / "run" / "00000.jsonl").exists()
    assert main([*given, "run", "--resume"]) == main([*given, "whole"]) == 0
    assert files(folder / "run") == files(folder / "whole")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score", *EO, "--per-item", "x" * 300 + ".jsonl"], "cannot be written: "),
        (["score", *EO, "--per-item", "/proc/nothing.jsonl"], "cannot be written: "),
        (["explain", *EO, "--item", "9"], "0 to 2"),
    ],
)
def test_what_cannot_be_done_at_the_end_is_refused_before_scoring(
    sema: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("scored first")

    monkeypatch.setattr(Scorer, "score", never)
    one_line(sema(*arguments), 1, said)


@pytest.mark.stress
@pytest.mark.parametrize("name", WRITERS)
def test_files_are_finished_though_nobody_reads_standard_output(sema: Run, outside_package: Path, name: str) -> None:
    write("rated.csv", RATED)
    write("second.txt", GOOD.replace("iras", "venas"))
    assert sema("score", *EO, "-o", "second.txt", "--save", "run").returncode == 0
    before = files()
    process = start(*WRITERS[name], env=environment(outside_package))
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    process.stderr.close()
    assert process.wait() == 0
    cut = files()
    new = cut.keys() - before.keys()
    for path in new:
        Path(path).unlink()
    assert sema(*WRITERS[name]).returncode == 0
    whole = files()
    assert new and cut.keys() == whole.keys()
    assert name in ("html", "output", "write") or cut == whole, "pages contain the date"


# Reading


@pytest.mark.parametrize("suffix", ["txt", "csv"])
def test_a_file_that_changes_after_it_was_read_changes_nothing(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sema.files.blocks.IN_MEMORY", BLOCK)  # most is in a temporary file
    path, texts = tmp_path / f"many.{suffix}", [f"La kato {number}." for number in range(5 * BLOCK)]
    path.write_text("source\n" * (suffix != "txt") + "".join(f"{text}\n" for text in texts))
    column = open_column(str(path), "source")
    os.truncate(path, 10)
    path.unlink()
    assert list(column.values) == texts and column.values[2 : BLOCK + 2] == texts[2 : BLOCK + 2]
    assert column.lines[BLOCK] == BLOCK + (2 if suffix == "csv" else 1)


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


def test_neither_home_nor_a_place_for_temporary_files(started: Callable[..., tuple[int, str]]) -> None:
    assert started("score", *EO, "--save", "run", "--workers", "2", TMPDIR="/nowhere") == (0, "")


@pytest.mark.parametrize(
    ("before", "error"),
    [
        (lambda: os.close(0), ""),
        (lambda: os.close(1), "Bad file descriptor"),
        (lambda: os.close(2), ""),
        (lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), 1), "No space left on device"),
    ],
    ids=["no input", "no output", "no errors", "a full disk"],
)
def test_closed_and_full_streams_cost_no_file(
    started: Callable[..., tuple[int, str]], folder: Path, before: Callable[[], None], error: str
) -> None:
    said = f"sema: the results cannot be written: {error}\n" if error else ""
    assert started("score", *EO, "--per-item", "rows.csv", before=before) == (int(bool(error)), said)
    assert len((folder / "rows.csv").read_text().splitlines()) == 4


def stop_reading() -> None:
    """Make standard output a pipe that nobody reads, as after `| head`."""
    reading, writing = os.pipe()
    os.dup2(writing, 1)
    os.close(reading)


@pytest.mark.parametrize(
    "command", [("explain", "--worst", "3"), ("score", "--under", "101"), ("align",), ("compare",)]
)
def test_a_reader_that_stops_is_no_error(started: Callable[..., tuple[int, str]], command: tuple[str, ...]) -> None:
    outputs = ["-o", "short.txt"] if command == ("compare",) else []
    write("short.txt", GOOD)
    assert started(command[0], *EO, *outputs, *command[1:], before=stop_reading) == (0, "")


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
    started: Callable[..., tuple[int, str]], outside_package: Path, event: str, part: str
) -> None:
    write("sitecustomize.py", FULL.replace("EVENT", repr(event)).replace("PART", repr(part)))
    path = f"{Path.cwd()}{os.pathsep}{environment(outside_package)['PYTHONPATH']}"
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


# Signals at any moment, and workers that end with their command
