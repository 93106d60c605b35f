"""The alignment network: encoder states and word grids in, a score for every pair of words out.

A stack of small convolutions reads a grid of similarities and lexical facts, so a link depends on its context in both
sentences. Each layer also receives the maximum of every row and column, which shows competing links.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import torch
from sema_english.aligner import ABOUT, GRID, WORDS
from sema_english.word_grids import FEATURES
from torch import Tensor, nn

from sema.runtime.checksums import write_sums
from training.ucca.quantize import write_graph


@dataclass(frozen=True)
class GridShape:
    """Sizes of the network."""

    states: int = 384
    heads: int = 8
    head: int = 32
    channels: int = 32
    dilations: tuple[int, ...] = (1, 2, 1, 2, 1)


class WordVectors(nn.Module):
    """From encoder states to what the grid needs for a word: a unit vector for each head, and channels."""

    def __init__(self, shape: GridShape) -> None:
        super().__init__()
        self.shape = shape
        self.norm = nn.LayerNorm(shape.states)
        self.similar = nn.Linear(shape.states, shape.heads * shape.head, bias=False)
        self.own = nn.Linear(shape.states, shape.channels)

    def forward(self, states: Tensor) -> Tensor:
        """States (..., width) to vectors (..., heads * head + channels)."""
        states = self.norm(states)
        similar = self.similar(states).unflatten(-1, (self.shape.heads, self.shape.head))
        return torch.cat((nn.functional.normalize(similar, dim=-1).flatten(-2), self.own(states)), -1)


class Block(nn.Module):
    """A convolution that also receives the maximum of each row and column, with a residual connection."""

    def __init__(self, channels: int, dilation: int) -> None:
        super().__init__()
        self.near = nn.Conv2d(channels, channels, 3, padding=dilation, dilation=dilation)
        self.row = nn.Linear(channels, channels, bias=False)
        self.column = nn.Linear(channels, channels, bias=False)
        self.out = nn.Conv2d(channels, channels, 1)
        nn.init.normal_(self.out.weight, std=0.05)

    def forward(self, cells: Tensor, mask: Tensor, absent: Tensor) -> Tensor:
        """Cells (batch, channels, rows, columns); mask 1 where there is a cell, absent -1e4 where there is none."""
        visible = cells + absent
        row = self.row(visible.amax(3).transpose(1, 2)).transpose(1, 2)[:, :, :, None]
        column = self.column(visible.amax(2).transpose(1, 2)).transpose(1, 2)[:, :, None, :]
        hidden = nn.functional.relu(self.near(cells) + row + column)
        return cast(Tensor, (cells + self.out(hidden)) * mask)


class AlignmentGrid(nn.Module):
    """Word vectors of two sentences and their word grid to a score (a logit) for every pair of words."""

    def __init__(self, shape: GridShape) -> None:
        super().__init__()
        self.shape = shape
        self.enter = nn.Conv2d(shape.heads + len(FEATURES), shape.channels, 1)
        self.blocks = nn.ModuleList(Block(shape.channels, dilation) for dilation in shape.dilations)
        self.leave = nn.Conv2d(shape.channels, 1, 1)
        nn.init.constant_(self.leave.bias, -3.0)

    def forward(self, source: Tensor, output: Tensor, grid: Tensor, mask: Tensor) -> Tensor:
        """Vectors (batch, words, size) of both sides; grid (batch, features, rows, columns) and its mask."""
        width = self.shape.heads * self.shape.head
        heads = (self.shape.heads, self.shape.head)
        left = source[:, :, :width].unflatten(2, heads).transpose(1, 2)
        right = output[:, :, :width].unflatten(2, heads).permute(0, 2, 3, 1)
        own = source[:, :, width:].transpose(1, 2)[:, :, :, None] + output[:, :, width:].transpose(1, 2)[:, :, None, :]
        cells = nn.functional.relu(self.enter(torch.cat((left @ right, grid), 1)) + own) * mask
        absent = (mask - 1.0) * 1e4
        for block in self.blocks:
            cells = block(cells, mask, absent)
        return cast(Tensor, self.leave(cells)[:, 0])


class AlignmentNet(nn.Module):
    """Word vectors and grid together."""

    def __init__(self, shape: GridShape) -> None:
        super().__init__()
        self.vectors = WordVectors(shape)
        self.grid = AlignmentGrid(shape)

    def forward(self, source: Tensor, output: Tensor, grid: Tensor, mask: Tensor) -> Tensor:
        """States of the words of two sentences, their grid and its mask, to scores (batch, rows, columns)."""
        return cast(Tensor, self.grid(self.vectors(source), self.vectors(output), grid, mask))


class _Probabilities(nn.Module):
    def __init__(self, net: AlignmentNet) -> None:
        super().__init__()
        self.grid = net.grid

    def forward(self, source: Tensor, output: Tensor, grid: Tensor, mask: Tensor) -> Tensor:
        return torch.sigmoid(self.grid(source, output, grid, mask))


def export_aligner(net: AlignmentNet, shape: GridShape, threshold: float, folder: Path) -> None:
    """Write the graphs from states to word vectors and from grids to probabilities, and ``aligner.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    size = shape.heads * shape.head + shape.channels
    grid, mask = torch.rand(2, len(FEATURES), 5, 4), torch.ones(2, 1, 5, 4)
    inputs = (torch.rand(2, 5, size), torch.rand(2, 4, size), grid, mask)
    names = ["source", "output", "grid", "mask"]
    axes = {"source": {0: "batch", 1: "rows"}, "output": {0: "batch", 1: "columns"}}
    axes |= {name: {0: "batch", 2: "rows", 3: "columns"} for name in ("grid", "mask")}
    axes["probabilities"] = {0: "batch", 1: "rows", 2: "columns"}
    words = {"states": {0: "words"}, "vectors": {0: "words"}}
    states = (torch.rand(5, shape.states),)
    write_graph(net.vectors, states, folder / WORDS, ["states"], ["vectors"], words, quantized=False)
    write_graph(_Probabilities(net), inputs, folder / GRID, names, ["probabilities"], axes, quantized=False)
    about = {"threshold": threshold, "features": list(FEATURES)}
    (folder / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    write_sums(folder, (ABOUT, WORDS, GRID))
