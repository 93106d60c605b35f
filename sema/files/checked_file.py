"""A file's bytes, which can be opened repeatedly and are checked to be the same each time."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from sema.errors import InputError

Identity = tuple[int, int, int, int]


class CheckedFile:
    """A file read in parts; input that can be read only once (standard input, a pipe) is kept in memory.

    Args:
        path: the file; ``-`` is standard input.

    Raises:
        InputError: it cannot be read, or is UTF-16.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._data: bytes | None = None
        self._identity: Identity | None = None
        with self._reading():
            if path == "-":
                self._data = sys.stdin.buffer.read()
            else:
                with open(path, "rb") as file:
                    found = os.fstat(file.fileno())
                    self._identity = _identity(found)
                    if not stat.S_ISREG(found.st_mode):
                        self._data = file.read()
        with self.open() as file:
            mark = file.read(3)
        if mark[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise InputError("is UTF-16; save it as UTF-8", file=path, line=1)
        self.start = 3 if mark == b"\xef\xbb\xbf" else 0
        """Where the text begins: after a byte order mark."""

    @contextmanager
    def open(self, place: int | None = None) -> Iterator[BinaryIO]:
        """The file from byte ``place`` on (default: from its beginning).

        Raises:
            InputError: it cannot be read, or has changed.
        """
        with self._reading():
            if self._data is not None:
                file: BinaryIO = io.BytesIO(self._data)
            else:
                file = open(self.path, "rb")  # noqa: SIM115 - closed below
                if _identity(os.fstat(file.fileno())) != self._identity:
                    file.close()
                    raise InputError("was changed while it was read; start again", file=self.path)
            with file:
                file.seek(place or 0)
                yield file

    def read(self) -> bytes:
        """All of it, without a byte order mark."""
        with self.open(self.start) as file:
            return file.read()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except InputError:
            raise
        except IsADirectoryError as error:
            raise InputError("is a folder; name a file", file=self.path) from error
        except FileNotFoundError as error:
            raise InputError("there is no such file; check the name", file=self.path) from error
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"cannot be read: {reason}; check its permissions", file=self.path) from error
        except ValueError as error:  # a NUL in the name
            if "null" not in str(error):
                raise
            raise InputError("cannot name a file; check the name", file=self.path) from error


def _identity(found: os.stat_result) -> Identity:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
