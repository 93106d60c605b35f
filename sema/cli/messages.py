"""A command's standard streams, and its progress, errors, warnings and notes on standard error by verbosity."""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from datetime import timedelta
from time import monotonic
from types import SimpleNamespace
from typing import Any, TextIO, cast

from sema.analysis.texts import ProgressCallback
from sema.errors import SemaWarning
from sema.model.text import CONTROLS, visible
from sema.plugins import in_plugin

SHOWN_ERRORS, PROGRESS_SECONDS, FIRST_SECONDS = 10, 15, 5
loudness = SimpleNamespace(quiet=False, debug=False)
"""Of the command that runs: ``quiet`` leaves out warnings, notes and progress; ``debug`` adds tracebacks of errors."""


def to_json(value: object) -> str:
    """The value as one line of JSON with control characters escaped."""
    plain = json.dumps(value, ensure_ascii=False)
    return CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", plain)


def _tell(line: str) -> None:
    """Print a line on standard error; a closed pipe costs the message, not the results."""
    try:
        print(visible(line), file=sys.stderr, flush=True)
    except OSError:
        close_stream(sys.stderr)


def note(message: str) -> None:
    """Print a line that ``--quiet`` leaves out."""
    if not loudness.quiet:
        _tell(f"sema: {message}")


def warn(message: str) -> None:
    """Print a warning."""
    note(f"warning: {message}")


def trace(error: BaseException | None) -> None:
    """Print the traceback of an error, with ``--debug``."""
    if loudness.debug and error is not None:
        for line in "".join(traceback.format_exception(error)).splitlines():
            _tell(line)


def report_errors(errors: Sequence[str]) -> int:
    """Print one line for each of the first broken items; returns the exit status, 1 if there are any."""
    distinct = list(dict.fromkeys(errors))
    for error in distinct[:SHOWN_ERRORS]:
        _tell(f"sema: {error}")
    if len(distinct) > SHOWN_ERRORS:
        _tell(f"sema: … and {len(distinct) - SHOWN_ERRORS} more items could not be used")
    return 1 if errors else 0


@contextmanager
def library_warnings() -> Iterator[None]:
    """Print the library's warnings as lines of the command, each text once."""
    seen: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", SemaWarning)
        other = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: object) -> None:
            if not issubclass(category, SemaWarning):
                other(message, category, *place)  # type: ignore[arg-type]
            elif str(message) not in seen:
                seen.add(str(message))
                warn(str(message))

        warnings.showwarning = show  # type: ignore[assignment]
        yield


def open_streams() -> None:
    """Open all three standard streams as UTF-8, also where the caller closed one; writing to a closed output fails."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # Outputs are opened for reading, so that writing to them fails.
            number = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            setattr(sys, name, open(number, mode))  # noqa: SIM115 - for as long as the process runs
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


def close_stream(stream: TextIO) -> None:
    """Redirect a standard stream to the null device, so that nothing written to it later raises an error."""
    try:
        number = stream.fileno()
    except OSError:  # a stream without a file behind it
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)


@contextmanager
def files_first(writes_files: bool) -> Iterator[None]:
    """Buffer the block's output until it ends, so that its files are finished even if the reader stops early.

    Without ``writes_files`` lines go out as they come.
    """
    if not writes_files:
        yield
        return
    stream, held = sys.stdout, io.StringIO()
    held.isatty, held.fileno = stream.isatty, stream.fileno  # type: ignore[method-assign]
    try:
        with results_alone(held):
            yield
    finally:
        stream.write(held.getvalue())
        stream.flush()


@contextmanager
def results_alone(stream: TextIO) -> Iterator[None]:
    """Print the block's results to a stream; what plug-ins print goes to standard error."""
    with redirect_stdout(cast(TextIO, _Results(stream))):
        yield


class _Results:
    """Standard output; standard error for what plug-ins print."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr if in_plugin() else self._stream, name)


@contextmanager
def progress_bar(
    title: str, *, stopped: str = "nothing is kept", prints: bool = False, kept_by: int = 1
) -> Iterator[ProgressCallback]:
    """A progress bar on standard error for as long as the block runs; a line now and then if that is not a terminal.

    Ctrl-C prints the number of completed items, in whole multiples of ``kept_by``, and ``stopped``: what is
    kept, and how to continue. There is no bar if the block ``prints`` results to a terminal.
    """
    counts = (0, 0)
    with _shown(title, prints) as show:

        def tell(done: int, total: int) -> None:
            nonlocal counts
            counts = (done, total)
            show(done, total)

        try:
            yield tell
        except KeyboardInterrupt:
            kept = counts[0] if counts[0] == counts[1] else counts[0] // kept_by * kept_by
            done = f"{kept} of {counts[1]} items are done; {stopped}"
            raise KeyboardInterrupt(done if kept else "nothing is done yet") from None


@contextmanager
def _shown(title: str, prints: bool) -> Iterator[ProgressCallback]:
    if loudness.quiet or (prints and sys.stdout.isatty()):
        yield lambda done, total: None
    elif not sys.stderr.isatty():
        yield _progress_lines(title)
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        rate = TextColumn("{task.fields[rate]}")
        columns = (TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), rate, TimeRemainingColumn())
        # It is drawn when something is done: a thread that draws it would not survive a fork.
        with Progress(
            *columns,
            console=Console(stderr=True),  # heeds NO_COLOR and COLUMNS
            auto_refresh=False,
            speed_estimate_period=3600,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        ) as progress:
            task, start = progress.add_task(title, total=None, rate=""), monotonic()
            progress.refresh()

            def show(done: int, total: int) -> None:
                rate = f"{done / max(monotonic() - start, 0.001):.1f}/s"
                progress.update(task, completed=done, total=total, rate=rate, refresh=True)

            yield show


def _progress_lines(title: str) -> ProgressCallback:
    """For logs: how much is done, the rate and the time left, after ``FIRST_SECONDS``, then every ``PROGRESS_SECONDS``.

    Models load before the first items are done, so the rate is that of the items after these, once there are some.
    """
    start = monotonic()
    due, first = start + FIRST_SECONDS, (start, 0)

    def show(done: int, total: int) -> None:
        nonlocal due, first
        now = monotonic()
        since, before = first if done > first[1] else (start, 0)
        if not first[1]:
            first = now, done
        if now >= due and 0 < done < total:
            due = now + PROGRESS_SECONDS
            rate = (done - before) / max(now - since, 0.001)
            left = timedelta(seconds=round((total - done) / rate))
            note(f"{title}: {done} of {total}, {rate:.1f}/s, about {left} left")

    return show


def print_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table of texts."""
    from sema.display import terminal  # which loads rich

    terminal.print_columns(header, rows)
