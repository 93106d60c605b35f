"""Faults of the machine: full disks, vanishing files, closed streams, little memory, signals at any moment.

One line, the right exit status, and nothing half-written under a final name.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sema.cli.main import main
from sema.errors import InputError
from sema.files import replacing as replacing_module
from sema.files.blocks import BLOCK
from sema.files.texts import open_column
from tests.conftest import ROOT

GOOD = "La kato dormas.\nMi vidas domon.\nLi iras.\n"
EO = ["--lang", "eo", "-s", "source.txt", "-o", "output.txt"]
Started = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def folder(outside_package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(outside_package))
    monkeypatch.chdir(tmp_path)
    for name in ("source.txt", "output.txt"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")
    return tmp_path


@pytest.fixture
def start(folder: Path, outside_package: Path) -> Started:
    """Run a command in a process with an environment of almost nothing."""

    def call(
        *arguments: str, before: Callable[[], None] | None = None, **more: str
    ) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join([str(ROOT), str(outside_package)])}
        return subprocess.run(
            [sys.executable, "-m", "sema", *arguments],
            cwd=folder,
            env=environment | more,
            capture_output=True,
            text=True,
            preexec_fn=before,
            timeout=300,
        )

    return call


def one_line(err: str, *parts: str) -> None:
    assert err.count("\n") == 1 and err.startswith("sema: "), err
    for part in parts:
        assert part in err


# Writing


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (["score", *EO, "--per-item", "new.csv"], "new.csv"),
        (["score", *EO, "--per-item", "new.parquet"], "new.parquet"),
        (["score", *EO, "--save", "new"], "new/run.json"),
        (["features", *EO, "--groups", "length", "--to", "new.csv"], "new.csv"),
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
    if arguments[0] == "features":
        names = [name for name in _groups(capsys) if name]
        arguments = [names[0] if part == "length" else part for part in arguments]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        status = main(arguments)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    err = capsys.readouterr().err
    assert status == 1
    one_line(err, "cannot be written: File too large")
    assert not (folder / written).exists()
    assert not list(folder.rglob("*.new"))
    assert main(arguments) in (0, 1)  # an empty folder that was made is in nobody's way
    assert (folder / written).exists()


def _groups(capsys: pytest.CaptureFixture[str]) -> list[str]:
    main(["features", "--lang", "eo", "--list"])
    return [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:] if not line.startswith(" ")]


def test_a_disk_that_fills_up_in_a_run_costs_no_chunk(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("source.txt", "output.txt"):
        (folder / name).write_text(GOOD * 300, encoding="utf-8")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
        assert main(["score", *EO, "--metrics", "sema", "--save", "run"]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    one_line(capsys.readouterr().err, "run: cannot be written: File too large")
    assert (folder / "run" / "parts" / "chunks.jsonl").stat().st_size
    assert not (folder / "run" / "items.jsonl").exists()
    assert main(["score", *EO, "--metrics", "sema", "--save", "run", "--resume"]) == 0
    assert main(["score", *EO, "--metrics", "sema", "--save", "whole"]) == 0
    for file in (folder / "whole").iterdir():
        assert file.read_bytes() == (folder / "run" / file.name).read_bytes()


@pytest.mark.parametrize("where", ["/proc/run", "source.txt/run", "source.txt", "/dev/full", "name\0"])
def test_where_no_run_can_be(folder: Path, capsys: pytest.CaptureFixture[str], where: str) -> None:
    assert main(["score", *EO, "--save", where]) == 1
    one_line(capsys.readouterr().err)


def test_a_failed_rename_leaves_the_old_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "rows.csv").write_text("old")

    def refuse(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(replacing_module.Path, "replace", refuse)
    assert main(["score", *EO, "--per-item", "rows.csv"]) == 1
    one_line(capsys.readouterr().err, "rows.csv: cannot be written: Input/output error")
    assert (folder / "rows.csv").read_text() == "old" and not list(folder.glob(".*"))


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


def test_neither_home_nor_a_place_for_temporary_files(start: Started) -> None:
    for workers in ("1", "2"):
        done = start("score", *EO, "--save", f"run{workers}", "--workers", workers, TMPDIR="/nowhere")
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_closed_stream(start: Started, folder: Path, number: int) -> None:
    done = start("score", *EO, "--per-item", "rows.csv", before=lambda: os.close(number))
    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert len((folder / "rows.csv").read_text().splitlines()) == 4


def test_a_reader_that_goes_away_is_no_error(folder: Path, outside_package: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(outside_package)])}
    process = subprocess.Popen(
        [sys.executable, "-m", "sema", "scenes", "--lang", "eo", "source.txt"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.wait(timeout=120) == 0
    assert process.stderr.read() == b""


@pytest.mark.parametrize("megabytes", [150, 300, 600])
def test_little_memory_is_one_line_or_enough(start: Started, megabytes: int) -> None:
    size = megabytes << 20
    done = start("score", *EO, before=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
    assert "Traceback" not in done.stderr
    if done.returncode:  # what OpenBLAS has to say of so little comes before
        own = [line for line in done.stderr.splitlines(keepends=True) if not line.startswith("OpenBLAS")]
        one_line("".join(own))


SIGNALS = int(os.environ.get("SEMA_SIGNALS", "12"))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_at_any_moment_is_one_line(folder: Path, outside_package: Path, how: signal.Signals) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(outside_package)])}
    arguments = [sys.executable, "-m", "sema", "score", *EO, "--metrics", "sema,sari", "-r", "output.txt", "--save"]

    def process(name: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*arguments, name, "--resume"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    began = time.monotonic()
    process("whole").communicate()
    usual = time.monotonic() - began
    chance = random.Random(5)
    for _ in range(SIGNALS // 2):
        started = process("run")
        time.sleep(chance.uniform(0.4, 1) * usual)  # not while Python itself starts, which has its own words for it
        started.send_signal(how)
        _, err = started.communicate(timeout=60)
        if started.returncode == 130 or err:
            one_line(err, "stopped")
        # without a word only when Python itself was starting or shutting down, which is stopped as any program is
        assert started.returncode in (0, 130, -how, -signal.SIGINT)
    assert process("run").wait(timeout=120) == 0
    for file in (folder / "whole").iterdir():
        assert file.read_bytes() == (folder / "run" / file.name).read_bytes()
