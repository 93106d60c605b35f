"""Train the CEFR networks, and compare designs.

    python -m training.english.levels compare [--cache FOLDER]
    python -m training.english.levels train [--cache FOLDER]

Both use only ``readability/cefr_sp_wiki_train.tsv`` of the data folder. ``compare`` prints the cross-validated figures
of each design; ``train`` writes ``sema_english/weights/levels``: the members, trained on all sentences, and the curve
that gives the ensemble's cross-validated levels the spread of teachers' levels. One thread; a few minutes.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import pearsonr
from sema_english.levels.constructions import find, table
from sema_english.levels.features import WORD_FEATURES, feature_names
from sema_english.levels.network import FILE, TOP, WEIGHTS, Levels, Numbers, save
from sema_english.levels.passages import FILE as PASSAGES

from sema.datasets.folder import data_path
from sema.runtime.checksums import write_sums
from training.data.levels_data import Rated, rated
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
RIDGE = 1000.0
CURVE = np.concatenate([[0.0, 0.001, 0.003, 0.01, 0.02], np.linspace(0.05, 0.95, 19), [0.98, 0.99, 0.997, 0.999, 1.0]])
"""The quantiles at which the curve has its points."""
Predict = Callable[[Sequence[int], Sequence[int]], NDArray[np.float64]]
"""Maps the indexes of training sentences and of test sentences to the levels of the latter."""


class Examples:
    """The training sentences: the longest of each text."""

    def __init__(self, given: Rated) -> None:
        sentences = given.sentences
        chosen = [max(numbers, key=lambda number: len(sentences.words[number])) for numbers in given.texts]
        self.words = [sentences.words[number] for number in chosen]
        self.states = [sentences.states[number] for number in chosen]
        self.forms = [sentences.forms[number] for number in chosen]
        self.features = sentences.features[chosen]
        self.levels = given.levels.astype(np.int64)
        self.means = given.levels.mean(1)
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


def folds(count: int, number: int, seed: int) -> list[NDArray[np.int64]]:
    """The indexes of the examples, divided at random."""
    return [np.sort(part) for part in np.array_split(np.random.default_rng(seed).permutation(count), number)]


def attention(examples: Examples, chosen: Sequence[int], seed: int, training: Training) -> tuple[Attention, Ordinal]:
    """One member, trained on the chosen examples."""
    torch.manual_seed(seed)
    net = Attention(examples.rows[0].shape[1], examples.standard.shape[1], training)
    found, head = train(net, examples.rows, examples.standard, examples.levels, chosen, training, seed)
    assert isinstance(found, Attention)
    return found, head


def words(examples: Examples, chosen: Sequence[int], seed: int) -> tuple[WordLevelNet, Ordinal]:
    """The additive network, trained on the chosen examples."""
    torch.manual_seed(seed)
    training = Training(epochs=12, rate=1e-2, decay=0.0)
    net = WordLevelNet(WORD_FEATURES, examples.grammar.shape[1])
    found, head = train(net, examples.forms, examples.grammar, examples.levels, chosen, training, seed)
    assert isinstance(found, WordLevelNet)
    return found, head


def _by_ridge(examples: Examples) -> Predict:
    means = np.stack([row[:, :-WORD_FEATURES].mean(0) for row in examples.rows])
    x = np.hstack([means / np.maximum(means.std(0), 1e-6), examples.standard])

    def predict(chosen: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
        inner, target = x[chosen], examples.means[chosen]
        middle, mean = inner.mean(0), target.mean()
        gram = (inner - middle).T @ (inner - middle) + RIDGE * np.eye(x.shape[1])
        weights = np.linalg.solve(gram, (inner - middle).T @ (target - mean))
        found: NDArray[np.float64] = (x[others] - middle) @ weights + mean
        return found

    return predict


def _by_words(examples: Examples) -> Predict:
    def predict(chosen: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
        net, head = words(examples, chosen, 0)
        rows = [examples.forms[number] for number in others]
        return read(net, head, rows, examples.grammar[others])  # type: ignore[arg-type]

    return predict


def _by_attention(examples: Examples, seed: int, training: Training | None = None) -> Predict:
    def predict(chosen: Sequence[int], others: Sequence[int]) -> NDArray[np.float64]:
        net, head = attention(examples, chosen, seed, training or Training())
        rows = [examples.rows[number] for number in others]
        return read(net, head, rows, examples.standard[others])  # type: ignore[arg-type]

    return predict


def crossed(predict: Predict, count: int, seed: int = 0) -> NDArray[np.float64]:
    """Every example's level by a model that was trained without it."""
    found = np.zeros(count)
    for part in folds(count, FOLDS, seed):
        rest = np.setdiff1d(np.arange(count), part)
        found[part] = predict(rest.tolist(), part.tolist())
    return found


def compare(examples: Examples) -> None:
    """Print the cross-validated figures of each design."""
    designs = {
        "ridge regression on the mean state and features": _by_ridge(examples),
        "levels of words that add up": _by_words(examples),
        "attention over words": _by_attention(examples, 0),
    }
    print("| design | r | root mean squared error |\n|---|---:|---:|")
    for name, predict in designs.items():
        found = crossed(predict, len(examples))
        error = float(np.sqrt(np.mean((found - examples.means) ** 2)))
        print(f"| {name} | {pearsonr(found, examples.means)[0]:.3f} | {error:.3f} |", flush=True)


def curve(raw: NDArray[np.float64], levels: NDArray[np.float64]) -> Numbers:
    """The points that give raw levels the spread of teachers' levels (2, points).

    A half between two levels is taken to lie anywhere within a quarter of it. Both ends go on to 1 and 6.
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
    found: NDArray[np.float64] = shares[numbers] ** (RARE - 1) if len(values) else shares
    return found


def _quantiles(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    places = (total - weights[order] / 2) / total[-1]
    found: NDArray[np.float64] = np.interp(CURVE, places, values[order])
    return found


FEWEST = 10
"""The least number of training sentences with a construction for which it gets a level."""


def construction_levels(examples: Examples) -> Numbers:
    """Each construction's level: where it stands in half as many sentences as at the level that has most.

    Shares by level are made to grow with the level first (pool adjacent violators), between levels they are taken to
    grow evenly. A construction that fewer than :data:`FEWEST` sentences have has no level (NaN).
    """
    level = np.clip(np.floor(examples.means + 0.5).astype(int), 1, TOP)
    totals = np.bincount(level, minlength=TOP + 1)[1:].astype(float)
    found = []
    for name in table().names:
        has = np.array([any(name == other for other, _ in find(words)) for words in examples.words])
        counts = np.bincount(level[has], minlength=TOP + 1)[1:].astype(float)
        shares = _growing(counts / np.maximum(totals, 1), totals)
        half = shares[-1] / 2
        if has.sum() < FEWEST:
            found.append(math.nan)
            continue
        at = int(np.argmax(shares >= half))
        before = shares[at - 1] if at else 0.0
        found.append(at + (half - before) / (shares[at] - before) if at else 1.0)
    return np.clip(np.asarray(found, np.float32), 1, TOP)


def _growing(shares: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.optimize import isotonic_regression

    found: NDArray[np.float64] = isotonic_regression(shares, weights=np.maximum(weights, 1)).x
    return found


def fit(examples: Examples, folder: Path) -> None:
    """Train and write the shipped models."""
    crossings = np.mean([crossed(_by_attention(examples, seed), len(examples), seed) for seed in range(2)], axis=0)
    print(f"cross-validated, two networks: r {pearsonr(crossings, examples.means)[0]:.3f}", flush=True)
    everything = list(range(len(examples)))
    members = []
    for seed in range(MEMBERS):
        net, head = attention(examples, everything, seed, Training())
        arrays = {name: tensor.numpy() for name, tensor in net.state_dict().items()}
        arrays |= {"cuts": head.cuts.detach().numpy(), "shift": head.shift.detach().numpy()}  # type: ignore[union-attr, operator]
        members.append({name: np.asarray(array, np.float32) for name, array in arrays.items()})
    additive, _ = words(examples, everything, 0)
    plain = {name: tensor.numpy() for name, tensor in additive.state_dict().items()}
    kept = {name: plain[name] for name in ("hidden.weight", "hidden.bias", "out.weight", "out.bias")}
    levels = Levels(
        examples.mean,
        examples.scale,
        examples.features_mean,
        examples.features_scale,
        members,
        curve(crossings, examples.means),
        kept,
        construction_levels(examples),
    )
    folder.mkdir(parents=True, exist_ok=True)
    save(levels, folder / FILE)
    write_sums(folder, [file for file in (FILE, PASSAGES) if (folder / file).is_file()])


def main() -> None:
    """Compare or train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("compare", "train"))
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep word states there for the next time")
    parser.add_argument("--to", type=Path, default=WEIGHTS, metavar="FOLDER", help="where the weights go")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    examples = Examples(rated(data_path() / TRAINING, arguments.cache))
    if arguments.command == "compare":
        compare(examples)
    else:
        fit(examples, arguments.to)


if __name__ == "__main__":
    main()
