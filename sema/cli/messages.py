"""What commands say on standard error: errors, warnings, notes and progress, as loud as the user asked for."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sema.display.visible import visible
from sema.errors import SemaWarning

SHOWN_ERRORS = 10


@dataclass
class Loudness:
    """``quiet`` leaves out warnings, notes and progress; ``debug`` adds the tracebacks of errors."""

    quiet: bool = False
    debug: bool = False


loudness = Loudness()
"""Of the command that runs."""


def fail(message: str, status: int) -> int:
    """Print why a command ends; returns ``status``."""
    print(f"sema: {visible(message)}", file=sys.stderr)
    return status


def note(message: str) -> None:
    """Print a line that ``--quiet`` leaves out."""
    if not loudness.quiet:
        print(f"sema: {visible(message)}", file=sys.stderr, flush=True)


def warn(message: str) -> None:
    """Print a warning."""
    note(f"warning: {message}")


def trace(error: BaseException | None) -> None:
    """Print the traceback of an error, if the user debugs."""
    if loudness.debug and error is not None:
        for line in "".join(traceback.format_exception(error)).splitlines():
            print(visible(line), file=sys.stderr)


def report_errors(errors: Sequence[str]) -> None:
    """Print one line for each broken item, the first ones."""
    distinct = list(dict.fromkeys(errors))
    for error in distinct[:SHOWN_ERRORS]:
        print(f"sema: {visible(error)}", file=sys.stderr)
    if len(distinct) > SHOWN_ERRORS:
        print(f"sema: … and {len(distinct) - SHOWN_ERRORS} more items could not be used", file=sys.stderr)


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
