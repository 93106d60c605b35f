"""Writing a file so that it is there whole, or as it was before."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from sema.errors import InputError


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name, and the place of a file of that name, when the block has ended well.

    Raises:
        InputError: it cannot be written (no permission, the disk is full); the old file is left as it was.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", file=path) from error
    finally:
        temporary.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Bring a folder's names to the disk, where the system can do that: a power cut does not undo them."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        except OSError as error:
            if error.errno != errno.EINVAL:  # a file system that does this by itself, or never
                raise
        finally:
            os.close(number)


def refuse_inputs(targets: Iterable[str | Path], inputs: Iterable[str | Path]) -> None:
    """Refuse to write over a file that is being read, by whatever name it is called.

    Raises:
        InputError: one of ``targets`` is one of ``inputs``.
    """
    read = {found for path in inputs if (found := _identity(path)) is not None}
    for target in targets:
        if _identity(target) in read:
            raise InputError("is one of the input files; name another file for the results", file=target)


def _identity(path: str | Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino
