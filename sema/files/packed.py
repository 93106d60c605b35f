"""Unpacks compressed files, and names the kind of files that are not text."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from sema.errors import InputError
from sema.runtime.contents import MOST

_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError, RuntimeError)
"""Exceptions of the standard library for damaged files, unsupported methods and missing passwords."""


def _only_member(data: IO[bytes]) -> IO[bytes]:
    archive = zipfile.ZipFile(data)
    # macOS adds hidden files: .DS_Store, and for each file one of its own in __MACOSX.
    members = [
        info
        for info in archive.infolist()
        if not info.is_dir() and not info.filename.rpartition("/")[2].startswith(".")
    ]
    if len(members) != 1:
        raise InputError(f"holds {len(members)} files; unpack it and name the one that is meant")
    return archive.open(members[0])


OPENERS: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zip": _only_member,
}
"""How files are unpacked, by suffix."""

WIDE = "UTF-16; save it as UTF-8"
KINDS = {
    b"\x1f\x8b\x08": "a gzip file; give it the suffix .gz, or unpack it",
    b"BZh91AY&SY": "a bzip2 file; give it the suffix .bz2, or unpack it",
    b"\xfd7zXZ\x00": "an xz file; give it the suffix .xz, or unpack it",
    b"PK\x03\x04": "a zip file, as Word's and Excel's files are, too; unpack it, or save the texts as UTF-8",
    b"PAR1": "a Parquet file; give it the suffix .parquet",
    b"%PDF-": "a PDF file; save its texts as UTF-8",
    b"\xff\xfe": WIDE,
    b"\xfe\xff": WIDE,
}
"""The kind of a file that is not text, with advice, by its first bytes."""


def unpacked_name(path: str) -> str:
    """A file's name without the suffix of a compression."""
    return path[: -len(Path(path).suffix)] if Path(path).suffix.lower() in OPENERS else path


def unpacked(data: bytes, path: str) -> bytes:
    """The content of a compressed file; an ``InputError`` if it is damaged, too large, or has several files."""
    try:
        with OPENERS[Path(path).suffix.lower()](BytesIO(data)) as file:
            content: bytes = file.read(MOST + 1)
    except InputError as error:
        raise InputError(error.message, file=path) from error
    except _BROKEN as error:
        raise InputError(f"cannot be unpacked: {error}; unpack it yourself", file=path) from error
    if len(content) > MOST:
        raise InputError(f"unpacks to more than {MOST >> 30} GB; unpack it, and name what it holds", file=path)
    return content


def no_text(head: bytes) -> str | None:
    """The kind of a file that is not UTF-8 text, with advice, by its first bytes; ``None`` if it may be text."""
    kind = next((kind for mark, kind in KINDS.items() if head.startswith(mark)), None)
    return WIDE if kind is None and head.count(0) > len(head) / 3 else kind
