"""Whole files, read up to a bound: a name may lead to a device or a pipe that never ends."""

from __future__ import annotations

import gzip
import zlib
from os import PathLike
from typing import IO

from sema.errors import InputError

_GZIP = b"\x1f\x8b"
MOST = 1 << 30
"""The most bytes that are read of a file that must be in memory whole."""


def bounded(file: IO[bytes] | gzip.GzipFile, path: str | PathLike[str], most: int = MOST) -> bytes:
    """The rest of an open file; an ``InputError`` if it has more than ``most`` bytes."""
    data = file.read(most + 1)
    if len(data) > most:
        raise InputError(f"has more than {most >> 20} MB; divide it", file=path)
    return data


def text_content(path: str | PathLike[str], most: int = MOST) -> str:
    """The text of a UTF-8 file, gzipped or not, without a byte order mark; an ``InputError`` if it cannot be read."""
    try:
        with open(path, "rb") as file:
            packed = file.peek(len(_GZIP)).startswith(_GZIP)
            return bounded(gzip.GzipFile(fileobj=file) if packed else file, path, most).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}; check the name", file=path) from error
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 (byte {error.start}); save it as UTF-8", file=path) from error
