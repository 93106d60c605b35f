"""Atomic writing: a file is replaced completely or left unchanged."""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from sema.errors import InputError, UsageError

NEW = ".new"  # the suffix of files that are not yet whole


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A temporary file that replaces ``path`` when the block ends; after any error the old file is unchanged."""
    temporary = _temporary(path)
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        _sync(path.parent)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)


def check_writable(target: str | Path) -> None:
    """Raise an ``InputError``, before long work, if no file or folder can be made at ``target`` (or above it)."""
    place = Path(target)
    try:
        folder = next(above for above in (place, *place.parents) if above.is_dir())
        probe = _temporary(folder / (place.name or "target"))
        probe.touch()
        probe.unlink()
    except (OSError, ValueError) as error:
        raise unwritable(target, error) from error


def check_file(path: str | Path, contents: str, suffixes: Collection[str]) -> None:
    """Raise an error, before long work, if no file can be made at ``path`` or it has none of the ``suffixes``.

    A mistyped name would replace a text. ``contents`` says in the plural what goes into such a file.
    """
    target = Path(path)
    if target.suffix.lower() not in suffixes:
        raise UsageError(f"{contents} go to {', '.join(suffixes)}; name such a file", file=path)
    check_writable(target)
    if target.is_dir():
        raise InputError("is a folder; name a file", file=path)
    if not target.parent.is_dir():
        raise InputError(f"cannot be written: there is no folder {str(target.parent)!r}; make it first", file=path)


def unwritable(target: str | Path, error: Exception) -> InputError:
    """The error for a file or folder that cannot be written."""
    reason = getattr(error, "strerror", None) or error
    return InputError(f"cannot be written: {reason}; name another place", file=target)


def _sync(folder: Path) -> None:
    """Flush a folder's names to disk, where supported, so that they survive a power cut."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _temporary(path: Path) -> Path:
    """A name beside ``path`` that no other thread or process uses; long names are cut, so that one more fits."""
    return path.with_name(f".{path.name[:50]}.{secrets.token_hex(8)}{NEW}")


def is_temporary(name: str) -> bool:
    """Whether files of that name are left of writers that were killed."""
    return name.startswith(".") and name.endswith(NEW)


def refuse_inputs(targets: Iterable[str | Path], inputs: Iterable[str | Path]) -> None:
    """Raise an ``InputError`` if one of ``targets`` is one of ``inputs``, under any name."""
    read = [path for path in inputs if os.path.exists(path)]
    for target in targets:
        if os.path.exists(target) and any(os.path.samefile(target, path) for path in read):
            raise InputError("is one of the input files; name another file for the results", file=target)
