"""Writes a run so that killing it at any moment loses at most the current chunk.

While a run is under way its files lie in the folder ``parts`` and grow chunk by chunk: the lines first, brought to the
disk; then a line of the manifest, which says where they end and what they hash to. What stands after the manifest's
last whole line is thrown away on the way back. The finished files take their names last, and ``run.json`` after them.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sema.errors import InputError, Keyword, SemaWarning
from sema.files.replacing import replacing, sync_folder
from sema.metrics.base import Metric, Row
from sema.scoring.engine import ChunkScores
from sema.scoring.item_scores import ItemScore, count_scored, exact_parts, plain_scores
from sema.scoring.run_files import (
    CHUNKS,
    EVIDENCE,
    FILES,
    HEAD,
    ITEMS,
    LOCK,
    PARTS,
    TEXTS,
    chunk_line,
    item_row,
    json_line,
    metric_names,
    read_chunk,
    read_head,
    read_lines,
)

INSTEAD = (
    "name a new folder, ",
    Keyword("resume", "True"),
    " to finish the run in it, or ",
    Keyword("overwrite", "True"),
    " to replace it",
)


def discard_run(folder: Path) -> None:
    """Remove a run's files from its folder and nothing else; refuse a folder that holds something other than a run."""
    if not _holds_files(folder):
        return
    read_head(folder)
    for place in (folder / PARTS, folder):
        for name in (*FILES, CHUNKS, HEAD):
            (place / name).unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        (folder / PARTS).rmdir()


@contextmanager
def open_run(folder: Path, head: Mapping[str, Any], *, resume: bool, overwrite: bool = False) -> Iterator[RunWriter]:
    """The writer of a folder, which is locked against other writers.

    Args:
        folder: a new or empty folder, or, with ``resume``, one with the same run unfinished.
        head: the contents of ``run.json`` before there are scores.
        resume: continue an unfinished run.
        overwrite: replace the run that is there, once the folder is locked: one that is being written stays.

    Raises:
        InputError: the folder holds something else, is in use, or cannot be written.
    """
    from filelock import FileLock, Timeout

    writer = RunWriter(folder, head)
    with _naming(folder):
        if not (resume or overwrite) and _holds_files(folder):
            raise InputError("exists already", file=folder, remedy=INSTEAD)
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / LOCK)  # the operating system releases it when the process ends, however it ends
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise InputError("is being written by another process; wait for it", file=folder) from error
        except NotImplementedError as error:
            raise InputError("lies where no file can be locked; name a folder elsewhere", file=folder) from error
    try:
        with _naming(folder):
            if overwrite:
                discard_run(folder)
            writer.begin(resume=resume)
        yield writer
    finally:
        if writer.finished:
            (folder / LOCK).unlink(missing_ok=True)
        lock.release()


@contextmanager
def _naming(folder: Path) -> Iterator[None]:
    """Turn errors of the file system into errors that name the folder."""
    try:
        yield
    except InputError:
        raise
    except (NotADirectoryError, FileExistsError) as error:
        raise InputError("is a file; name a folder", file=folder) from error
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", file=folder) from error
    except ValueError as error:  # a NUL in the name
        raise InputError("cannot name a folder; check the name", file=folder) from error


def _holds_files(folder: Path) -> bool:
    """Whether the folder holds anything besides leftovers of a run that never started."""
    paths = folder.iterdir() if folder.exists() else ()
    return any(path.name != LOCK and not path.name.startswith(f".{HEAD}.") for path in paths)


NOTHING_WRITTEN: Mapping[str, Any] = {"end": 0, "ends": dict.fromkeys(FILES, 0)}


class RunWriter:
    """Writes a run's files chunk by chunk (:func:`open_run`).

    Attributes:
        finished: whether the run is complete.
        done: how many chunks are complete.
        last: the last of them.
    """

    def __init__(self, folder: Path, head: Mapping[str, Any]) -> None:
        self.folder, self.head = folder, dict(head)
        self.finished = False
        self.done, self.last = 0, NOTHING_WRITTEN

    def begin(self, *, resume: bool) -> None:
        """Start a run in an empty folder, or find the chunks that are complete."""
        for left in self.folder.glob(f".{HEAD}.*"):
            left.unlink()
        was_finished = False
        if not _holds_files(self.folder):
            self._write_head(self.head)
        elif not resume:  # another process was faster
            raise InputError("exists already", file=self.folder, remedy=INSTEAD)
        else:
            saved = read_head(self.folder)
            self._check(saved)
            was_finished = saved["finished"]
        if was_finished:
            if self._is_intact():
                self._tidy()
                return
            self._write_head(self.head)  # unfinished from here on, whatever happens
        self._recover()
        if was_finished:
            message = f"is damaged; items from number {self.last['end']} on are scored again"
            warnings.warn(f"{self.folder}: {message}", SemaWarning, stacklevel=2)

    def _check(self, saved: Mapping[str, Any]) -> None:
        """Refuse a run with other inputs or options; the error names what differs."""
        for key in ("inputs", "systems"):
            if saved.get(key) != self.head[key]:
                raise InputError(f"is a run of other {key}; name another folder", file=self.folder)
        if saved.get("signature") != self.head["signature"]:
            parts = _differing(str(saved.get("signature")), self.head["signature"])
            message = f"is a run of other options, models or version ({parts}); name another folder"
            raise InputError(message, file=self.folder)
        for key in ("chunk", "select_references"):
            if saved.get(key) != self.head[key]:
                raise InputError(f"is a run of another {key}; name another folder", file=self.folder)

    def _recover(self) -> None:
        """Find the complete chunks, and truncate the files after them."""
        (self.folder / PARTS).mkdir(exist_ok=True)
        for name in (*FILES, CHUNKS):
            if (self.folder / name).exists():  # it ended while the files took their names
                (self.folder / name).rename(self._part(name))
            self._part(name).touch()
        for name, size in self._whole_chunks(self.folder / PARTS).items():
            os.truncate(self._part(name), size)
        sync_folder(self.folder / PARTS)

    def _is_intact(self) -> bool:
        """Whether a finished run's files have their recorded lengths and hashes."""
        sizes = self._whole_chunks(self.folder)
        return self.last["end"] == self.head["items"] and all(
            (self.folder / name).stat().st_size == size for name, size in sizes.items()
        )

    def _whole_chunks(self, folder: Path) -> dict[str, int]:
        """Count the chunks that are complete in a folder; returns where they end in each file."""
        self.done, self.last, kept = 0, NOTHING_WRITTEN, 0
        with suppress(FileNotFoundError), (folder / CHUNKS).open("rb") as lines:
            for line in lines:
                chunk = read_chunk(line)
                if chunk is None or not self._is_whole(chunk, folder):
                    break
                kept += len(line)
                self.done += 1
                self.last = chunk
        return {**self.last["ends"], CHUNKS: kept}

    def _is_whole(self, chunk: Mapping[str, Any], folder: Path) -> bool:
        """Whether a chunk's lines on disk match their recorded hashes."""
        for name in FILES:
            path, start, end = folder / name, self.last["ends"][name], chunk["ends"][name]
            if not path.exists() or not start <= end <= path.stat().st_size:
                return False
            with path.open("rb") as file:
                file.seek(start)
                if hashlib.sha256(file.read(end - start)).hexdigest() != chunk["sha256"][name]:
                    return False
        return True

    def write_chunk(self, scores: ChunkScores, texts: Iterable[Mapping[str, Any]]) -> None:
        """Write the next chunk, the scores of every system and the rows of its texts, and flush it to disk."""
        systems, metrics = self.head["systems"], metric_names(self.head)
        scored = [
            (name, item) for items in zip(*scores, strict=True) for name, item in zip(systems, items, strict=True)
        ]
        data = {
            ITEMS: b"".join(json_line(item_row(name, item)) for name, item in scored),
            TEXTS: b"".join(map(json_line, texts)),
            EVIDENCE: b"".join(json_line({"system": name, **item.evidence()}) for name, item in scored),
        }
        chunk = {
            "end": self.last["end"] + len(scores[0]),
            "ends": {name: self.last["ends"][name] + len(written) for name, written in data.items()},
            "sha256": {name: hashlib.sha256(written).hexdigest() for name, written in data.items()},
            "failed": sum(item.error is not None for _, item in scored),
            "scored": {name: count_scored(column, metrics) for name, column in zip(systems, scores, strict=True)},
            "sums": {name: _sums(column) for name, column in zip(systems, scores, strict=True)},
        }
        with _naming(self.folder):
            for name, written in {**data, CHUNKS: chunk_line(chunk)}.items():
                with self._part(name).open("ab") as file:
                    file.write(written)
                    file.flush()
                    os.fsync(file.fileno())
        self.last = chunk
        self.done += 1

    def finish(self, metrics: Sequence[Metric]) -> None:
        """Compute the corpus scores from the chunks' sums, give the files their names, mark the run finished."""
        totals: dict[str, dict[str, list[list[float]]]] = {name: {} for name in self.head["systems"]}
        failed = 0
        counts = {name: Counter[str]() for name in self.head["systems"]}
        for row in read_lines(self._part(CHUNKS)):
            failed += row["failed"]
            for system, scored in row["scored"].items():
                counts[system].update(scored)
            for system, sums in row["sums"].items():
                for metric, columns in sums.items():
                    known = totals[system].setdefault(metric, [[] for _ in columns])
                    if len(known) != len(columns):
                        raise InputError(
                            f"{metric} returns {len(columns)} numbers for some items and {len(known)} for others; "
                            "correct the metric, and score into a new folder",
                            file=self.folder,
                        )
                    totals[system][metric] = [exact_parts(a + b) for a, b in zip(known, columns, strict=True)]
        scores = {}
        for system, sums in totals.items():
            rows = {name: tuple(map(math.fsum, columns)) for name, columns in sums.items()}
            scores[system] = plain_scores({each.name: each.corpus([rows.get(each.name, ())]) for each in metrics})
        with _naming(self.folder):
            for name in (*FILES, CHUNKS):
                self._part(name).rename(self.folder / name)
            sync_folder(self.folder)
            self._write_head({**self.head, "finished": True, "failed": failed, "scores": scores, "scored": counts})
            self._tidy()

    def _tidy(self) -> None:
        with suppress(FileNotFoundError):
            (self.folder / PARTS).rmdir()
        self.finished = True

    def _part(self, name: str) -> Path:
        return self.folder / PARTS / name

    def _write_head(self, head: Mapping[str, Any]) -> None:
        with replacing(self.folder / HEAD) as file:
            file.write((json.dumps(head, ensure_ascii=False, indent=1) + "\n").encode())


def _sums(items: Sequence[ItemScore]) -> dict[str, list[list[float]]]:
    """The exact sums of some items' rows (:func:`sema.scoring.item_scores.exact_parts`)."""
    rows: dict[str, list[Row]] = {}
    for item in items:
        for name, row in item.rows.items():
            rows.setdefault(name, []).append(row)
    return {name: [exact_parts(column) for column in zip(*own, strict=True)] for name, own in rows.items()}


def _differing(saved: str, current: str) -> str:
    """The parts of a signature that are not the same."""
    known = set(current.split("|"))
    other = [part for part in saved.split("|") if part not in known]
    return f"there {'|'.join(other)}" if other else "here there is more"
