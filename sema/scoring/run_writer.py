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
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from sema.errors import InputError, SemaWarning
from sema.files.replacing import replacing, sync_folder
from sema.metrics.base import Metric
from sema.scoring.engine import ChunkScores
from sema.scoring.item_scores import ItemScore, exact_parts, plain_scores
from sema.scoring.results import corpus_score
from sema.scoring.run_files import (
    CHUNKS,
    FILES,
    HEAD,
    LOCK,
    PARTS,
    ChunkEntry,
    item_row,
    json_line,
    read_chunks,
    read_head,
)

BLOCK = 1 << 20
EXISTS = "exists already; name a new folder, resume=True to finish the run in it, or overwrite=True to replace it"


def discard_run(folder: Path) -> None:
    """Remove a run's files from its folder and nothing else; do nothing if there is no run.

    Raises:
        InputError: the folder holds something other than a run.
    """
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    read_head(folder)
    for place in (folder / PARTS, folder):
        for name in (*FILES, CHUNKS, HEAD):
            (place / name).unlink(missing_ok=True)
    if (folder / PARTS).exists():
        (folder / PARTS).rmdir()


class RunWriter:
    """Writes a run's folder, which is locked against other writers.

    Args:
        folder: a new or empty folder, or, with ``resume``, one with the same run unfinished.
        head: the contents of ``run.json`` before there are scores.
        resume: continue an unfinished run.

    Raises:
        InputError: the folder holds something else, is in use, or cannot be written.
    """

    def __init__(self, folder: Path, head: Mapping[str, Any], *, resume: bool) -> None:
        self.folder, self.head, self.resume = folder, dict(head), resume
        self.finished = False
        self.done = 0
        """How many chunks are complete."""
        self._last = ChunkEntry(0, dict.fromkeys(FILES, 0), {}, 0, {})
        self._files: dict[str, BinaryIO] = {}
        self._lock: Any = None

    def __enter__(self) -> RunWriter:
        try:
            if self._holds_files() and not self.resume:
                raise InputError(EXISTS, file=self.folder)
            self.folder.mkdir(parents=True, exist_ok=True)
            self._take_lock()
            self._begin()
        except (NotADirectoryError, FileExistsError) as error:
            self._leave()
            raise InputError("is a file; name a folder", file=self.folder) from error
        except OSError as error:
            self._leave()
            raise self._unwritable(error) from error
        except ValueError as error:  # a NUL in the name
            self._leave()
            raise (
                error
                if isinstance(error, InputError)
                else InputError("cannot name a folder; check the name", file=self.folder)
            ) from error
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()

    def _leave(self) -> None:
        for file in self._files.values():
            with suppress(OSError):  # a full disk was reported already
                file.close()
        if self._lock is not None:
            if self.finished:
                (self.folder / LOCK).unlink(missing_ok=True)
            self._lock.release()

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"cannot be written: {error.strerror or error}", file=self.folder)

    def _holds_files(self) -> bool:
        """Whether the folder holds anything besides leftovers of a run that never started."""
        found = self.folder.iterdir() if self.folder.exists() else ()
        return any(path.name != LOCK and not path.name.startswith(f".{HEAD}.") for path in found)

    def _take_lock(self) -> None:
        """Lock the folder; the operating system releases the lock when the process ends, however it ends."""
        from filelock import FileLock, Timeout

        lock = FileLock(str(self.folder / LOCK))
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise InputError("is being written by another process; wait for it", file=self.folder) from error
        except NotImplementedError as error:
            raise InputError("lies where no file can be locked; name a folder elsewhere", file=self.folder) from error
        self._lock = lock

    def _begin(self) -> None:
        for left in self.folder.glob(f".{HEAD}.*"):
            left.unlink()
        if not self._holds_files():
            self._write_head(self.head)
        elif not self.resume:  # another process was faster
            raise InputError(EXISTS, file=self.folder)
        else:
            found = read_head(self.folder)
            self._check(found)
            if found["finished"]:
                if self._is_intact():
                    self._tidy()
                    return
                self._write_head(self.head)  # unfinished from here on, whatever happens
            self._recover()
            if found["finished"]:
                message = f"is damaged; items from number {self._last.end} on are scored again"
                warnings.warn(f"{self.folder}: {message}", SemaWarning, stacklevel=2)
        (self.folder / PARTS).mkdir(exist_ok=True)
        for name in (*FILES, CHUNKS):
            self._files[name] = self._part(name).open("ab")
        sync_folder(self.folder / PARTS)

    def _check(self, found: Mapping[str, Any]) -> None:
        """Refuse a run with other inputs or options; the error names what differs."""
        for key in ("inputs", "systems"):
            if found.get(key) != self.head[key]:
                raise InputError(f"is a run of other {key}; name another folder", file=self.folder)
        if found.get("signature") != self.head["signature"]:
            differing = _differing(str(found.get("signature")), self.head["signature"])
            raise InputError(
                f"is a run of other options, models or version ({differing}); name another folder", file=self.folder
            )
        for key in ("chunk", "select_references"):
            if found.get(key) != self.head[key]:
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

    def _is_intact(self) -> bool:
        """Whether a finished run's files have their recorded lengths and hashes."""
        sizes = self._whole_chunks(self.folder)
        return self._last.end == self.head["items"] and all(
            (self.folder / name).stat().st_size == size for name, size in sizes.items()
        )

    def _whole_chunks(self, folder: Path) -> dict[str, int]:
        """Count the chunks that are complete in a folder; returns where they end in each file."""
        self.done, self._last = 0, ChunkEntry(0, dict.fromkeys(FILES, 0), {}, 0, {})
        kept = 0
        if (folder / CHUNKS).exists():
            with (folder / CHUNKS).open("rb") as lines:
                for line in lines:
                    entry = _entry(line)
                    if entry is None or not self._is_whole(entry, folder):
                        break
                    kept += len(line)
                    self.done += 1
                    self._last = entry
        return {**self._last.ends, CHUNKS: kept}

    def _is_whole(self, entry: ChunkEntry, folder: Path) -> bool:
        """Whether a chunk's lines on disk match their recorded hashes."""
        for name in FILES:
            if not (folder / name).exists():
                return False
            found, start = hashlib.sha256(), self._last.ends[name]
            with (folder / name).open("rb") as file:
                file.seek(start)
                left = entry.ends[name] - start
                while left > 0 and (data := file.read(min(left, BLOCK))):
                    found.update(data)
                    left -= len(data)
            if left or found.hexdigest() != entry.sha256[name]:
                return False
        return True

    def write_chunk(self, systems: Sequence[str], scores: ChunkScores, texts: Iterable[Mapping[str, Any]]) -> None:
        """Write the next chunk and flush it to disk.

        Raises:
            InputError: it cannot be written; the chunks before it stay.
        """
        scored = [
            (name, item) for items in zip(*scores, strict=True) for name, item in zip(systems, items, strict=True)
        ]
        items, texts_, evidence = FILES
        data = {
            items: b"".join(json_line(item_row(name, item)) for name, item in scored),
            texts_: b"".join(map(json_line, texts)),
            evidence: b"".join(json_line({"system": name, **item.evidence()}) for name, item in scored),
        }
        entry = ChunkEntry(
            self._last.end + len(scores[0]),
            {name: self._last.ends[name] + len(written) for name, written in data.items()},
            {name: hashlib.sha256(written).hexdigest() for name, written in data.items()},
            sum(item.error is not None for _, item in scored),
            {name: _sums(column) for name, column in zip(systems, scores, strict=True)},
        )
        try:
            for name, written in {**data, CHUNKS: entry.line()}.items():
                file = self._files[name]
                file.write(written)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unwritable(error) from error
        self._last = entry
        self.done += 1

    def finish(self, metrics: Sequence[Metric]) -> None:
        """Compute the corpus scores from the chunks' sums, give the files their names, mark the run finished."""
        totals: dict[str, dict[str, list[list[float]]]] = {name: {} for name in self.head["systems"]}
        failed = 0
        for entry in read_chunks(self._part(CHUNKS)):
            failed += entry.failed
            for system, sums in entry.sums.items():
                for metric, columns in sums.items():
                    known = totals[system].setdefault(metric, [[] for _ in columns])
                    if len(known) != len(columns):
                        raise InputError(
                            f"{metric} returns {len(columns)} numbers for some items and {len(known)} for others; "
                            "correct the metric, and score into a new folder",
                            file=self.folder,
                        )
                    totals[system][metric] = [exact_parts(a + b) for a, b in zip(known, columns, strict=True)]
        scores = {
            system: plain_scores(
                {metric.name: corpus_score(metric, _row(sums.get(metric.name, []))) for metric in metrics}
            )
            for system, sums in totals.items()
        }
        try:
            for name, file in self._files.items():
                file.close()
                self._part(name).rename(self.folder / name)
            sync_folder(self.folder)
            self._write_head({**self.head, "finished": True, "failed": failed, "scores": scores})
            self._tidy()
        except OSError as error:
            raise self._unwritable(error) from error

    def _tidy(self) -> None:
        if (self.folder / PARTS).exists():
            (self.folder / PARTS).rmdir()
        self.finished = True

    def _part(self, name: str) -> Path:
        return self.folder / PARTS / name

    def _write_head(self, head: Mapping[str, Any]) -> None:
        with replacing(self.folder / HEAD) as file:
            file.write((json.dumps(head, ensure_ascii=False, indent=1) + "\n").encode())


def _entry(line: bytes) -> ChunkEntry | None:
    """The entry of a whole line of the manifest that says what was written."""
    try:
        entry = ChunkEntry(**json.loads(line)) if line.endswith(b"\n") else None
    except (ValueError, TypeError):
        return None
    return entry if entry is not None and entry.is_intact else None


def _sums(items: Sequence[ItemScore]) -> dict[str, list[list[float]]]:
    """The exact sums of some items' rows (:func:`sema.scoring.item_scores.exact_parts`)."""
    usable = [item.rows for item in items if item.error is None]
    return {
        name: [exact_parts(column) for column in zip(*(rows[name] for rows in usable), strict=True)]
        for name in (usable[0] if usable else ())
    }


def _row(columns: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(map(math.fsum, columns))


def _differing(there: str, here: str) -> str:
    """The parts of a signature that are not the same."""
    known = set(here.split("|"))
    found = [part for part in there.split("|") if part not in known]
    return f"there {'|'.join(found)}" if found else "here there is more"
