"""What the networks know words, characters and tags by: numbers, and the vectors of a dictionary."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ABOUT, DICTIONARY = "models.json", "dictionary.npz"
WORDS, VECTORS = "words", "vectors"
"""The entries of a dictionary: its words in JSON, in the order of their rows, and their vectors in half precision."""
PAD, UNKNOWN, EMPTY, ROOT = range(4)
"""The first four numbers of every vocabulary but the tokenizer's."""
FIRST = 4
"""The first number of a real entry."""
QUESTIONS = re.compile(r"[?？︖﹖⁇][?？︖﹖⁇!！︕﹗‼]+")
EXCLAMATIONS = re.compile(r"[!！︕﹗‼][?？︖﹖⁇!！︕﹗‼]+")


def described(folder: Path, processor: str) -> Mapping[str, Any]:
    """The options (``config``) and vocabularies (``vocab``) of one of the models in a folder."""
    found: Mapping[str, Any] = json.loads((folder / ABOUT).read_text(encoding="utf-8"))[processor]
    return found


class Units:
    """Numbers of units (words, characters); unknown units have one number in common."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        self._numbers = {unit: number for number, unit in enumerate(state["_id2unit"])}
        self._lower = bool(state.get("lower"))
        self._unknown = self._numbers["<UNK>"]
        self._ignored = frozenset(state.get("ignore") or ())

    def number(self, unit: str) -> int:
        """The number of a unit."""
        if unit in self._ignored:
            return EMPTY
        return self._numbers.get(unit.lower() if self._lower else unit, self._unknown)


class Tags:
    """Tags of numbers. A number that stands for no tag gives the empty string, and so does ``_``."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        self.names: list[str] = list(state["_id2unit"])
        if state.get("ignore"):
            self.names[EMPTY] = "_"

    def shown(self, number: int) -> str:
        """The tag as a word of Stanza's has it."""
        name = self.names[number]
        return "" if name == "_" else name


class Features:
    """UD's features: one number for each feature, :data:`EMPTY` where a word has none of its values."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        self._values: dict[str, list[str]] = dict(state["_id2unit"])

    def shown(self, numbers: Sequence[int]) -> str:
        """The column of CoNLL-U, empty where a word has no feature."""
        pairs = zip(self._values.items(), numbers, strict=True)
        return "|".join(f"{name}={values[number]}" for (name, values), number in pairs if number != EMPTY)


class Dictionary:
    """Words with vectors, which tagger and parser share; the tokenizer knows the words."""

    def __init__(self, units: Sequence[str], vectors: NDArray[np.float16]) -> None:
        """``units``: the special ones, then the words."""
        self.units, self.words, self.vectors = units, units[FIRST:], vectors
        self._units = Units({"_id2unit": units})

    def number(self, word: str) -> int:
        """The row of a word's vector."""
        return self._units.number(word.lower().replace(" ", "\xa0"))


@lru_cache(maxsize=4)
def dictionary(folder: Path) -> Dictionary:
    """The dictionary in a folder of models, one for each process."""
    with np.load(folder / DICTIONARY, allow_pickle=False) as archive:
        return Dictionary(json.loads(archive[WORDS].tobytes()), archive[VECTORS])


def simplified(word: str) -> str:
    """A run of question or exclamation marks as the models know it: one mark."""
    if QUESTIONS.fullmatch(word):
        return "?"
    return "!" if EXCLAMATIONS.fullmatch(word) else word
