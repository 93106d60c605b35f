"""The folder of a run: files are opened relative to it, never through links, and replaced atomically."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from secrets import token_hex
from typing import Self

from sema.errors import InputError

LOCK, TEMPORARY = ".lock", ".new"
MOST_BYTES = 1 << 28
"""The most that is read at once: a line of a file, or the whole of ``run.json``."""


class RunFolder:
    """A folder that is held open; links, devices, pipes and folders inside it are refused."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Self:
        self._number = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._number)

    def names(self) -> list[str]:
        """The names of its files, without the lock and temporary files."""
        return sorted(name for name in os.listdir(self._number) if not _is_passing(name))

    def _check(self, name: str) -> None:
        """Refuse what is not a plain file."""
        if not stat.S_ISREG(os.stat(name, dir_fd=self._number, follow_symlinks=False).st_mode):
            raise InputError("is not a plain file; take it out of the folder", file=self.path / name)

    @contextmanager
    def open(self, name: str) -> Iterator[BufferedReader]:
        """A file to read."""
        self._check(name)
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, dir_fd=self._number), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # replaced since it was checked
                raise InputError("is not a plain file; take it out of the folder", file=self.path / name)
            yield file

    def write(self, name: str, data: bytes) -> None:
        """Write a file atomically: under a temporary name, flushed to disk, then renamed."""
        with suppress(FileNotFoundError):
            self._check(name)
        temporary = f".{name}.{token_hex(4)}{TEMPORARY}"
        try:
            with os.fdopen(self._made(temporary, os.O_EXCL), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, name, src_dir_fd=self._number, dst_dir_fd=self._number)
        finally:
            self.remove(temporary)
        with suppress(OSError):  # some file systems cannot
            os.fsync(self._number)

    def _made(self, name: str, flags: int) -> int:
        flags |= os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        return os.open(name, flags, 0o666, dir_fd=self._number)

    def remove(self, name: str) -> None:
        """Remove a file, if it exists; a link is removed, not its target."""
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._number)

    def tidy(self) -> None:
        """Remove the temporary files of writers that were killed."""
        for name in filter(_is_passing, os.listdir(self._number)):
            if name != LOCK:
                self.remove(name)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder until the process ends, in any way; an ``InputError`` if another writer holds the lock."""
        import fcntl

        in_use = InputError("is being written by another process; wait for it", file=self.path)
        with suppress(FileNotFoundError):
            self._check(LOCK)
        with os.fdopen(self._made(LOCK, 0), "rb+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise in_use from error
            except OSError as error:
                message = "lies where no file can be locked; name a folder elsewhere"
                raise InputError(message, file=self.path) from error
            if not self._is_named(file.fileno()):  # another writer has just ended
                raise in_use
            try:
                yield
            finally:
                with suppress(OSError):
                    self.remove(LOCK)

    def _is_named(self, number: int) -> bool:
        """Whether an open file is still the folder's lock."""
        with suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(number), os.stat(LOCK, dir_fd=self._number, follow_symlinks=False))
        return False


def _is_passing(name: str) -> bool:
    return name == LOCK or (name.startswith(".") and name.endswith(TEMPORARY))
