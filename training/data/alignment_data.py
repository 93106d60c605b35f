"""Gold word alignments (MultiMWA: Lan, Jiang and Xu, ACL 2021) as training examples over encoder states."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sema_english.word_grids import FEATURES, WordGrids

from sema.datasets.folder import data_folder
from training.kept import States

_DISTANCE, _UNIQUE, _FUNCTION = (FEATURES.index(name) for name in ("distance", "unique", "function words"))
POSSIBLE_WEIGHT = 0.5
"""The weight of a possible link as a negative example: the gold neither demands nor forbids it."""
Words = tuple[str, ...]


@dataclass(frozen=True)
class GoldPair:
    """Two tokenized sentences, the links between them (0-based), and the possible links."""

    source: Words
    output: Words
    links: frozenset[tuple[int, int]]
    possible: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Example:
    """A grid with its target, the weights of its cells, and the states of the words of its rows and columns."""

    rows: States
    columns: States
    grid: NDArray[np.float16]
    target: NDArray[np.bool_]
    weight: NDArray[np.float16]

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.columns)

    def cropped(self, start: int, end: int) -> Example:
        """The columns ``start..end`` only, as if the output had been split."""
        grid = self.grid[:, :, start:end].copy()
        rows, columns = len(self.rows), end - start
        places = (np.arange(rows)[:, None] + 0.5) / rows, (np.arange(columns) + 0.5) / columns
        grid[_DISTANCE] = np.abs(places[0] - places[1])
        return Example(self.rows, self.columns[start:end], grid, self.target[:, start:end], self.weight[:, start:end])

    def swapped(self) -> Example:
        """With source and output exchanged."""
        return Example(self.columns, self.rows, self.grid.transpose(0, 2, 1), self.target.T, self.weight.T)


def read_gold(part: str) -> list[GoldPair]:
    """A part of the gold data: ``mtref-train``, ``mtref-dev``, ``mtref-test``, ``wiki-train`` or ``wiki-dev``."""
    pairs = []
    with data_folder("alignment", f"{part}.tsv").open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            columns = [*line.rstrip("\n").split("\t"), ""]  # not all pairs have a column of possible links
            pairs.append(GoldPair(tuple(columns[1].split()), tuple(columns[3].split()), *map(_links, columns[7:9])))
    return pairs


def _links(column: str) -> frozenset[tuple[int, int]]:
    return frozenset((int(i), int(j)) for i, _, j in (entry.partition("-") for entry in column.split()))


def examples(pairs: Sequence[GoldPair], states: Mapping[Words, States], grids: WordGrids) -> list[Example]:
    """Examples of gold pairs."""
    made = []
    for pair, related in zip(pairs, grids.related([(pair.source, pair.output) for pair in pairs]), strict=True):
        grid = grids.grid(grids.sentence(pair.source), grids.sentence(pair.output), related).astype(np.float16)
        target = np.zeros(grid.shape[1:], np.bool_)
        weight = np.ones(grid.shape[1:], np.float16)
        for i, j in pair.links:
            target[i, j] = True
        for i, j in pair.possible - pair.links:
            weight[i, j] = POSSIBLE_WEIGHT
        made.append(Example(states[pair.source], states[pair.output], grid, target, weight))
    return made


def unrelated_pairs(
    pairs: Sequence[GoldPair], count: int, states: Mapping[Words, States], grids: WordGrids, seed: int = 1
) -> list[Example]:
    """Sentences of different pairs that share content words: no other words can be linked."""
    rng = random.Random(seed)
    unrelated: list[Example] = []
    while len(unrelated) < count:
        source, output = rng.choice(pairs).source, rng.choice(pairs).output
        (related,) = grids.related([(source, output)])
        if not grids.share_content(source, output, related):
            continue
        grid = grids.grid(grids.sentence(source), grids.sentence(output), related).astype(np.float16)
        shared = (grid[_UNIQUE] > 0) & (grid[_FUNCTION] == 0)
        weight = np.where(shared, 0.0, 1.0).astype(np.float16)
        unrelated.append(Example(states[source], states[output], grid, np.zeros(weight.shape, np.bool_), weight))
    return unrelated


def varied(example: Example, rng: random.Random) -> Example:
    """An example unchanged, or with part of its output only, or with its sides exchanged."""
    if rng.random() < 0.25 and len(example.columns) > 8:
        size = rng.randint(5, len(example.columns) - 1)
        start = rng.randint(0, len(example.columns) - size)
        example = example.cropped(start, start + size)
    return example.swapped() if rng.random() < 0.5 else example
