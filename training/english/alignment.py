"""Training of the word aligner on the shipped parser's encoder: ``python -m training.english.alignment --help``.

The encoder is the quantized one that inference runs. The first stage learns from MTRef's train part and a sample of
Wiki's; the second, more slowly, from three quarters of MTRef's dev part, whose links are marked more sparingly (the
train part mixes possible links with sure ones), and some of the rest. The last quarter and Wiki's dev part choose the
threshold.

A stack of small convolutions reads a grid of similarities and lexical facts, so a link depends on its context in both
sentences. Each layer also receives the maximum of every row and column, which shows competing links.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sema_english.aligner import ABOUT, GRID, WEIGHTS, WORDS, grid_batches
from sema_english.relations import english_lexicon, number_value, relations
from sema_english.word_grids import FEATURES, WordGrids
from sema_ucca.encoder import UccaEncoder
from sklearn.metrics import f1_score
from torch import Tensor, nn

from sema.runtime.checksums import write_sums
from training.command import command
from training.data.corpora import GoldPair, Words, read_gold
from training.encoder import padded
from training.graphs import write_graph
from training.kept import States, states_of
from training.loop import Epochs, learn_in_epochs

PARTS = ("mtref-train", "wiki-train", "mtref-dev", "wiki-dev")
POSSIBLE_WEIGHT = 0.5
"""The weight of a possible link as a negative example: the gold neither demands nor forbids it."""
CELLS = 8_000
MAX_CELLS_PER_PAIR = 1_600
WIKI_PAIRS = 1_600
"""The sample of Wiki's train part: its pairs are long, and 95 % of its links join identical words."""
DEV_FOR_LEARNING = 600
UNRELATED = 200
AGAIN = 200, 500
"""Pairs of MTRef's and Wiki's train parts that the second stage reads again."""
THRESHOLDS = tuple(k / 100 for k in range(20, 81, 2))
FIRST = Epochs("first", 6, 2e-3, average=0.995, warm_up=50)
SECOND = Epochs("second", 3, 4e-4, average=0.99, warm_up=50)
DROP = 0.1
"""The share of the encoder's states that is dropped in training."""
_DISTANCE, _UNIQUE, _FUNCTION = (FEATURES.index(name) for name in ("distance", "unique", "function words"))
STATES = 384
HEADS = 8, 32
"""The number of a word's unit vectors, and their size."""
SIMILAR = HEADS[0] * HEADS[1]
CHANNELS = 32
DILATIONS = 1, 2, 1, 2, 1


class WordVectors(nn.Module):
    """From encoder states to what the grid needs for a word: a unit vector for each head, and channels."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(STATES)
        self.similar = nn.Linear(STATES, SIMILAR, bias=False)
        self.own = nn.Linear(STATES, CHANNELS)

    def forward(self, states: Tensor) -> Tensor:
        """States (..., width) to vectors (..., SIMILAR + CHANNELS)."""
        states = self.norm(states)
        similar = self.similar(states).unflatten(-1, HEADS)
        return torch.cat((nn.functional.normalize(similar, dim=-1).flatten(-2), self.own(states)), -1)


class Block(nn.Module):
    """A convolution that also receives the maximum of each row and column, with a residual connection."""

    def __init__(self, dilation: int) -> None:
        super().__init__()
        self.near = nn.Conv2d(CHANNELS, CHANNELS, 3, padding=dilation, dilation=dilation)
        self.row = nn.Linear(CHANNELS, CHANNELS, bias=False)
        self.column = nn.Linear(CHANNELS, CHANNELS, bias=False)
        self.out = nn.Conv2d(CHANNELS, CHANNELS, 1)
        nn.init.normal_(self.out.weight, std=0.05)

    def forward(self, cells: Tensor, mask: Tensor, absent: Tensor) -> Tensor:
        """Cells (batch, channels, rows, columns); mask 1 where there is a cell, absent -1e4 where there is none."""
        visible = cells + absent
        row = self.row(visible.amax(3).transpose(1, 2)).transpose(1, 2)[:, :, :, None]
        column = self.column(visible.amax(2).transpose(1, 2)).transpose(1, 2)[:, :, None, :]
        hidden = nn.functional.relu(self.near(cells) + row + column)
        return (cells + self.out(hidden)) * mask


class AlignmentGrid(nn.Module):
    """Word vectors of two sentences and their word grid to a score (a logit) for every pair of words."""

    def __init__(self) -> None:
        super().__init__()
        self.enter = nn.Conv2d(HEADS[0] + len(FEATURES), CHANNELS, 1)
        self.blocks = nn.ModuleList(map(Block, DILATIONS))
        self.leave = nn.Conv2d(CHANNELS, 1, 1)
        nn.init.constant_(self.leave.bias, -3.0)

    def forward(self, source: Tensor, output: Tensor, grid: Tensor, mask: Tensor) -> Tensor:
        """Vectors (batch, words, size) of both sides; grid (batch, features, rows, columns) and its mask."""
        left = source[:, :, :SIMILAR].unflatten(2, HEADS).transpose(1, 2)
        right = output[:, :, :SIMILAR].unflatten(2, HEADS).permute(0, 2, 3, 1)
        own = source[:, :, SIMILAR:].transpose(1, 2)[:, :, :, None]
        own = own + output[:, :, SIMILAR:].transpose(1, 2)[:, :, None, :]
        cells = nn.functional.relu(self.enter(torch.cat((left @ right, grid), 1)) + own) * mask
        absent = (mask - 1.0) * 1e4
        for block in self.blocks:
            cells = block(cells, mask, absent)
        return self.leave(cells)[:, 0]


class AlignmentNet(nn.Module):
    """Word vectors and grid together."""

    def __init__(self) -> None:
        super().__init__()
        self.vectors, self.grid = WordVectors(), AlignmentGrid()

    def forward(self, source: Tensor, output: Tensor, grid: Tensor, mask: Tensor) -> Tensor:
        """States of the words of two sentences, their grid and its mask, to scores (batch, rows, columns)."""
        return self.grid(self.vectors(source), self.vectors(output), grid, mask)


@dataclass(frozen=True)
class Example:
    """The states of the words of a grid's rows and columns, and its cells (features + 2, rows, columns): their
    features, whether they are linked, and how much that weighs."""

    rows: States
    columns: States
    cells: NDArray[np.float16]

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.columns)

    def varied(self, rng: np.random.Generator) -> Example:
        """Unchanged, or with part of its output only, as if that had been split, or with its sides exchanged."""
        example, count = self, len(self.columns)
        if rng.random() < 0.25 and count > 8:
            size = int(rng.integers(5, count))
            start = int(rng.integers(count - size + 1))
            part = slice(start, start + size)
            cells = self.cells[:, :, part].copy()
            places = (np.arange(len(self.rows))[:, None] + 0.5) / len(self.rows), (np.arange(size) + 0.5) / size
            cells[_DISTANCE] = np.abs(places[0] - places[1])
            example = Example(self.rows, self.columns[part], cells)
        if rng.random() < 0.5:
            example = Example(example.columns, example.rows, example.cells.transpose(0, 2, 1))
        return example


def examples(pairs: Sequence[GoldPair], states: Mapping[Words, States], grids: WordGrids) -> list[Example]:
    """Examples of gold pairs."""
    made = []
    texts = [(pair.source, pair.output) for pair in pairs]
    for pair, related in zip(pairs, grids.relations.related_in(texts), strict=True):
        grid = grids.grid(grids.sentence(pair.source), grids.sentence(pair.output), related)
        target, weight = np.zeros(grid.shape[1:]), np.ones(grid.shape[1:])
        for link in pair.links:
            target[link] = 1
        for link in pair.possible - pair.links:
            weight[link] = POSSIBLE_WEIGHT
        cells = np.stack([*grid, target, weight]).astype(np.float16)
        made.append(Example(states[pair.source], states[pair.output], cells))
    return made


def unrelated_pairs(pairs: Sequence[GoldPair], states: Mapping[Words, States], grids: WordGrids) -> list[Example]:
    """Sentences of different pairs that share content words: no other words can be linked."""
    rng = random.Random(FIRST.seed)
    unrelated: list[Example] = []
    while len(unrelated) < UNRELATED:
        source, output = rng.choice(pairs).source, rng.choice(pairs).output
        (related,) = grids.relations.related_in([(source, output)])
        if grids.share_content(source, output, related):
            grid = grids.grid(grids.sentence(source), grids.sentence(output), related)
            weight = (grid[_UNIQUE] <= 0) | (grid[_FUNCTION] != 0)
            cells = np.stack([*grid, np.zeros(weight.shape), weight]).astype(np.float16)
            unrelated.append(Example(states[source], states[output], cells))
    return unrelated


def padded_cells(chosen: Sequence[Example]) -> tuple[tuple[Tensor, ...], Tensor, Tensor]:
    """The network's inputs, padded: states of both sides, grid and mask; then targets and weights (0 for padding)."""
    rows, columns = (max(example.size[side] for example in chosen) for side in (0, 1))
    cells = torch.zeros(len(chosen), len(FEATURES) + 3, rows, columns)
    for own, example in zip(cells, chosen, strict=True):
        n, m = example.size
        own[:-1, :n, :m] = torch.from_numpy(example.cells)
        own[-1, :n, :m] = 1
    grid, (target, weight, mask) = cells[:, :-3], cells[:, -3:].unbind(1)
    sides = (padded(side)[0] for side in zip(*((example.rows, example.columns) for example in chosen), strict=True))
    return (*sides, grid, mask[:, None]), target, weight


def learn(net: AlignmentNet, chosen: Sequence[Example], stage: Epochs, folder: Path) -> AlignmentNet:
    """The network after a stage on frozen states, by binary cross-entropy over cells."""

    def batches(rng: np.random.Generator) -> list[list[Example]]:
        some = [example.varied(rng) for example in chosen]
        drawn = grid_batches([example.size for example in some], CELLS, lambda: 3 * rng.random())
        return [[some[k] for k in drawn[place]] for place in rng.permutation(len(drawn))]

    def loss(net: AlignmentNet, batch: Sequence[Example]) -> Tensor:
        (*sides, grid, mask), target, weight = padded_cells(batch)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            scores = net(*(nn.functional.dropout(side, DROP) for side in sides), grid, mask)
        losses = nn.functional.binary_cross_entropy_with_logits(scores.float(), target, weight, reduction="sum")
        return losses / target.sum().clamp(min=1.0)

    return learn_in_epochs(net, batches, loss, stage, folder, cosine=True, decay=0.02)


HeldOut = dict[str, tuple[list[GoldPair], list[Example]]]
"""The held-out pairs of some parts, and their examples."""


def gold_parts() -> dict[str, list[GoldPair]]:
    """The pairs of every part that training or its choices use; Wiki's train part is sampled."""
    gold = {part: read_gold(part) for part in PARTS}
    wiki = [p for p in gold["wiki-train"] if len(p.source) * len(p.output) <= MAX_CELLS_PER_PAIR]
    gold["wiki-train"] = random.Random(FIRST.seed).sample(wiki, WIKI_PAIRS)
    return gold


def course(
    gold: Mapping[str, list[GoldPair]], states: Mapping[Words, States], grids: WordGrids
) -> tuple[list[Example], list[Example], HeldOut]:
    """The examples of both stages, and the held-out ones."""
    learned = gold["mtref-train"] + gold["wiki-train"]
    paraphrases, simplified = (examples(gold[part], states, grids) for part in PARTS[:2])
    unrelated = unrelated_pairs(learned, states, grids)
    first = paraphrases + simplified + unrelated
    second = examples(gold["mtref-dev"][:DEV_FOR_LEARNING], states, grids)
    kept = {"mtref-dev": gold["mtref-dev"][DEV_FOR_LEARNING:], "wiki-dev": gold["wiki-dev"]}
    held_out = {part: (pairs, examples(pairs, states, grids)) for part, pairs in kept.items()}
    rng = random.Random(SECOND.seed)
    again = [
        one for some, most in zip((paraphrases, simplified), AGAIN, strict=True)
        for one in rng.sample(some, min(most, len(some)))
    ]  # fmt: skip
    return first, second + again + unrelated, held_out


@torch.inference_mode()
def best_threshold(net: AlignmentNet, held_out: HeldOut) -> float:
    """The threshold with the highest sum of F1 of all links of both parts and of MTRef's links of different words."""
    totals = dict.fromkeys(THRESHOLDS, 0.0)
    for part, (pairs, chosen) in held_out.items():
        found = [np.zeros(0, np.float32)] * len(chosen)
        for group in grid_batches([example.size for example in chosen]):
            scores = torch.sigmoid(net(*padded_cells([chosen[k] for k in group])[0])).numpy()
            for row, k in enumerate(group):
                rows, columns = chosen[k].size
                found[k] = scores[row, :rows, :columns].ravel()
        likely, gold = np.concatenate(found), np.concatenate([one.cells[-2].ravel() for one in chosen]) > 0
        differ = np.array([a.lower() != b.lower() for pair in pairs for a in pair.source for b in pair.output])
        for counted in (slice(None), differ) if part == "mtref-dev" else (slice(None),):
            for threshold in THRESHOLDS:
                totals[threshold] += f1_score(gold[counted], likely[counted] >= threshold)
    return max(totals, key=totals.__getitem__)


def _chances(grid: AlignmentGrid, *given: Tensor) -> Tensor:
    return torch.sigmoid(grid(*given))


def export_aligner(net: AlignmentNet, threshold: float, folder: Path) -> None:
    """Write the graphs from states to word vectors and from grids to probabilities, and ``aligner.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    words = torch.rand(2, 5, SIMILAR + CHANNELS), torch.rand(2, 4, SIMILAR + CHANNELS)
    cells = torch.rand(2, len(FEATURES), 5, 4), torch.ones(2, 1, 5, 4)
    axes = {
        "source": "batch rows", "output": "batch columns", **dict.fromkeys(("grid", "mask"), "batch . rows columns"),
        "probabilities": "batch rows columns",
    }  # fmt: skip
    write_graph(net.grid, (*words, *cells), folder / GRID, axes, _chances, quantized=False)
    states = (torch.rand(5, STATES),)
    write_graph(net.vectors, states, folder / WORDS, {"states": "words", "vectors": "words"}, quantized=False)
    about = {"threshold": threshold, "features": list(FEATURES)}
    (folder / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    write_sums(folder, (ABOUT, WORDS, GRID))


@command
def main(work: Path = Path("runs/alignment"), to: Path = WEIGHTS) -> None:
    """Encode, learn, choose the threshold, write :class:`sema_english.aligner.LearnedAligner`'s files."""
    torch.set_num_threads(1)
    encoder = UccaEncoder(threads=1)
    digest = encoder.signature.rpartition("+")[2]
    gold = gold_parts()
    texts = sorted({text for pairs in gold.values() for pair in pairs for text in (pair.source, pair.output)})
    states = dict(zip(texts, states_of(encoder.states, texts, work / f"states-{digest}.npy"), strict=True))
    grids = WordGrids(relations(english_lexicon(), reverse_hyponymy=True), number_value)
    first, second, held_out = course(gold, states, grids)
    torch.manual_seed(FIRST.seed)
    net = learn(learn(AlignmentNet(), first, FIRST, work / digest), second, SECOND, work / digest)
    export_aligner(net, best_threshold(net, held_out), to)


if __name__ == "__main__":
    main()
