"""What figures were made with: digests of the weights, tables and data that their run has read.

    python -m benchmarks.made_with

names every run whose weights are not today's, or are not known, or whose command is gone; if the data are present, also
every run whose data have changed. ``make results`` marks the figures of such runs in all documents, and ``make lint``
fails if a mark is missing.

While a benchmark records, an audit hook notes the files that Python opens. Model files are among them even where ONNX
Runtime reads them, since their sums are checked before. What other programs read is not seen, so a run that starts any
counts as having read all weights.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sema.datasets.folder import data_path
from sema.runtime.checksums import RECORD as SUMS
from sema.runtime.checksums import sha256

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "benchmarks" / "results" / "made_with.json"
PACKAGES = ("parsers", "lexicons", "apps", "sema")
FOLDERS = {"weights", "tables", "data"}
"""Folders of packages with the files that, besides code, decide a figure."""
SHOWN = {SUMS, "figures.json"}
"""Files in them that decide nothing: checksums, and figures for people to read."""
DIGITS = 12
WORKERS = {"loky.process_executor", "ray"}
"""Modules that start processes without an audit event."""
OLDER, UNKNOWN, GONE = "older weights", "weights not recorded", "its command is gone"
_MODULE = re.compile(r"python -m (benchmarks[\w.]*)")

Entry = dict[str, Any]
"""``weights``: digests by file, from the project's folder; ``data``: digests by folder, from the data folder."""


class Opened:
    """The files that this process has opened since :meth:`watch`, and whether it has started other programs."""

    def __init__(self) -> None:
        self._paths: set[str] = set()
        """Not yet sorted; most files that a process opens are code."""
        self._weights: set[Path] = set()
        self._data: set[Path] = set()
        self._programs = self._watched = False
        self._loaded = WORKERS & sys.modules.keys()
        """Modules that something else loaded before the run."""

    def watch(self) -> None:
        """Begin; an audit hook stays until the process ends."""
        if not self._watched:
            self._watched = True
            sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | os.PathLike):
            self._paths.add(os.fspath(arguments[0]))
        elif event in ("subprocess.Popen", "os.fork", "os.posix_spawn", "os.exec"):
            self._programs |= event != "subprocess.Popen" or arguments[0] != "git"

    def entry(self) -> Entry:
        """The digests of the opened files."""
        data = data_path().resolve()
        while self._paths:
            path = Path(self._paths.pop()).resolve()
            if _decides(path):
                self._weights.add(path)
            elif path.is_relative_to(data) and path.is_file():
                self._data.add(path.parent)
        if self._programs or (WORKERS & sys.modules.keys()) - self._loaded:
            self._weights.update(_all_weights())
        return {
            "weights": {path.relative_to(ROOT).as_posix(): _digest(path) for path in sorted(self._weights)},
            "data": {folder.relative_to(data).as_posix(): folder_digest(folder) for folder in sorted(self._data)},
        }


def _decides(path: Path) -> bool:
    if not path.is_file() or not path.is_relative_to(ROOT) or path.name in SHOWN:
        return False
    top, *parts = path.relative_to(ROOT).parts
    return top in PACKAGES and bool(FOLDERS & set(parts)) and path.suffix not in (".py", ".pyc", ".md")


def _all_weights() -> set[Path]:
    return {path for name in PACKAGES for path in (ROOT / name).rglob("*") if _decides(path)}


@cache
def _digest(path: Path) -> str:
    return sha256(path)[:DIGITS] if path.is_file() else "absent"


@cache
def folder_digest(folder: Path) -> str:
    """One digest of the names and contents of all files in a folder."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.glob("*") if path.is_file()):
        digest.update(f"{path.name}\0{sha256(path)}\0".encode())
    return digest.hexdigest()[:DIGITS]


def read(file: Path = FILE) -> dict[str, Entry]:
    """What each run was made with, by the run's name."""
    entries: dict[str, Entry] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return entries


def write(entries: Mapping[str, Entry], file: Path = FILE) -> None:
    lines = (f"{json.dumps(run)}: {json.dumps(entry, sort_keys=True)}" for run, entry in sorted(entries.items()))
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def stale(runs: Iterable[str], entries: Mapping[str, Entry], root: Path = ROOT) -> dict[str, tuple[str, str]]:
    """The runs whose command is gone, or whose weights are not today's or not known: which of the three, and the
    weights that differ."""
    found = {}
    for run in dict.fromkeys(runs):
        entry = entries.get(run)
        module = _MODULE.search(run)
        place = root.joinpath(*module[1].split(".")) if module else root
        if not (place.is_dir() or place.with_suffix(".py").is_file()):
            found[run] = GONE, ""
        elif entry is None:
            found[run] = UNKNOWN, ""
        elif changed := [name for name, digest in entry["weights"].items() if _digest(root / name) != digest]:
            found[run] = OLDER, ", ".join(changed)
    return found


def other_data(runs: Iterable[str], entries: Mapping[str, Entry], data: Path) -> dict[str, list[str]]:
    """The folders of data that each run has read and that are there and differ."""
    found: dict[str, list[str]] = {}
    for run in dict.fromkeys(runs):
        for name, digest in entries.get(run, {}).get("data", {}).items():
            if (data / name).is_dir() and folder_digest(data / name) != digest:
                found.setdefault(run, []).append(name)
    return found


def main() -> None:
    """Name the runs whose figures are to be measured again before a release."""
    from benchmarks.records import read_records

    entries, counts = read(), Counter(record.run for record in read_records().values())
    for run, (kind, what) in stale(counts, entries).items():
        print(f"{kind}{f' ({what})' if what else ''}: {counts[run]} figures of {run}")
    for run, folders in other_data(counts, entries, data_path()).items():
        print(f"other data ({', '.join(folders)}): {counts[run]} figures of {run}")


if __name__ == "__main__":
    main()
