"""Training pairs as flat arrays of pieces, and batches of similar length that hold whole groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sema_reader.pieces import NO_TEXT, Cutter
from torch import Tensor

from training.reader.example import UNKNOWN, Example

LONGEST = 320
"""Pieces of a pair at most; longer pairs are left out."""
_STEP = 8
"""Lengths of batches are multiples of this."""
_WINDOW = 6000
"""Units that are sorted by length together."""
SCORES = ("meaning", "recall", "precision")
NUMBERS: Mapping[str, type] = {
    **dict.fromkeys(SCORES, np.float32), "output_entailed": np.int64, "source_entailed": np.int64,
    "similar": np.float32, "group": np.int64, "graded": np.float32, "weight": np.float32,
}  # fmt: skip
"""The labels of a pair that are single numbers."""
_FLAT: Mapping[str, Any] = {"ids": np.int32, "types": np.int8, "marks": np.int8, "labels": np.int8}
"""The columns of a piece: its id, its text (0 source, 1 output), its overlap mark, its label."""


@dataclass(frozen=True)
class Batch:
    """Padded arrays of a batch: (batch, pieces), and one number an example."""

    ids: Tensor
    types: Tensor
    marks: Tensor
    mask: Tensor
    labels: Tensor
    numbers: Mapping[str, Tensor]


@dataclass
class Pack:
    """All examples: flat arrays of pieces (:data:`_FLAT`), where each starts in them, its labels and its kind."""

    flat: dict[str, Tensor]
    starts: NDArray[np.int64]
    numbers: dict[str, Tensor]
    kinds: list[str]
    rows: list[int]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def to(self, device: str) -> Pack:
        """The same with its tensors on a device."""
        self.flat = {name: value.to(device) for name, value in self.flat.items()}
        self.numbers = {name: value.to(device) for name, value in self.numbers.items()}
        return self

    def batch(self, chosen: Sequence[int]) -> Batch:
        """The chosen examples, padded."""
        device = self.flat["ids"].device
        index = np.asarray(chosen)
        starts = torch.from_numpy(self.starts[index]).to(device)
        sizes = torch.from_numpy(self.starts[index + 1] - self.starts[index]).to(device)
        longest = int(sizes.max())
        longest += -longest % _STEP
        places = torch.arange(longest, device=device)[None]
        mask = places < sizes[:, None]
        where = (starts[:, None] + places).clamp(max=len(self.flat["ids"]) - 1)
        rows = torch.from_numpy(index).to(device)

        def padded(name: str, empty: int) -> Tensor:
            values = self.flat[name][where]
            return torch.where(mask, values, torch.tensor(empty, dtype=values.dtype, device=device)).long()

        return Batch(
            padded("ids", 1), padded("types", 0), padded("marks", 0), mask.float(), padded("labels", UNKNOWN),
            {name: values[rows] for name, values in self.numbers.items()},
        )  # fmt: skip


def encode(cutter: Cutter, examples: Sequence[Example], longest: int = LONGEST) -> Pack:
    """Examples in pieces; those with more than ``longest`` are left out."""
    arrays: dict[str, list[NDArray[Any]]] = {name: [] for name in _FLAT}
    kept = []
    begin, end, none = [cutter.begin], [cutter.end], [UNKNOWN]
    for place, one in enumerate(examples):
        (source, first_at), (output, second_at) = cutter.of_string(one.source), cutter.of_string(one.output)
        if not source or not output or len(source) + len(output) + 3 > longest:
            continue
        first, second = cutter.overlap(source, output)
        columns = {
            "ids": [*begin, *source, *end, *output, *end],
            "types": [0] * (len(source) + 2) + [1] * (len(output) + 1),
            "marks": [NO_TEXT, *first, NO_TEXT, *second, NO_TEXT],
            "labels": [
                *none, *_of_pieces(one.source, first_at, one.source_labels), *none,
                *_of_pieces(one.output, second_at, one.output_labels), *none,
            ],
        }  # fmt: skip
        for name, kind in _FLAT.items():
            arrays[name].append(np.array(columns[name], kind))
        kept.append(place)
    return Pack(
        {name: torch.from_numpy(np.concatenate(arrays[name])) for name in _FLAT},
        np.concatenate([[0], np.cumsum([len(one) for one in arrays["ids"]])]),
        {
            name: torch.from_numpy(np.array([getattr(examples[place], name) for place in kept], kind))
            for name, kind in NUMBERS.items()
        },
        [examples[place].kind for place in kept],
        kept,
    )


def _of_pieces(text: str, starts: Sequence[int], labels: Sequence[int]) -> list[int]:
    """The label of each piece: the highest of its characters, spaces aside."""
    if not labels:
        return [UNKNOWN] * len(starts)
    ends = [*starts[1:], len(text)]
    return [
        max((labels[at] for at in range(start, max(end, start + 1)) if not text[at].isspace()), default=UNKNOWN)
        for start, end in zip(starts, ends, strict=True)
    ]


def units(pairs: Pack, copies: Mapping[str, float], rng: np.random.Generator) -> list[list[int]]:
    """The examples by group, so that a batch holds whole groups; each is repeated by its kind; in random order."""
    groups: dict[int, list[int]] = defaultdict(list)
    alone = []
    for place, group in enumerate(pairs.numbers["group"].tolist()):
        if group:
            groups[group].append(place)
        else:
            alone.append([place])
    drawn = []
    for unit in [*alone, *groups.values()]:
        often = copies.get(pairs.kinds[unit[0]], 1.0)
        drawn += [unit] * (int(often) + int(rng.random() < often % 1))
    return [drawn[place] for place in rng.permutation(len(drawn))]


def batches(pairs: Pack, groups: list[list[int]], most: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Batches of units of similar length, each of at most ``most`` pieces with padding."""
    sizes = np.diff(pairs.starts)
    for start in range(0, len(groups), _WINDOW):
        window = sorted(
            ((int(sizes[unit].max()), unit) for unit in groups[start : start + _WINDOW]), key=lambda one: one[0]
        )
        made: list[list[int]] = [[]]
        for longest, unit in window:
            padded = longest + -longest % _STEP
            if made[-1] and (len(made[-1]) + len(unit)) * padded > most:
                made.append([])
            made[-1] = made[-1] + unit
        for place in rng.permutation(len(made)):
            yield made[place]
