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
        if "\0" in path:
            raise InputError("cannot name a file; check the name", file=path)
        self.path = path
        self._data: bytes | None = None
        self._identity: Identity | None = None
        with self._reading():
            if path == "-":
                self._data = sys.stdin.buffer.read()
            else:
                with open(path, "rb") as file:
                    self._identity = _identity(file)
                    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                        self._data = file.read()
        with self.open() as file:
            mark = file.read(3)
        if mark[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise InputError("is UTF-16; save it as UTF-8", file=path, line=1)
        self.start = 3 if mark == b"\xef\xbb\xbf" else 0
        """Where the text begins: after a byte order mark."""

    @contextmanager
    def open(self, place: int = 0) -> Iterator[BinaryIO]:
        """The file from byte ``place`` on.

        Raises:
            InputError: it cannot be read, or has changed.
        """
        with self._reading(), open(self.path, "rb") if self._data is None else io.BytesIO(self._data) as file:
            if self._data is None and _identity(file) != self._identity:
                raise InputError("was changed while it was read; start again", file=self.path)
            file.seek(place)
            yield file

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except IsADirectoryError as error:
            raise InputError("is a folder; name a file", file=self.path) from error
        except FileNotFoundError as error:
            raise InputError("there is no such file; check the name", file=self.path) from error
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"cannot be read: {reason}; check its permissions", file=self.path) from error


def _identity(file: BinaryIO) -> Identity:
    found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
