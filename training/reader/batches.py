"""Training pairs as flat arrays of pieces, and batches of alike length that hold whole groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sema_reader.pieces import NO_TEXT, Cutter, Pieces
from sema_reader.windows import LOGITS
from torch import Tensor

from training.reader.example import UNKNOWN

LONGEST = 224
"""Pieces of a pair at most; longer pairs are left out."""
_STEP = 16
"""Lengths of batches are multiples of this."""
_WINDOW = 6000
"""Units that are sorted by length together."""
NUMBERS: Mapping[str, tuple[str, Any, float]] = {
    "output_entailed": ("oe", np.int64, -1),
    "source_entailed": ("se", np.int64, -1),
    "group": ("g", np.int64, 0),
    "teaches": ("t", np.int64, 1),
    "same": ("m", np.float32, -1),
    "weight": ("w", np.float32, 1),
    "graded": ("gr", np.float32, -1),
}
"""A pair's labels: the key of each in a row of the file of examples, its type, and its value where it is absent."""
Ints = NDArray[np.int64]
Row = dict[str, Any]
"""An example with its labels, as :mod:`training.reader.material` writes it; ``i`` is its number."""
_FLAT: Mapping[str, Any] = {"ids": np.int32, "types": np.int8, "marks": np.int8, "words": np.int8, "taught": np.float32}
"""What each piece has: id, 0 source 1 output, mark, its word's label, the teacher's probability of the word."""


@dataclass(frozen=True)
class Lesson:
    """What a teacher finds of a pair: the pair's logits (14,), and for each word of the source, then of the output, its
    probability in [0, 1], or -1."""

    pair: NDArray[np.float32]
    words: NDArray[np.float32]


@dataclass(frozen=True)
class Batch:
    """Padded arrays of a batch: (batch, pieces), and one number an example; ``lesson``: the teacher's logits (batch,
    14), not a number where it has not read the pair."""

    ids: Tensor
    types: Tensor
    marks: Tensor
    mask: Tensor
    words: Tensor
    taught: Tensor
    lesson: Tensor
    output_entailed: Tensor
    source_entailed: Tensor
    group: Tensor
    teaches: Tensor
    same: Tensor
    weight: Tensor
    graded: Tensor


@dataclass
class Pack:
    """All examples: flat arrays of pieces (:data:`_FLAT`), where each starts in them, its labels and its kind, the row
    that it was made of and the word of each of its pieces (source, then output; -1 for none)."""

    flat: dict[str, Tensor]
    starts: Ints
    numbers: dict[str, Tensor]
    lessons: Tensor
    kinds: list[str]
    rows: list[int]
    words_of: NDArray[np.int32]

    def owners(self, index: int) -> NDArray[np.int32]:
        """The word of each piece of an example."""
        return self.words_of[self.starts[index] : self.starts[index + 1]]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def to(self, device: str) -> Pack:
        """The same with its tensors on a device."""
        self.flat = {name: value.to(device) for name, value in self.flat.items()}
        self.numbers = {name: value.to(device) for name, value in self.numbers.items()}
        self.lessons = self.lessons.to(device)
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

        def padded(name: str, empty: float) -> Tensor:
            values = self.flat[name][where]
            return torch.where(mask, values, torch.tensor(empty, dtype=values.dtype, device=device))

        labels = {name: self.numbers[name][rows] for name in NUMBERS}
        return Batch(
            padded("ids", 1).long(), padded("types", 0).long(), padded("marks", 0).long(), mask.float(),
            padded("words", -1).long(), padded("taught", -1), self.lessons[rows], **labels,
        )  # fmt: skip


def encode(cutter: Cutter, rows: Sequence[Row], lessons: Mapping[int, Lesson], longest: int = LONGEST) -> Pack:
    """Rows of examples in pieces, with what a teacher finds of them by their number; those with more than ``longest``
    pieces are left out."""
    arrays: dict[str, list[NDArray[Any]]] = {name: [] for name in (*_FLAT, "owners")}
    numbers: list[tuple[float, ...]] = []
    kept_rows: list[int] = []
    taught: list[NDArray[np.float32]] = []
    begin, end, none = [cutter.begin], [cutter.end], [-1]
    for place, row in enumerate(rows):
        texts = row["s"].split(), row["o"].split()
        source, output = map(cutter.of_words, texts)
        if not source.ids or not output.ids or len(source.ids) + len(output.ids) + 3 > longest:
            continue
        first, second = cutter.overlap(source.ids, output.ids)
        kept, supported = (
            _labels(pieces, len(text), row.get(key, ""))
            for pieces, text, key in zip((source, output), texts, ("sw", "ow"), strict=True)
        )
        owners = np.array([*none, *source.words, *none, *(len(texts[0]) + word for word in output.words), *none])
        lesson = lessons.get(row.get("i", -1))
        columns: dict[str, Any] = {
            "ids": [*begin, *source.ids, *end, *output.ids, *end],
            "types": [0] * (len(source.ids) + 2) + [1] * (len(output.ids) + 1),
            "marks": [NO_TEXT, *first, NO_TEXT, *second, NO_TEXT],
            "words": [UNKNOWN, *kept, UNKNOWN, *supported, UNKNOWN],
            "taught": np.full(len(owners), -1.0) if lesson is None else np.where(owners < 0, -1, lesson.words[owners]),
        }
        for name, kind in _FLAT.items():
            arrays[name].append(np.array(columns[name], kind))
        arrays["owners"].append(owners.astype(np.int32))
        numbers.append(tuple(row.get(short, empty) for short, _, empty in NUMBERS.values()))
        taught.append(np.full(LOGITS, np.nan, np.float32) if lesson is None else lesson.pair)
        kept_rows.append(place)
    return Pack(
        {name: torch.from_numpy(np.concatenate(arrays[name])) for name in _FLAT},
        np.concatenate([[0], np.cumsum([len(one) for one in arrays["ids"]])]),
        {
            name: torch.from_numpy(np.array([one[place] for one in numbers], kind))
            for place, (name, (_, kind, _)) in enumerate(NUMBERS.items())
        },
        torch.from_numpy(np.stack(taught)),
        [rows[place]["k"] for place in kept_rows],
        kept_rows,
        np.concatenate(arrays["owners"]),
    )


def _labels(pieces: Pieces, words: int, flags: str) -> list[int]:
    """The label of each piece's word; none is known where there are not as many flags as words."""
    if len(flags) != words:
        return [UNKNOWN] * len(pieces.ids)
    return [{"1": 1, "0": 0}.get(flags[word], UNKNOWN) for word in pieces.words]


def units(pairs: Pack, copies: Mapping[str, float], rng: np.random.Generator) -> list[list[int]]:
    """The examples by group, so that a batch holds whole groups, each as often as its kind says; in chance order."""
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
    """Batches of at most ``most`` pieces with their padding, of units of alike length."""
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
