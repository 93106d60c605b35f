"""The files of a run on disk, and the contents of their lines.

``run.json`` is the head: everything that determines the numbers and, when the run is finished, the corpus scores. Each
chunk of items is a file, ``00000.jsonl`` and on, written whole and renamed. Its first line is about the chunk: its
number, the digest of its run, and the exact sums of its rows. Then come three lines for each item, in three sections:
the texts of all items, then their scores and rows by system, then their evidence by system. The head and each chunk
have a checksum, so whatever is read is what was written.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sema.errors import InputError
from sema.files.replacing import is_temporary, replacing
from sema.model.text import Text

FORMAT = 6
HEAD, LOCK = "run.json", ".lock"
CHECKSUM = "checksum"
MOST_BYTES = 1 << 31
"""The largest file that is read."""
_CHUNK_NAME = re.compile(r"\d{5,}\.jsonl")


class Damaged(InputError):
    """A file of a run is missing, cut, changed, or another run's."""

    def __init__(self, path: Path) -> None:
        super().__init__("is damaged; score again", file=path)


def chunk_path(folder: Path, number: int) -> Path:
    """A chunk's file."""
    return folder / f"{number:05}.jsonl"


def is_run_file(name: str) -> bool:
    """Whether a run has files of that name."""
    return name == HEAD or bool(_CHUNK_NAME.fullmatch(name))


def names_in(folder: Path) -> list[str]:
    """The names in a folder, without the lock and temporary files."""
    return sorted(name for name in os.listdir(folder) if name != LOCK and not is_temporary(name))


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder until the process ends, in any way, and remove the temporary files of writers that were killed.

    Raises:
        InputError: another writer holds the lock.
    """
    import fcntl

    with open(folder / LOCK, "ab", opener=_plain_file) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError("is being written by another process; wait for it", file=folder) from error
        except OSError as error:
            raise InputError("lies where no file can be locked; name a folder elsewhere", file=folder) from error
        for name in filter(is_temporary, os.listdir(folder)):
            (folder / name).unlink(missing_ok=True)
        yield


def read_file(path: Path) -> bytes:
    """A run's file as it is; an ``InputError`` if it is a link, device, pipe or folder, or too large."""
    with open(path, "rb", opener=_plain_file) as file:
        if os.fstat(file.fileno()).st_size > MOST_BYTES:
            raise Damaged(path)
        return file.read()


def _plain_file(path: str, flags: int) -> int:
    """Open a plain file; anything else in its place is not followed or waited for."""
    try:
        number = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
        if stat.S_ISREG(os.fstat(number).st_mode):
            return number
        os.close(number)
    except OSError as error:
        if isinstance(error, PermissionError):
            raise InputError(f"cannot be read: {error.strerror}; check its permissions", file=path) from error
        if error.errno not in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise
    raise InputError("is not a plain file; take it out of the folder", file=path)


@contextmanager
def intact(path: Path) -> Iterator[None]:
    """Turn whatever the reading of damaged or forged content raises into :class:`Damaged`."""
    try:
        yield
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError) as error:
        raise Damaged(path) from error


def read_head(folder: Path) -> dict[str, Any]:
    """The contents of ``run.json``; an ``InputError`` if there is none, or it is damaged."""
    try:
        data = read_file(folder / HEAD)
    except (OSError, ValueError) as error:
        raise error if isinstance(error, InputError) else not_a_run(folder) from error
    with intact(folder / HEAD):
        head: dict[str, Any] = json.loads(data)
        if head["format"] != FORMAT:
            raise InputError(f"is not of format {FORMAT}; score again with this edition", file=folder / HEAD)
        _check(head)
        return head


def write_head(folder: Path, head: Mapping[str, Any]) -> None:
    """Write ``run.json``."""
    with replacing(folder / HEAD) as file:
        file.write((json.dumps(_sealed(head), ensure_ascii=False, indent=1) + "\n").encode())


def read_chunk(folder: Path, number: int, run: str) -> tuple[dict[str, Any], list[bytes]]:
    """The first line of a chunk of that run, as an object, and the other lines; :class:`Damaged` if it is not whole."""
    path = chunk_path(folder, number)
    with intact(path):
        first, _, body = read_file(path).partition(b"\n")
        about: dict[str, Any] = json.loads(first)
        _check(about, body)
        if (about["chunk"], about["run"]) != (number, run):
            raise Damaged(path)
        return about, body.splitlines()


def write_chunk(folder: Path, about: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a chunk's file: a line ``about`` it (``chunk`` is its number, ``run`` its run's digest), then the rows."""
    body = b"".join(map(_line, rows))
    with replacing(chunk_path(folder, about["chunk"])) as file:
        file.write(_line(_sealed(about, body)) + body)


def not_a_run(folder: str | Path) -> InputError:
    """The error for a folder without a run."""
    return InputError("is not the folder of a run (it has no run.json); name one that was saved", file=folder)


def _line(row: Any) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _sealed(content: Mapping[str, Any], body: bytes = b"") -> dict[str, Any]:
    """An object with the checksum of itself and what follows it, in place of an earlier one."""
    plain = {key: value for key, value in content.items() if key != CHECKSUM}
    return {**plain, CHECKSUM: hashlib.sha256(_line(plain) + body).hexdigest()}


def _check(content: dict[str, Any], body: bytes = b"") -> None:
    """Raise a ``ValueError`` if an object that was sealed, or what follows it, has changed."""
    if content != _sealed(content, body):
        raise ValueError("the checksum is another one")


def plain(text: object) -> Any:
    """A text as JSON: a string, its sentences, or ``{"sentences": [[token, …], …]}`` if it came tokenized.

    ``None`` stands for what is no text.
    """
    if isinstance(text, Text):
        return {"sentences": [list(words) for words in text.sentence_words]}
    if isinstance(text, str):
        return text.encode("utf-8", "replace").decode()
    return list(map(plain, map(str, text))) if isinstance(text, Sequence) else None


def plain_text(text: Any) -> str:
    """A text that :func:`plain` made, as one string; empty if it could not be read."""
    if isinstance(text, Mapping):
        return " ".join(" ".join(words) for words in text["sentences"])
    return text if isinstance(text, str) else " ".join(text or ())
