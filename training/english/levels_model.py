"""Two designs for sentences' levels, in PyTorch: attention over words, and an additive model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from sema_english.levels.features import PLAIN
from sema_english.levels.network import HEADS, LENGTH_SCALE, LOW_REACH, REACH, TOP
from torch import Tensor, nn
from torch.nn import functional

from training.data.levels_data import Numbers
from training.loop import descend
from training.transformer import padded

YARDSTICK = 20
"""The number of batches that are cut from one stretch of sentences of similar length."""


@dataclass(frozen=True)
class Training:
    """How a network is trained.

    Attributes:
        epochs, rate, decay, batch: of AdamW with one cycle of the learning rate.
        drop: of units.
        noise: added to the words' standardised states.
        words_left_out: the share of words that a sentence is read without.
    """

    epochs: int = 8
    rate: float = 2e-3
    decay: float = 0.05
    batch: int = 48
    drop: float = 0.3
    noise: float = 0.2
    words_left_out: float = 0.1


class Attention(nn.Module):
    """Attention heads select words; they, the mean word and the sentence's features give the level."""

    def __init__(self, inputs: int, features: int, training: Training, width: int = 96, hidden: int = 64) -> None:
        super().__init__()
        self.words = nn.Linear(inputs, width)
        self.choice, self.value = nn.Linear(width, HEADS), nn.Linear(width, HEADS)
        self.sentence = nn.Linear(features, 32)
        self.hidden = nn.Linear(width + 32 + 2 * HEADS, hidden)
        self.out = nn.Linear(hidden, 1)
        self.direct = nn.Linear(features, 1)
        self.drop, self.input_drop = nn.Dropout(training.drop), nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor, features: Tensor) -> Tensor:
        """The sentences' raw levels (batch); ``x`` (batch, words, inputs), ``mask`` (batch, words)."""
        h = self.drop(functional.gelu(self.words(self.input_drop(x))))
        chosen = self.choice(h).masked_fill(~mask[..., None], -1e9).softmax(1)
        values = self.value(h)
        kept = mask[..., None]
        mean = (h * kept).sum(1) / mask.sum(1, keepdim=True)
        parts = (mean, functional.gelu(self.sentence(self.drop(features))), (chosen * values).sum(1))
        joined = torch.cat([*parts, (values * kept).sum(1) / LENGTH_SCALE], 1)
        raw: Tensor = self.out(self.drop(functional.gelu(self.hidden(joined)))) + self.direct(features)
        return raw[:, 0]


class WordLevelNet(nn.Module):
    """Every word has its own level; the sentence's is their soft maximum plus terms for constructions and length.

    A word's level is read off its form and frequency alone, so that it is the same wherever the word stands.
    """

    def __init__(self, inputs: int, features: int, hidden: int = 16) -> None:
        super().__init__()
        self.hidden, self.out = nn.Linear(inputs, hidden), nn.Linear(hidden, 1)
        self.sharp = nn.Parameter(torch.tensor(1.0))
        self.direct = nn.Linear(features, 1)

    def levels(self, forms: Tensor) -> Tensor:
        """The level of each word, 1 to 6."""
        raw: Tensor = self.out(torch.tanh(self.hidden(forms)))
        return 1 + (TOP - 1) * torch.sigmoid(raw[..., 0])

    def forward(self, forms: Tensor, mask: Tensor, features: Tensor) -> Tensor:
        """The sentences' levels (batch)."""
        plain = mask & (forms[..., PLAIN] > 0)
        mask = torch.where(plain.any(1, keepdim=True), plain, mask)
        sharp = functional.softplus(self.sharp)
        levels = (sharp * self.levels(forms)).masked_fill(~mask, -1e9)
        softest: Tensor = (torch.logsumexp(levels, 1) - mask.sum(1).clamp_min(1).log()) / sharp
        return softest + self.direct(features)[:, 0]


class Ordinal(nn.Module):
    """The probability of each annotator's level given a raw one: ordered thresholds, different strictness."""

    def __init__(self) -> None:
        super().__init__()
        self.cuts = nn.Parameter(torch.arange(-4.0, 5.0, 2.0))
        self.shift = nn.Parameter(torch.zeros(1))

    def loss(self, raw: Tensor, levels: Tensor) -> Tensor:
        """The mean negative log likelihood of two annotators' levels (batch, 2)."""
        ends = torch.tensor([30.0])
        cuts = torch.cat([-ends, self.cuts, ends])
        total = torch.zeros(())
        for column, sign in ((0, -1), (1, 1)):
            moved, level = raw + sign * self.shift, levels[:, column]
            chance = torch.sigmoid(cuts[level] - moved) - torch.sigmoid(cuts[level - 1] - moved)
            total = total - chance.clamp_min(1e-6).log().mean()
        return total

    def expected(self, raw: Tensor) -> Tensor:
        """The mean level that both annotators together are expected to give."""
        sides = [torch.sigmoid(raw[:, None] + sign * self.shift - self.cuts).sum(1) for sign in (-1, 1)]
        return 1 + (sides[0] + sides[1]) / 2


def standardised(states: NDArray[np.float16], mean: Numbers, scale: Numbers) -> Numbers:
    """Standardized word states, outliers clipped."""
    clipped: Numbers = np.clip((states.astype(np.float32) - mean) / scale, -REACH, REACH)
    return clipped


def features_of(features: Numbers, mean: Numbers, scale: Numbers) -> Numbers:
    """Standardized sentence features, outliers clipped."""
    clipped: Numbers = np.clip((features - mean) / scale, -LOW_REACH, LOW_REACH)
    return clipped


def batches(
    lengths: Sequence[int], chosen: Sequence[int], size: int, shuffle: np.random.Generator
) -> Iterator[list[int]]:
    """The chosen sentences in batches of similar length, in random order."""
    order = shuffle.permutation(np.asarray(chosen))
    made = []
    for start in range(0, len(order), size * YARDSTICK):
        part = sorted(order[start : start + size * YARDSTICK].tolist(), key=lambda number: lengths[number])
        made += [part[at : at + size] for at in range(0, len(part), size)]
    for number in shuffle.permutation(len(made)).tolist():
        yield made[number]


def train(
    net: nn.Module,
    rows: Sequence[Numbers],
    features: Numbers,
    levels: NDArray[np.int64],
    chosen: Sequence[int],
    training: Training,
    seed: int,
) -> tuple[nn.Module, Ordinal]:
    """Train a network on the chosen sentences; a :class:`WordLevelNet` gives levels, any other network raw values."""
    generator = np.random.default_rng(seed)
    head = Ordinal()
    parameters = [*net.parameters(), *(() if isinstance(net, WordLevelNet) else head.parameters())]
    steps = training.epochs * (len(chosen) // training.batch + YARDSTICK)
    optimizer = torch.optim.AdamW(parameters, training.rate, weight_decay=training.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, training.rate, total_steps=steps, pct_start=0.1)
    lengths = [len(row) for row in rows]
    net.train()
    for _ in range(training.epochs):
        for batch in batches(lengths, chosen, training.batch, generator):
            x, mask = padded([rows[number] for number in batch])
            if training.noise and not isinstance(net, WordLevelNet):
                x = x + training.noise * torch.randn_like(x)
                kept = mask & (torch.rand(mask.shape) > training.words_left_out)
                mask = torch.where(kept.any(1, keepdim=True), kept, mask)
            raw = net(x, mask, torch.from_numpy(features[batch]))
            target = torch.from_numpy(levels[batch])
            if isinstance(net, WordLevelNet):
                loss = functional.mse_loss(raw, target.float().mean(1))
            else:
                loss = head.loss(raw, target)
            descend(loss, optimizer, parameters)
            schedule.step()
    return net.eval(), head


def read(net: nn.Module, head: Ordinal, rows: Sequence[Numbers], features: Numbers) -> NDArray[np.float64]:
    """The levels that a network gives sentences."""
    levels = np.zeros(len(rows))
    order = sorted(range(len(rows)), key=lambda number: len(rows[number]))
    with torch.inference_mode():
        for start in range(0, len(order), 64):
            batch = order[start : start + 64]
            x, mask = padded([rows[number] for number in batch])
            raw = net(x, mask, torch.from_numpy(features[batch]))
            levels[batch] = (raw if isinstance(net, WordLevelNet) else head.expected(raw)).numpy()
    return levels
