"""Train the CEFR networks: ``python -m training.english.levels``.

Reads only ``readability/cefr_sp_wiki_train.tsv`` of the data folder. Writes to ``sema_english/weights/levels`` the
members, trained on all sentences, and the curve that gives the ensemble's cross-validated levels the spread of
teachers' levels. One thread; ten minutes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression
from scipy.stats import pearsonr
from sema_english.levels.constructions import find, table
from sema_english.levels.features import WORD_FEATURES, feature_names
from sema_english.levels.network import FILE, PASSAGES, TOP, WEIGHTS, Numbers
from torch import nn

from sema.datasets.folder import data_path
from sema.runtime.checksums import write_sums
from training.command import command_line
from training.data.levels_data import encoded, read_rated
from training.english.levels_model import (
    Attention,
    Ordinal,
    Training,
    WordLevelNet,
    features_of,
    read,
    standardised,
    train,
)

TRAINING = "readability/cefr_sp_wiki_train.tsv"
MEMBERS, FOLDS = 6, 5
CURVE = np.concatenate([[0.0, 0.001, 0.003, 0.01, 0.02], np.linspace(0.05, 0.95, 19), [0.98, 0.99, 0.997, 0.999, 1.0]])
"""The quantiles at which the curve has its points."""


class Examples:
    """The training sentences: the longest of each text; ``levels`` are those of its annotators (texts, annotators)."""

    def __init__(self, texts: Sequence[str], levels: NDArray[np.float64]) -> None:
        sentences, numbers = encoded(texts)
        chosen = [max(of_text, key=lambda number: len(sentences.words[number])) for of_text in numbers]
        self.words = [sentences.words[number] for number in chosen]
        self.states = [sentences.states[number] for number in chosen]
        self.forms = [sentences.forms[number] for number in chosen]
        self.features = sentences.features[chosen]
        self.levels = levels.astype(np.int64)
        self.means = levels.mean(1)
        joined = np.concatenate(self.states).astype(np.float32)
        self.mean, self.scale = joined.mean(0), joined.std(0)
        self.features_mean, self.features_scale = self.features.mean(0), np.maximum(self.features.std(0), 1e-3)
        self.standard = features_of(self.features, self.features_mean, self.features_scale)
        self.rows = [
            np.hstack([standardised(states, self.mean, self.scale), forms])
            for states, forms in zip(self.states, self.forms, strict=True)
        ]
        names = feature_names()
        self.grammar = self.standard[:, [0, *(names.index(name) for name in table().names)]]

    def __len__(self) -> int:
        return len(self.words)


def attention(examples: Examples, chosen: Sequence[int], seed: int) -> tuple[nn.Module, Ordinal]:
    """One member, trained on the chosen examples."""
    torch.manual_seed(seed)
    training = Training()
    net = Attention(examples.rows[0].shape[1], examples.standard.shape[1], training)
    return train(net, examples.rows, examples.standard, examples.levels, chosen, training, seed)


def words(examples: Examples) -> nn.Module:
    """The additive network, trained on all examples."""
    torch.manual_seed(0)
    training = Training(epochs=12, rate=1e-2, decay=0.0)
    net = WordLevelNet(WORD_FEATURES, examples.grammar.shape[1])
    return train(net, examples.forms, examples.grammar, examples.levels, range(len(examples)), training, 0)[0]


def crossed(examples: Examples, seed: int) -> NDArray[np.float64]:
    """Every example's level by a member that was trained without it."""
    levels = np.zeros(len(examples))
    order = np.random.default_rng(seed).permutation(len(examples))
    for part in map(np.sort, np.array_split(order, FOLDS)):
        net, head = attention(examples, np.setdiff1d(order, part).tolist(), seed)
        levels[part] = read(net, head, [examples.rows[number] for number in part], examples.standard[part])
    return levels


def curve(raw: NDArray[np.float64], levels: NDArray[np.float64]) -> Numbers:
    """The points that give raw levels the spread of teachers' levels (2, points).

    Teachers' levels are means in steps of a half; each is moved at random by up to a quarter, within 1 to 6.
    """
    random = np.random.default_rng(0)
    weights = _weights(levels)
    spread = levels + random.uniform(-0.25, 0.25, len(levels))
    before, after = _quantiles(raw, weights), _quantiles(np.clip(spread, 1, TOP), weights)
    before = np.maximum.accumulate(before + np.arange(len(before)) * 1e-6)
    return np.stack([before, np.clip(after, 1, TOP)]).astype(np.float32)


RARE = 0.5
"""The exponent of a level's share of the examples in the curve; below 1, rare levels weigh more."""


def _weights(levels: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of each example: rare levels weigh more."""
    values, numbers = np.unique(np.floor(levels + 0.5), return_inverse=True)
    shares = np.bincount(numbers) / len(levels)
    weights: NDArray[np.float64] = shares[numbers] ** (RARE - 1) if len(values) else shares
    return weights


def _quantiles(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    places = (total - weights[order] / 2) / total[-1]
    quantiles: NDArray[np.float64] = np.interp(CURVE, places, values[order])
    return quantiles


FEWEST = 10
"""The least number of training sentences with a construction for which it gets a level."""


def construction_levels(examples: Examples) -> Numbers:
    """Each construction's level: where its share of the sentences reaches half of its highest share.

    Shares by level are first made to rise with the level (pool adjacent violators), and are interpolated linearly
    between levels. A construction in fewer than :data:`FEWEST` sentences has no level (NaN).
    """
    level = np.clip(np.floor(examples.means + 0.5).astype(int), 1, TOP)
    totals = np.bincount(level, minlength=TOP + 1)[1:].astype(float)
    levels = []
    for name in table().names:
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


def fit(examples: Examples, folder: Path) -> None:
    """Train and write the shipped models."""
    crossings = np.mean([crossed(examples, seed) for seed in range(2)], axis=0)
    print(f"cross-validated, two networks: r {pearsonr(crossings, examples.means)[0]:.3f}", flush=True)
    plain = {name: tensor.numpy() for name, tensor in words(examples).state_dict().items()}
    arrays: dict[str, Any] = {
        "mean": examples.mean,
        "scale": examples.scale,
        "curve": curve(crossings, examples.means),
        "constructions": construction_levels(examples),
        "features_mean": examples.features_mean,
        "features_scale": examples.features_scale,
        **{
            f"words.{layer}.{part}": plain[f"{layer}.{part}"]
            for layer in ("hidden", "out")
            for part in ("weight", "bias")
        },
    }
    for seed in range(MEMBERS):  # in half precision
        net, head = attention(examples, range(len(examples)), seed)
        member = {**net.state_dict(), "cuts": head.cuts.detach(), "shift": head.shift.detach()}
        arrays |= {f"member{seed}.{name}": tensor.numpy().astype(np.float16) for name, tensor in member.items()}
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / FILE, **arrays)
    write_sums(folder, [file for file in (FILE, PASSAGES) if (folder / file).is_file()])


def main() -> None:
    """Train."""
    parser = command_line(__doc__)
    parser.add_argument("--to", type=Path, default=WEIGHTS, metavar="FOLDER", help="where the weights go")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    fit(Examples(*read_rated(data_path() / TRAINING)), arguments.to)


if __name__ == "__main__":
    main()
