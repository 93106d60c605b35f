"""Stanza's vocabularies: numbers of words, characters and tags, and tags of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sema_ud.numpy_inference.files import Unsupported

PAD, UNKNOWN, EMPTY, ROOT = range(4)
"""The first four numbers of every vocabulary but the tokenizer's."""
FIRST = 4
"""The first number of a real entry."""


class Units:
    """Numbers of units (words, characters); unknown units have one number in common."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        self._numbers: dict[str, int] = state["_unit2id"]
        self._lower = bool(state.get("lower"))
        self._unknown: int = self._numbers["<UNK>"]
        self._ignored = frozenset(state.get("ignore") or ())

    def number(self, unit: str) -> int:
        """The number of a unit."""
        if unit in self._ignored:
            return EMPTY
        return self._numbers.get(unit.lower() if self._lower else unit, self._unknown)


class Tags:
    """Tags of numbers. A number that stands for no tag gives the empty string."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        if not isinstance(state["_id2unit"], list):
            raise Unsupported("tags of several parts")
        self.names: list[str] = list(state["_id2unit"])
        if state.get("ignore"):
            self.names[EMPTY] = "_"

    def shown(self, number: int) -> str:
        """The tag as a word of Stanza's has it: ``_`` counts as none."""
        name = self.names[number]
        return "" if name == "_" else name


class Features:
    """UD's features: one number for each feature, :data:`EMPTY` where a word has none of its values."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        if not state.get("keyed") or state.get("sep") != "|":
            raise Unsupported("features that are written otherwise")
        self._values: dict[str, list[str]] = dict(state["_id2unit"])

    def __len__(self) -> int:
        return len(self._values)

    def shown(self, numbers: Sequence[int]) -> str:
        """The column of CoNLL-U, empty where a word has no feature."""
        pairs = zip(self._values.items(), numbers, strict=True)
        return "|".join(f"{name}={values[number]}" for (name, values), number in pairs if number != EMPTY)
