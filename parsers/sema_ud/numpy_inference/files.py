"""Stanza's model files (``torch.save``, both of its formats) read without torch.

Nothing in a file is executed: of all names in its pickle only those of tensors, storages, ordered dicts and bytes are
known.
"""

from __future__ import annotations

import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
STORAGES = {
    "DoubleStorage": np.dtype("<f8"),
    "FloatStorage": np.dtype("<f4"),
    "HalfStorage": np.dtype("<f2"),
    "LongStorage": np.dtype("<i8"),
    "IntStorage": np.dtype("<i4"),
    "ByteStorage": np.dtype("u1"),
    "BoolStorage": np.dtype("?"),
}


class Unsupported(Exception):
    """The model is of another architecture or format than this package runs."""


@dataclass(frozen=True)
class ModelFile:
    """A model of Stanza's: its options, its weights in single precision by name, its vocabularies by name."""

    config: Mapping[str, Any]
    weights: Mapping[str, Floats]
    vocab: Mapping[str, Any]
    rest: Mapping[str, Any]
    """Whatever else the file holds (the tokenizer's ``lexicon``)."""

    def require(self, **options: object) -> None:
        """Raise :class:`Unsupported` unless the options have these values; one that is absent counts as false."""
        for name, value in options.items():
            found = self.config.get(name)
            if (found or None) != (value or None):
                raise Unsupported(f"{name} is {found!r}")


@dataclass(frozen=True)
class _Tensor:
    """A tensor's place in a storage, until the storages are read."""

    storage: tuple[np.dtype[Any], str]
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def array(self, content: bytes) -> NDArray[Any]:
        kind = self.storage[0]
        flat = np.frombuffer(content, kind)
        steps = tuple(step * kind.itemsize for step in self.strides)
        return np.lib.stride_tricks.as_strided(flat[self.offset :], self.shape, steps, writeable=False)


def _tensor(storage: Any, offset: int, shape: Any, strides: Any, *_: object) -> _Tensor:
    return _Tensor(storage, offset, tuple(shape), tuple(strides))


def _bytes(text: str, _: str) -> bytes:
    """Bytes, which pickle's second protocol writes as Latin-1."""
    return text.encode("latin-1")


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("_codecs", "encode"):
            return _bytes
        if module == "torch._utils" and name in {"_rebuild_tensor", "_rebuild_tensor_v2"}:
            return _tensor
        if module == "torch" and name in STORAGES:
            return STORAGES[name]
        raise Unsupported(f"{module}.{name} in a model file")

    def persistent_load(self, pid: Any) -> Any:
        if pid[0] != "storage":
            raise Unsupported(f"{pid[0]!r} in a model file")
        return pid[1], str(pid[2])


def read(path: Path) -> dict[str, Any]:
    """What a file holds, tensors as arrays.

    Raises:
        Unsupported: it is no such file, or holds other things.
    """
    try:
        with path.open("rb") as file:
            if file.read(2) == b"PK":
                return _read_zip(file)
            file.seek(0)
            return _read_legacy(file)
    except (OSError, ValueError, KeyError, IndexError, TypeError, EOFError, pickle.UnpicklingError) as error:
        raise Unsupported(f"{path.name} cannot be read ({error})") from error
    except zipfile.BadZipFile as error:
        raise Unsupported(f"{path.name} is damaged") from error


def _read_zip(file: IO[bytes]) -> dict[str, Any]:
    with zipfile.ZipFile(file) as archive:
        (index,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
        root = index.removesuffix("data.pkl")
        with archive.open(index) as content:
            found = _Unpickler(content).load()
        return _filled(found, lambda key: archive.read(f"{root}data/{key}"))


def _read_legacy(file: IO[bytes]) -> dict[str, Any]:
    for _ in range(3):  # a magic number, the format's version, the machine's
        _Unpickler(file).load()
    found = _Unpickler(file).load()
    keys = _Unpickler(file).load()
    sizes = {tensor.storage[1]: tensor.storage[0].itemsize for tensor in _tensors(found)}
    storages = {}
    for key in keys:
        count = int.from_bytes(file.read(8), "little")
        storages[key] = file.read(count * sizes[key])
    return _filled(found, storages.__getitem__)


def _tensors(found: Any) -> Iterable[_Tensor]:
    if isinstance(found, _Tensor):
        yield found
    elif isinstance(found, dict):
        for value in found.values():
            yield from _tensors(value)


def _filled(found: Any, content: Callable[[str], bytes]) -> dict[str, Any]:
    """The dictionary with every tensor in place of its description."""
    if not isinstance(found, dict):
        raise Unsupported("the file holds no dictionary")

    def fill(value: Any) -> Any:
        if isinstance(value, _Tensor):
            return value.array(content(value.storage[1]))
        return {key: fill(one) for key, one in value.items()} if isinstance(value, dict) else value

    return {key: fill(value) for key, value in found.items()}


def read_model(path: Path) -> ModelFile:
    """A tokenizer, tagger or parser."""
    found = read(path)
    missing = {"config", "model", "vocab"} - found.keys()
    if missing or not all(isinstance(found[name], dict) for name in ("config", "model", "vocab")):
        raise Unsupported(f"{path.name} is no model of Stanza's")
    if any(not isinstance(value, np.ndarray) for value in found["model"].values()):
        raise Unsupported(f"{path.name} holds several models")
    weights = {name: np.ascontiguousarray(value, np.float32) for name, value in found["model"].items()}
    rest = {name: value for name, value in found.items() if name not in {"config", "model", "vocab"}}
    return ModelFile(found["config"], weights, found["vocab"], rest)
