"""Checks the files shipped with a package against their recorded SHA-256."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import Path

from sema.errors import ResourceError

DIGITS = 12
"""Hexadecimal digits of a SHA-256 that a signature shows."""
RECORD = "SHA256.json"
"""The file of a folder that holds the sums: ``{name: SHA-256 in hexadecimal}``."""


def sha256(file: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


@lru_cache(maxsize=256)
def _known(file: Path, size: int, changed: int) -> str:
    return sha256(file)


NOTES = (".md", ".py", ".pyc")
"""Suffixes of files beside data that do not affect the numbers."""


def digest_of(*places: Path) -> str:
    """Twelve digits for files, or all files below folders, in a signature: of one file the first of its SHA-256."""
    sums: dict[str, str] = {}
    for place in places:
        files = [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())
        for file in files:
            if file == place or not (file.suffix in NOTES or file.name.startswith(".")):
                known = file.stat()
                name = file.name if file == place else file.relative_to(place).as_posix()
                sums[f"{len(sums)} {name}"] = _known(file, known.st_size, known.st_mtime_ns)
    whole = next(iter(sums.values())) if len(sums) == 1 else hashlib.sha256(json.dumps(sums).encode()).hexdigest()
    return whole[:DIGITS]


def short_digest(contents: Iterable[str]) -> str:
    """Twelve digits that stand for texts, one after the other, in a signature."""
    digest = hashlib.sha256()
    for content in contents:
        digest.update(content.encode("utf-8", "replace") + b"\0")
    return digest.hexdigest()[:DIGITS]


def write_sums(folder: Path, names: Iterable[str]) -> None:
    """Record the sums of a folder's files."""
    sums = {name: sha256(folder / name) for name in names}
    (folder / RECORD).write_text(json.dumps(sums, indent=1) + "\n", encoding="utf-8")


def recorded(folder: Path, what: str) -> dict[str, str]:
    """The recorded sums of a folder's files; ``what`` names them in errors ("parser weights")."""
    try:
        sums: dict[str, str] = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResourceError(f"no {what} in {folder}: reinstall the package, or train them") from error
    return sums


def checked(folder: Path, what: str, names: Collection[str] | None = None) -> str:
    """A digest of a folder's files, or those of some names; a ``ResourceError`` if one is not as recorded."""
    sums = recorded(folder, what)
    if unknown := [name for name in names or () if name not in sums]:
        raise ResourceError(
            f"{folder} has no {unknown[0]} in its record: reinstall the package, or train its {what} again"
        )
    chosen = {name: sums[name] for name in names or sums}
    for name, wanted in chosen.items():
        try:
            digest = sha256(folder / name)
        except OSError as error:
            raise ResourceError(f"{folder / name} is missing or cannot be read: reinstall the package") from error
        if digest != wanted:
            raise ResourceError(f"{folder / name} is damaged (not the recorded SHA-256): reinstall the package")
    return hashlib.sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()[:DIGITS]
