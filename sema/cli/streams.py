"""Standard output and standard error of a command: whatever becomes of them, the files of a command are finished."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO


def open_streams(*, own_process: bool) -> None:
    """Open all three standard streams as UTF-8, also where the caller closed one.

    With ``own_process`` standard error drops what it cannot write: a closed pipe costs messages, not results.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - for as long as the process runs
    if own_process:
        sys.stderr = io.TextIOWrapper(io.BufferedWriter(_Forgiving(sys.stderr)), line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


class _Forgiving(io.FileIO):
    """The file behind a stream; it drops what it cannot write."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream.fileno(), "wb", closefd=False)
        self._stream = stream  # which would close the file, were it not kept

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


class _Held(io.StringIO):
    """Text on its way to a stream, which it resembles."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()


@contextmanager
def files_first(writes_files: bool) -> Iterator[None]:
    """Hold back what the block prints until it ends: its files are finished before anybody can stop reading.

    Without ``writes_files`` lines go out as they come.
    """
    if not writes_files:
        yield
        return
    stream = sys.stdout
    held = _Held(stream)
    try:
        with redirect_stdout(held):
            yield
    finally:
        stream.write(held.getvalue())
        stream.flush()


def close_output() -> None:
    """Send the rest of standard output nowhere, so that nothing complains at the end of the process."""
    try:
        number = sys.stdout.fileno()
    except OSError:  # a stream without a file behind it
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)
