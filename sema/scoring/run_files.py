"""The files of a run on disk, and the contents of their lines.

``run.json`` is the head: everything that determines the numbers and, when the run is finished, the corpus scores. Each
chunk of items is a file, ``00000.jsonl`` and on. Its first line is about the chunk: the exact sums of its rows, and the
checksum of every other line. Then come a line for the texts of each item, a line for the scores and rows of each item
and system, and a line for the evidence of each item and system. Head and first lines have a checksum of themselves, so
whatever is read is what was written.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from secrets import token_hex
from typing import Any, Self

from sema.errors import InputError
from sema.metrics.base import Metric, option_values
from sema.model.text import Text
from sema.scoring.item_scores import ItemScore

FORMAT = 4
HEAD, LOCK, TEMPORARY = "run.json", ".lock", ".new"
CHECKSUM = "checksum"
MOST_BYTES = 1 << 28
"""The most that is read at once: a line of a file, or the whole of ``run.json``."""
_CHUNK_NAME = re.compile(r"\d{5,}\.jsonl")


def metric_names(head: Mapping[str, Any]) -> list[str]:
    """The names of a run's metrics, in the order of results."""
    return [entry["name"] for entry in head["metrics"]]


def chunk_name(number: int) -> str:
    """The name of a chunk's file."""
    return f"{number:05}.jsonl"


def is_run_file(name: str) -> bool:
    """Whether a run has files of that name."""
    return name == HEAD or bool(_CHUNK_NAME.fullmatch(name))


def chunk_count(head: Mapping[str, Any]) -> int:
    """How many chunks a run has."""
    return -(-int(head["items"]) // int(head["chunk"]))


class RunFolder:
    """The folder of a run, held open. Its files are opened relative to it and replaced atomically; links, devices,
    pipes and folders inside it are refused."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Self:
        self._number = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._number)

    def names(self) -> list[str]:
        """The names of its files, without the lock and temporary files."""
        names = os.listdir(self._number)
        return sorted(name for name in names if name != LOCK and not _is_temporary(name))

    def read_head(self) -> dict[str, Any]:
        """The contents of ``run.json``; an ``InputError`` if there is none, or it is damaged."""
        data = self.head_file()
        try:
            head = json.loads(data)
            if isinstance(head, dict) and head.get("format") == FORMAT:
                return _unsealed(data)
        except (ValueError, RecursionError) as error:
            raise damaged(self.path / HEAD) from error
        message = f"is not of format {FORMAT}; score again with this edition"
        raise InputError(message, file=self.path / HEAD)

    def head_file(self) -> bytes:
        """``run.json`` as it is; an ``InputError`` if there is none."""
        try:
            with self.open(HEAD) as file:
                return file.read(MOST_BYTES)
        except OSError as error:
            raise not_a_run(self.path) from error

    def write_head(self, head: Mapping[str, Any]) -> None:
        """Write ``run.json``."""
        self._write(HEAD, (json.dumps(_sealed(head), ensure_ascii=False, indent=1) + "\n").encode())

    def read_chunk(self, number: int) -> dict[str, Any] | None:
        """What the first line of a chunk's file says; ``None`` if the file is missing or damaged anywhere."""
        try:
            with self.open(chunk_name(number)) as file:
                about = _unsealed(file.readline(MOST_BYTES))
                intact = all(_checksum(file.readline(MOST_BYTES)) == checksum for checksum in about["lines"])
                return about if intact and about["chunk"] == number and not file.read(1) else None
        except InputError:
            raise
        except (FileNotFoundError, ValueError, RecursionError):
            return None

    def write_chunk(self, about: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> None:
        """Write a chunk's file: a line ``about`` it (``chunk`` is its number), then the rows."""
        lines = list(map(_line, rows))
        first = _line(_sealed({**about, "lines": list(map(_checksum, lines))}))
        self._write(chunk_name(about["chunk"]), first + b"".join(lines))

    def clear(self) -> None:
        """Remove the run's files; others stay."""
        for name in filter(is_run_file, self.names()):
            self._remove(name)

    def open(self, name: str) -> BufferedReader:
        """A file to read."""
        self._check(name)
        return open(name, "rb", opener=self._opened)

    def _write(self, name: str, data: bytes) -> None:
        """Write a file atomically: under a temporary name, flushed to disk, then renamed."""
        self._check(name)
        temporary = f".{name}.{token_hex(4)}{TEMPORARY}"
        try:
            with open(temporary, "xb", opener=self._opened) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, name, src_dir_fd=self._number, dst_dir_fd=self._number)
        finally:
            self._remove(temporary)
        with suppress(OSError):  # some file systems cannot
            os.fsync(self._number)

    def _remove(self, name: str) -> None:
        """Remove a file, if it exists; a link is removed, not its target."""
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._number)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder until the process ends, in any way, and remove the temporary files of writers that were
        killed; an ``InputError`` if another writer holds the lock."""
        import fcntl

        in_use = InputError("is being written by another process; wait for it", file=self.path)
        self._check(LOCK)
        with open(LOCK, "ab", opener=self._opened) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise in_use from error
            except OSError as error:
                message = "lies where no file can be locked; name a folder elsewhere"
                raise InputError(message, file=self.path) from error
            named = self._status(LOCK)
            if named is None or not os.path.samestat(os.fstat(file.fileno()), named):  # another writer has just ended
                raise in_use
            try:
                for name in filter(_is_temporary, os.listdir(self._number)):
                    self._remove(name)
                yield
            finally:
                with suppress(OSError):
                    self._remove(LOCK)

    def _check(self, name: str) -> None:
        """Refuse what is there but is not a plain file."""
        status = self._status(name)
        if status is not None and not stat.S_ISREG(status.st_mode):
            raise InputError("is not a plain file; take it out of the folder", file=self.path / name)

    def _status(self, name: str) -> os.stat_result | None:
        with suppress(FileNotFoundError):
            return os.stat(name, dir_fd=self._number, follow_symlinks=False)
        return None

    def _opened(self, name: str, flags: int) -> int:
        """Open a file of the folder; what took its place since it was checked is not followed or waited for."""
        return os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666, dir_fd=self._number)


def read_rows(folder: Path, number: int, lines: range) -> Iterator[dict[str, Any]]:
    """The rows in these lines of a chunk's file; number 0 is the line after the first."""
    path, place = folder / chunk_name(number), 1
    try:
        with RunFolder(folder) as opened, opened.open(path.name) as file:
            checksums = _unsealed(file.readline(MOST_BYTES))["lines"]
            for place, checksum in enumerate(checksums[: lines.stop], 2):
                line = file.readline(MOST_BYTES)
                if place - 2 in lines:
                    if _checksum(line) != checksum:
                        raise damaged(path, place)
                    yield json.loads(line)
    except InputError:
        raise
    except OSError as error:
        raise InputError("cannot be read; score again", file=path) from error
    except (ValueError, RecursionError) as error:
        raise damaged(path, place) from error


def damaged(path: Path, line: int | None = None) -> InputError:
    """The error for a damaged file of a run, or a damaged run."""
    return InputError("is damaged; score again", file=path, line=line)


def not_a_run(folder: str | Path) -> InputError:
    """The error for a folder without a run."""
    return InputError("is not the folder of a run (it has no run.json); name one that was saved", file=folder)


def _is_temporary(name: str) -> bool:
    return name.startswith(".") and name.endswith(TEMPORARY)


def _line(row: Any) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _checksum(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()[:16]


def _sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """An object with its checksum, in place of an earlier one."""
    plain = {key: value for key, value in content.items() if key != CHECKSUM}
    return {**plain, CHECKSUM: _checksum(_line(plain))}


def _unsealed(data: bytes) -> dict[str, Any]:
    """An object that was sealed; a ``ValueError`` if it has changed."""
    content = json.loads(data)
    if not isinstance(content, dict) or content != _sealed(content):
        raise ValueError("the checksum is another one")
    return content


def metric_options(metric: Metric) -> dict[str, object]:
    """All options of a metric as JSON."""
    return plain_options(option_values(metric))


def plain_options(values: Mapping[str, object]) -> dict[str, object]:
    """Options as JSON."""
    return {key: plain_value(value) for key, value in sorted(values.items())}


def plain_value(value: object) -> object:
    """A value as JSON; a metric is replaced by its name with its options, any other object by the name of its type."""
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, Metric):
        return value.full_name
    return str(value) if isinstance(value, Path) else type(value).__name__


def item_row(system: str, item: ItemScore) -> dict[str, Any]:
    """The row with the scores of an item of a system."""
    rows = {name: list(row) for name, row in item.rows.items()}
    errors = {name: error for name, error in item.errors.items() if name}
    return {"system": system, **item.to_dict(), "rows": rows, **({"errors": errors} if errors else {})}


def read_item(row: Mapping[str, Any]) -> ItemScore:
    """The item of a row that :func:`item_row` made."""
    rows = {name: tuple(values) for name, values in row["rows"].items()}
    errors = row.get("errors") or ({"": row["error"]} if "error" in row else {})
    return ItemScore(row["item"], read_scores(row["scores"]), rows, errors)


def read_scores(scores: Mapping[str, float | None]) -> dict[str, float]:
    """Scores from JSON: ``None`` becomes NaN."""
    return {name: float("nan") if value is None else value for name, value in scores.items()}


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
