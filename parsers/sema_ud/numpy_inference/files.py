"""Stanza's models as packages ship them: NumPy's archives, which are read without torch and are a quarter as large.

A matrix is held in whole numbers of 8 bits with a scale for each row of its last axis, and in fewer steps than 8 bits
have where that changes nothing: then a wheel packs it smaller. All other numbers are in half precision.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
ABOUT, WEIGHTS, SCALES = "about", "weights/", "scales/"
"""The entry of an archive that says what is no array, in JSON; what its arrays' names begin with."""
NUMBERS, UNITS = "_unit2id", "_id2unit"
"""The two directions of a vocabulary of Stanza's."""
ROW = 16
"""Shorter rows are in half precision: their scales would be as large as what they save."""


class Unsupported(Exception):
    """The model is of another architecture or format than this package runs."""


@dataclass(frozen=True)
class ModelFile:
    """A model of Stanza's: its options, its weights in single precision by name, its vocabularies by name."""

    config: Mapping[str, Any]
    weights: Mapping[str, Floats]
    vocab: Mapping[str, Any]
    rest: Mapping[str, Any] = field(default_factory=dict)
    """What else the file says (the parser's ``model_type``)."""

    def require(self, **options: object) -> None:
        """Raise :class:`Unsupported` unless the options have these values; one that is absent counts as false."""
        for name, value in options.items():
            found = self.config.get(name)
            if (found or None) != (value or None):
                raise Unsupported(f"{name} is {found!r}")


def write_model(path: Path, model: ModelFile, *, steps: int | None) -> None:
    """Write a model.

    ``steps``: how many steps, at most 127, a matrix has on either side of 0; None: it is in half precision too.
    """
    arrays: dict[str, Any] = {}
    for name, numbers in model.weights.items():
        if steps and numbers.ndim > 1 and numbers.shape[-1] >= ROW:
            scales = (np.abs(numbers).max(-1, keepdims=True) / steps).astype(np.float16)
            exact = np.divide(numbers, scales, out=np.zeros_like(numbers), where=scales != 0)
            arrays[SCALES + name] = scales
            arrays[WEIGHTS + name] = np.clip(np.rint(exact), -127, 127).astype(np.int8)
        else:
            arrays[WEIGHTS + name] = numbers.astype(np.float16)
    about = {"config": model.config, "vocab": _without_numbers(model.vocab), "rest": model.rest}
    text = json.dumps(about, ensure_ascii=False).encode()
    np.savez(path, **{ABOUT: np.frombuffer(text, np.uint8), **arrays})


def read_model(path: Path) -> ModelFile:
    """A tokenizer, tagger or parser, or the dictionary that they share.

    Raises:
        Unsupported: it is no such file.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            about = json.loads(archive[ABOUT].tobytes())
            names = [name.removeprefix(WEIGHTS) for name in archive.files if name.startswith(WEIGHTS)]
            weights = {name: archive[WEIGHTS + name].astype(np.float32) for name in names}
            for name in names:
                if SCALES + name in archive.files:
                    weights[name] *= archive[SCALES + name].astype(np.float32)
        return ModelFile(about["config"], weights, _with_numbers(about["vocab"]), about["rest"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        raise Unsupported(f"{path.name} cannot be read ({error})") from error


def _without_numbers(state: Mapping[str, Any]) -> dict[str, Any]:
    """Vocabularies without the numbers that the order of their units gives."""
    found = {key: _without_numbers(value) if isinstance(value, dict) else value for key, value in state.items()}
    if isinstance(state.get(UNITS), list) and state.get(NUMBERS) == _numbers(state[UNITS]):
        del found[NUMBERS]
    return found


def _with_numbers(state: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: _with_numbers(value) if isinstance(value, dict) else value for key, value in state.items()}
    units: Any = found.get(UNITS)
    if isinstance(units, list) and NUMBERS not in found:
        found[NUMBERS] = _numbers(units)
    return found


def _numbers(units: list[str]) -> dict[str, int]:
    return {unit: number for number, unit in enumerate(units)}
