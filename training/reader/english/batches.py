"""Training pairs as arrays of pieces, in batches of alike length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from sema_reader.pieces import NO_TEXT, Pieces, overlap
from torch import Tensor

from training.reader.english.examples import Example

LONGEST = 200
"""Pieces of a pair at most; longer pairs are left out."""
BATCH_PIECES = 3000
"""Pieces of a batch, padding included."""
_WINDOW = 1500
"""Units that are sorted by length together."""
_CLS, _SEP = 101, 102
_LABELS = {
    torch.long: ("output_entailed", "source_entailed", "group", "teaches"),
    torch.float: ("same", "weight", "graded"),
}


@dataclass(frozen=True)
class Encoded:
    """One example in pieces: ``ids types marks words`` (pieces); ``words`` is 1, 0 or -1 where nothing is known."""

    pieces: NDArray[np.int32]
    output_entailed: int
    source_entailed: int
    same: float
    group: int
    weight: float
    teaches: int
    graded: float

    @classmethod
    def of(cls, source: Pieces, output: Pieces, ends: tuple[int, int], example: Example) -> Self | None:
        """A pair's pieces with its labels, between pieces that begin and end a text; ``None`` if they are too many."""
        if not source.ids or not output.ids or len(source.ids) + len(output.ids) + 3 > LONGEST:
            return None
        begin, end = ends
        first, second = overlap(source.ids, output.ids)
        kept, supported = (
            [labels[word] if labels else -1 for word in text.words]
            for text, labels in ((source, example.source_words), (output, example.output_words))
        )
        pieces = [
            [begin, *source.ids, end, *output.ids, end],
            [0] * (len(source.ids) + 2) + [1] * (len(output.ids) + 1),
            [NO_TEXT, *first, NO_TEXT, *second, NO_TEXT],
            [-1, *kept, -1, *supported, -1],
        ]
        return cls(
            np.array(pieces, np.int32), **{name: getattr(example, name) for names in _LABELS.values() for name in names}
        )

    def __len__(self) -> int:
        return int(self.pieces.shape[1])


def encode(tokenizer: Any, examples: Sequence[Example]) -> list[Encoded]:
    """The examples that are short enough, in pieces of a ``tokenizers.Tokenizer``."""
    found: list[Encoded] = []
    for start in range(0, len(examples), 2000):
        some = examples[start : start + 2000]
        sources, outputs = (
            tokenizer.encode_batch([text.split() for text in texts], is_pretokenized=True, add_special_tokens=False)
            for texts in ([e.source for e in some], [e.output for e in some])
        )
        for example, *texts in zip(some, sources, outputs, strict=True):
            source, output = (Pieces(tuple(text.ids), tuple(text.word_ids)) for text in texts)
            encoded = Encoded.of(source, output, (_CLS, _SEP), example)
            found += [] if encoded is None else [encoded]
    return found


def units(encoded: Sequence[Encoded]) -> list[list[Encoded]]:
    """Examples by group, so that a batch holds whole groups; those of no group stand alone."""
    groups: dict[int, list[Encoded]] = defaultdict(list)
    alone = []
    for example in encoded:
        if example.group:
            groups[example.group].append(example)
        else:
            alone.append([example])
    return [*alone, *groups.values()]


def batches(found: list[list[Encoded]], rng: Random) -> Iterator[list[Encoded]]:
    """Batches of one pass over the units, in chance order."""
    order = list(found)
    rng.shuffle(order)
    for start in range(0, len(order), _WINDOW):
        window = sorted(order[start : start + _WINDOW], key=lambda unit: max(map(len, unit)))
        made: list[list[Encoded]] = [[]]
        longest = 0
        for unit in window:
            longest = max(longest, *map(len, unit))
            if made[-1] and (len(made[-1]) + len(unit)) * longest > BATCH_PIECES:
                made.append([])
                longest = max(map(len, unit))
            made[-1] += unit
        rng.shuffle(made)
        yield from made


@dataclass(frozen=True)
class Batch:
    """Padded arrays of a batch: (batch, pieces), and one number an example."""

    ids: Tensor
    types: Tensor
    marks: Tensor
    mask: Tensor
    words: Tensor
    output_entailed: Tensor
    source_entailed: Tensor
    same: Tensor
    group: Tensor
    weight: Tensor
    teaches: Tensor
    graded: Tensor


def padded(examples: Sequence[Encoded]) -> Batch:
    """The examples as one batch."""
    longest = max(map(len, examples))
    arrays = torch.zeros(4, len(examples), longest, dtype=torch.long)
    arrays[3] = -1
    mask = torch.zeros(len(examples), longest)
    for row, example in enumerate(examples):
        arrays[:, row, : len(example)] = torch.from_numpy(example.pieces.astype(np.int64))
        mask[row, : len(example)] = 1.0

    labels = {
        name: torch.tensor([getattr(example, name) for example in examples], dtype=kind)
        for kind, names in _LABELS.items()
        for name in names
    }
    return Batch(arrays[0], arrays[1], arrays[2], mask, arrays[3], **labels)
