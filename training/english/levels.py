"""Train the CEFR networks: ``python -m training.english.levels``.

Reads only ``readability/cefr_sp_wiki_train.tsv`` of the data folder. Writes to ``sema_english/weights/levels`` the
members, trained on all sentences, and the curve that gives the ensemble's cross-validated levels the spread of
teachers' levels. One thread; ten minutes. A stopped run goes on from what is in the folder ``work``, where every
set of sentences, levels, features and encoder has a folder of its own. Delete it after a change of the networks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression
from sema_english.levels import network
from sema_english.levels.features import (
    PLAIN,
    WORD_FEATURES,
    feature_names,
    find,
    patterns,
    sentence_features,
    word_features,
)
from sema_english.levels.network import HEADS, LENGTH_SCALE, TOP, WEIGHTS, Numbers
from sema_english.relations import english_lexicon
from sema_english.segmentation import EnglishSegmenter
from sema_ucca.encoder import UccaEncoder
from torch import Tensor, nn
from torch.nn import functional

from sema.datasets.folder import data_path
from sema.model.lexicon import IndexedLexicon
from sema.runtime.batching import batches
from sema.runtime.checksums import short_digest, write_sums
from training.command import command
from training.data.corpora import read_rated
from training.encoder import padded
from training.kept import states_of
from training.loop import Epochs, learn_in_epochs, similar_batches

TRAINING = "readability/cefr_sp_wiki_train.tsv"
MEMBERS, FOLDS = 6, 5
BATCH = 48
WINDOW = 20 * BATCH
"""Sentences that are sorted by length together."""
WIDTH, HIDDEN = 96, 64
NOISE = 0.2
"""Added in training to the words' standardised states."""
LEFT_OUT = 0.1
"""The share of words that a sentence is read without in training."""
CURVE = np.concatenate([[0.0, 0.001, 0.003, 0.01, 0.02], np.linspace(0.05, 0.95, 19), [0.98, 0.99, 0.997, 0.999, 1.0]])
"""The quantiles at which the curve has its points."""
RARE = 0.5
"""The exponent of a level's share of the examples in the curve; below 1, rare levels weigh more."""
FEWEST = 10
"""The least number of training sentences with a construction for which it gets a level."""


class Attention(nn.Module):
    """Attention heads select words; they, the mean word and the sentence's features give the level."""

    def __init__(self, inputs: int, features: int) -> None:
        super().__init__()
        self.words = nn.Linear(inputs, WIDTH)
        self.choice, self.value = nn.Linear(WIDTH, HEADS), nn.Linear(WIDTH, HEADS)
        self.sentence = nn.Linear(features, 32)
        self.hidden = nn.Linear(WIDTH + 32 + 2 * HEADS, HIDDEN)
        self.out = nn.Linear(HIDDEN, 1)
        self.direct = nn.Linear(features, 1)
        self.drop, self.input_drop = nn.Dropout(0.3), nn.Dropout(0.1)
        self.cuts = nn.Parameter(torch.arange(-4.0, 5.0, 2.0))
        self.shift = nn.Parameter(torch.zeros(1))

    def forward(self, x: Tensor, mask: Tensor, features: Tensor) -> Tensor:
        """The sentences' raw levels (batch); ``x`` (batch, words, inputs), ``mask`` (batch, words).

        In training the words have noise, and some are left out.
        """
        if self.training:
            x = x + NOISE * torch.randn_like(x)
            some = mask & (torch.rand(mask.shape) > LEFT_OUT)
            mask = torch.where(some.any(1, keepdim=True), some, mask)
        h = self.drop(functional.gelu(self.words(self.input_drop(x))))
        chosen = self.choice(h).masked_fill(~mask[..., None], -1e9).softmax(1)
        values = self.value(h)
        kept = mask[..., None]
        mean = (h * kept).sum(1) / mask.sum(1, keepdim=True)
        parts = (mean, functional.gelu(self.sentence(self.drop(features))), (chosen * values).sum(1))
        joined = torch.cat([*parts, (values * kept).sum(1) / LENGTH_SCALE], 1)
        raw: Tensor = self.out(self.drop(functional.gelu(self.hidden(joined)))) + self.direct(features)
        return raw[:, 0]

    def loss(self, raw: Tensor, levels: Tensor) -> Tensor:
        """The mean negative log likelihood of two annotators' levels (batch, 2): each has the same ordered thresholds,
        but a strictness of their own."""
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

    def loss(self, raw: Tensor, levels: Tensor) -> Tensor:
        """The squared error, by two annotators' levels (batch, 2)."""
        return functional.mse_loss(raw, levels.float().mean(1))


Network = TypeVar("Network", Attention, WordLevelNet)


class Examples:
    """The training sentences: the longest of each text; ``levels`` are those of its annotators (texts, annotators).

    Attributes:
        folder: the folder in ``work`` for what is learned from exactly these numbers.
    """

    def __init__(self, texts: Sequence[str], levels: NDArray[np.float64], encoder: UccaEncoder, work: Path) -> None:
        lexicon = english_lexicon()
        assert isinstance(lexicon, IndexedLexicon)
        self.words = [max(text.sentence_words, key=len) for text in EnglishSegmenter().segment(texts)]
        self.forms = [word_features(words) for words in self.words]
        features = np.stack([sentence_features(words, lexicon, find(words)) for words in self.words])
        numbers: list[NDArray[Any]] = [levels, features, *self.forms]
        contents = [encoder.signature, *map(" ".join, self.words), *(one.tobytes().hex() for one in numbers)]
        self.folder = work / short_digest(contents)
        states = [one.astype(np.float32) for one in states_of(encoder.states, self.words, self.folder / "states.npy")]
        self.levels = torch.from_numpy(levels.astype(np.int64))
        self.means = levels.mean(1)
        joined = np.concatenate(states)
        self.mean, self.scale = joined.mean(0), joined.std(0)
        self.features_mean, self.features_scale = features.mean(0), np.maximum(features.std(0), 1e-3)
        standard = (features.astype(np.float32) - self.features_mean) / self.features_scale
        self.standard = torch.from_numpy(standard.clip(-network.LOW_REACH, network.LOW_REACH))
        self.rows = [
            np.hstack([np.clip((own - self.mean) / self.scale, -network.REACH, network.REACH), forms])
            for own, forms in zip(states, self.forms, strict=True)
        ]
        names = feature_names()
        self.grammar = self.standard[:, [0, *(names.index(name) for name in patterns())]]

    def __len__(self) -> int:
        return len(self.words)


def learn(
    net: Network, rows: Sequence[Numbers], features: Tensor, levels: Tensor, stage: Epochs, work: Path,
    *, chosen: Sequence[int], decay: float,
) -> Network:  # fmt: skip
    """The network after a stage on the chosen sentences."""

    def drawn(rng: np.random.Generator) -> list[list[int]]:
        sizes = [rows[number].shape[:1] for number in chosen]
        groups = similar_batches(sizes, WINDOW, lambda count, _: count <= BATCH, rng)
        return [[chosen[place] for place in group] for group in groups]

    def loss(net: Network, batch: Sequence[int]) -> Tensor:
        return net.loss(net(*padded([rows[number] for number in batch]), features[batch]), levels[batch])

    return learn_in_epochs(net, drawn, loss, stage, work, cosine=True, decay=decay)


def attention(examples: Examples, chosen: Sequence[int], seed: int, name: str) -> Attention:
    """One member, trained on the chosen examples."""
    torch.manual_seed(seed)
    net = Attention(examples.rows[0].shape[1], examples.standard.shape[1])
    given = examples.rows, examples.standard, examples.levels
    return learn(net, *given, Epochs(name, 8, 2e-3, seed=seed), examples.folder, chosen=chosen, decay=0.05)


def words(examples: Examples) -> WordLevelNet:
    """The additive network, trained on all examples."""
    torch.manual_seed(0)
    net = WordLevelNet(WORD_FEATURES, examples.grammar.shape[1])
    given = examples.forms, examples.grammar, examples.levels
    stage = Epochs("words", 12, 1e-2, seed=0)
    return learn(net, *given, stage, examples.folder, chosen=range(len(examples)), decay=0.0)


def crossed(examples: Examples, seed: int) -> NDArray[np.float64]:
    """Every example's level by a member that was trained without it."""
    levels = np.zeros(len(examples))
    order = np.random.default_rng(seed).permutation(len(examples))
    for fold, part in enumerate(map(np.sort, np.array_split(order, FOLDS))):
        net = attention(examples, np.setdiff1d(order, part).tolist(), seed, f"crossed{seed}.{fold}")
        for group in batches([examples.rows[number].shape[:1] for number in part], lambda count, _: count <= BATCH):
            numbers = part[group]
            with torch.inference_mode():
                raw = net(*padded([examples.rows[number] for number in numbers]), examples.standard[numbers])
                levels[numbers] = net.expected(raw).numpy()
    return levels


def curve(raw: NDArray[np.float64], levels: NDArray[np.float64]) -> Numbers:
    """The points that give raw levels the spread of teachers' levels (2, points).

    Teachers' levels are means in steps of a half; each is moved at random by up to a quarter, within 1 to 6.
    """
    random = np.random.default_rng(0)
    _, numbers, counts = np.unique(np.floor(levels + 0.5), return_inverse=True, return_counts=True)
    weights = (counts / len(levels))[numbers] ** (RARE - 1)
    spread = levels + random.uniform(-0.25, 0.25, len(levels))
    before, after = _quantiles(raw, weights), _quantiles(np.clip(spread, 1, TOP), weights)
    before = np.maximum.accumulate(before + np.arange(len(before)) * 1e-6)
    return np.stack([before, np.clip(after, 1, TOP)]).astype(np.float32)


def _quantiles(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    places = (total - weights[order] / 2) / total[-1]
    return np.asarray(np.interp(CURVE, places, values[order]))


def construction_levels(examples: Examples) -> Numbers:
    """Each construction's level: where its share of the sentences reaches half of its highest share.

    Shares by level are first made to rise with the level (pool adjacent violators), and are interpolated linearly
    between levels. A construction in fewer than :data:`FEWEST` sentences has no level (NaN).
    """
    level = np.clip(np.floor(examples.means + 0.5).astype(int), 1, TOP)
    totals = np.bincount(level, minlength=TOP + 1)[1:].astype(float)
    levels = []
    for name in patterns():
        has = np.array([any(name == other for other, _ in find(words)) for words in examples.words])
        counts = np.bincount(level[has], minlength=TOP + 1)[1:].astype(float)
        shares = isotonic_regression(counts / np.maximum(totals, 1), weights=np.maximum(totals, 1)).x
        half = shares[-1] / 2
        if has.sum() < FEWEST:
            levels.append(math.nan)
            continue
        at = int(np.argmax(shares >= half))
        before = shares[at - 1] if at else 0.0
        levels.append(at + (half - before) / (shares[at] - before) if at else 1.0)
    return np.clip(np.asarray(levels, np.float32), 1, TOP)


@command
def main(work: Path = Path("runs/levels"), to: Path = WEIGHTS) -> None:
    """Train and write the shipped models."""
    torch.set_num_threads(1)
    encoder = UccaEncoder(threads=1)
    examples = Examples(*read_rated(data_path() / TRAINING), encoder, work)
    crossings = np.mean([crossed(examples, seed) for seed in range(2)], axis=0)
    arrays: dict[str, Any] = {
        "mean": examples.mean, "scale": examples.scale, "curve": curve(crossings, examples.means),
        "constructions": construction_levels(examples), "features_mean": examples.features_mean,
        "features_scale": examples.features_scale,
    }  # fmt: skip
    plain = words(examples).state_dict()
    arrays |= {f"words.{name}": plain[name].numpy() for name in plain if name.startswith(("hidden.", "out."))}
    for seed in range(MEMBERS):  # in half precision
        member = attention(examples, range(len(examples)), seed, f"member{seed}")
        arrays |= {f"member{seed}.{name}": own.numpy().astype(np.float16) for name, own in member.state_dict().items()}
    to.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(to / network.FILE, **arrays)
    write_sums(to, [file for file in (network.FILE, network.PASSAGES) if (to / file).is_file()])


if __name__ == "__main__":
    main()
