"""Judges on disk: a folder with ``judge.json`` and ``arrays.npz``; reading executes no code from them.

``judge.json`` describes the judge and has the checksum of the arrays, which hold only numbers. Invalid contents (a
wrong checksum, a node that points outside its tree, a cycle in a tree) are rejected.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.errors import InputError, one_line
from sema.files.replacing import replacing
from sema.judges.model import Judge, JudgeScale, Linear, Trees
from sema.runtime.checksums import digest_of

FORMAT = 1
LARGEST = 64 << 20
"""The size limit of a file in bytes, packed or unpacked."""
INDEX, NUMBER = np.int32, np.float64
ARRAYS: Mapping[str, Mapping[str, Any]] = {
    "trees": {"roots": INDEX, "feature": INDEX, "left": INDEX, "right": INDEX, "threshold": NUMBER, "value": NUMBER},
    "linear": dict.fromkeys(("mean", "scale", "low", "high", "weights", "intercept"), NUMBER),
}
"""The arrays of each kind of part, with their types."""


def save_judge(judge: Judge, folder: Path) -> None:
    """Write a judge; the folder is made or its judge replaced; an ``InputError`` if it cannot be written."""
    arrays: dict[str, NDArray[Any]] = {}
    parts = []
    for number, (weight, part) in enumerate(judge.parts):
        kind = "trees" if isinstance(part, Trees) else "linear"
        arrays |= {f"{number}.{name}": np.asarray(getattr(part, name)) for name in ARRAYS[kind]}
        parts.append({"kind": kind, "weight": weight})
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]
    data = packed.getvalue()
    described = {
        "format": FORMAT,
        **{name: getattr(judge, name) for name in ("aspect", "language", "groups", "features")},
        "parts": parts,
        "scale": asdict(judge.scale),
        "about": dict(judge.about),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made a folder: {error.strerror or error}", file=folder) from error
    with replacing(folder / "arrays.npz") as file:
        file.write(data)
    with replacing(folder / "judge.json") as file:
        file.write((json.dumps(described, ensure_ascii=False, indent=1) + "\n").encode())


def load_judge(folder: Path) -> Judge:
    """Read a judge; an ``InputError`` that names the folder if there is none, it is damaged, or of another format."""
    try:
        described = json.loads(_content(folder / "judge.json"))
        if described["format"] != FORMAT:
            raise ValueError(f"not of format {FORMAT}")
        data = _content(folder / "arrays.npz")
        if hashlib.sha256(data).hexdigest() != described["sha256"]:
            raise ValueError("arrays.npz has another checksum than judge.json says")
        arrays = _arrays(data)
        features = tuple(map(str, described["features"]))
        parts = tuple(
            (float(entry["weight"]), _part(number, str(entry["kind"]), arrays, len(features)))
            for number, entry in enumerate(described["parts"])
        )
        scale = described["scale"]
        values, scores = (tuple(map(float, column)) for column in scale["points"])
        if len(values) != len(scores) or list(values) != sorted(values):
            raise ValueError("its scale does not ascend")
        low, high = map(float, scale["cuts"])
        return Judge(
            str(described["aspect"]),
            str(described["language"]),
            tuple(map(str, described["groups"])),
            features,
            parts,
            JudgeScale((values, scores), float(scale["slope"]), (low, high)),
            described.get("about", {}),
            digest_of(folder / "judge.json"),  # which has the checksum of the arrays
        )
    except (OSError, LookupError, TypeError, ValueError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        remedy = "name a folder that `sema judge train` wrote, or train it again"
        raise InputError(f"holds no judge that can be used ({one_line(error)}); {remedy}", file=folder) from error


def _content(path: Path) -> bytes:
    if path.is_file() and path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name} has more than {LARGEST >> 20} MB")
    return path.read_bytes()


def _arrays(data: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > LARGEST:
            raise ValueError(f"unpacked it has more than {LARGEST >> 20} MB")
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _part(number: int, kind: str, arrays: dict[str, NDArray[Any]], width: int) -> Trees | Linear:
    """A part of its arrays, all of which fit each other and the features; no path in a tree is a circle."""
    values: dict[str, Any] = {name: arrays[f"{number}.{name}"].astype(of)[()] for name, of in ARRAYS[kind].items()}
    if kind == "linear":
        line = Linear(**values)
        columns = (line.mean, line.scale, line.low, line.high, line.weights)
        if np.shape(line.intercept) or any(column.shape != (width,) for column in columns) or not all(line.scale > 0):
            raise ValueError("a linear part does not fit its features")
        return line
    trees = Trees(**values)
    size, inner = len(trees.feature), np.flatnonzero(trees.feature >= 0)
    children = np.stack([trees.left[inner], trees.right[inner]])
    fits = (
        all(len(column) == size for column in (trees.threshold, trees.left, trees.right, trees.value))
        and all(trees.feature < width)
        and all((trees.roots >= 0) & (trees.roots < size))
        and ((children > inner) & (children < size)).all()  # children come after their parents
        and np.isfinite(trees.value).all()
    )
    if not fits:
        raise ValueError("its trees point outside their nodes or features")
    return trees
