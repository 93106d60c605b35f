"""The estimators that are compared for a judge: scikit-learn's, and ordinal regression; all become plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sema.judges.model import Linear, Trees

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

Part = Trees | Linear
Parts = list[tuple[float, Part]]
"""What a judge is made of, each part with its weight."""


@dataclass(frozen=True)
class Sample:
    """What an estimator learns from.

    Attributes:
        table: the features (items, features).
        targets: the ratings between 0 and 1.
        weights: what each item counts.
        directions: the features' signs: -1, 0, 1.
    """

    table: NDArray[float64]
    targets: NDArray[float64]
    weights: NDArray[float64]
    directions: Sequence[int]


Fit = Callable[[Sample], Parts]

TREES = 80
SIGNS: Mapping[str, Mapping[str, int]] = {
    "fluency": {
        "joints.new": -1,
        "joints.triples_new": -1,
        "joints.new_unseen": -1,
        "joints.likelihood": 1,
        "language_model.original_logprob_per_word": 1,
        "language_model.simple_logprob_per_word": 1,
        "alignment.confidence": 1,
        "alignment.least_confidence": 1,
        "alignment.crossings": -1,
        "form.repeated_pair": -1,
        "form.dangling": -1,
        "form.impossible_pairs": -1,
        "form.no_capital": -1,
    },
    "simplicity": {
        "readability.fkgl": -1,
        "readability.flesch": 1,
        "readability.dale_chall": -1,
        "lengths.words_per_sentence": -1,
        "structure.scenes_per_sentence": -1,
        "structure.depth": -1,
        "lexical.content_zipf": 1,
        "lexical.rare": -1,
        "substitutions.zipf_gain": 1,
    },
    "meaning": {
        "alignment.rare_recall": 1,
        "alignment.soft_recall": 1,
        "alignment.rare_precision": 1,
        "scenes.sema": 1,
        "scenes.whole_scenes": 1,
        "meteor.recall": 1,
    },
}
"""The direction in which a feature may act, by aspect: more is better (1) or worse (-1), all else equal."""


def signs(aspect: str, features: Sequence[str]) -> list[int]:
    """The sign of every feature for an aspect; 0 where nothing is known."""
    known = SIGNS.get(aspect, {})
    return [known.get(name, 0) for name in features]


def _forest(kind: str, **options: Any) -> Fit:
    monotone = options.pop("monotone", False)

    def fit(sample: Sample) -> Parts:
        from sklearn import ensemble

        limits = list(sample.directions) if monotone and any(sample.directions) else None
        made = getattr(ensemble, kind)(TREES, random_state=0, n_jobs=1, monotonic_cst=limits, **options)
        made.fit(sample.table, sample.targets, sample_weight=sample.weights)
        return [(1.0, flatten([tree.tree_ for tree in made.estimators_], 1 / TREES))]

    return fit


def _boosting(sample: Sample) -> Parts:
    from sklearn.ensemble import GradientBoostingRegressor

    made = GradientBoostingRegressor(
        n_estimators=120, learning_rate=0.05, max_depth=3, subsample=0.7, max_features=0.2, random_state=0
    )
    made.fit(sample.table, sample.targets, sample_weight=sample.weights)
    trees = flatten([tree.tree_ for tree in made.estimators_.ravel()], made.learning_rate)
    start = float(np.ravel(made.init_.constant_)[0])
    width = sample.table.shape[1]
    zero = np.zeros(width)
    return [(1.0, trees), (1.0, Linear(zero, zero + 1, zero, zero, zero, start))]


def _standardized(table: NDArray[float64]) -> tuple[NDArray[float64], ...]:
    """Mean and scale, the standardized table cut off at its 1st and 99th percentile, and these limits."""
    mean, scale = table.mean(axis=0), table.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    standard = (table - mean) / scale
    low, high = np.percentile(standard, [1, 99], axis=0)
    return mean, scale, low, high, np.clip(standard, low, high)


def _ridge(sample: Sample) -> Parts:
    from sklearn.linear_model import Ridge

    mean, scale, low, high, standard = _standardized(sample.table)
    made = Ridge(alpha=len(sample.targets)).fit(standard, sample.targets, sample_weight=sample.weights)
    return [(1.0, Linear(mean, scale, low, high, made.coef_, float(made.intercept_)))]


def _ordinal(sample: Sample) -> Parts:
    """Proportional odds with an L2 penalty: the raw value is the log odds, brought to the targets' unit."""
    from scipy.optimize import minimize

    mean, scale, low, high, standard = _standardized(sample.table)
    weights = sample.weights
    levels = np.digitize(sample.targets, [1 / 3, 2 / 3])
    penalty = len(sample.targets) / 10

    def loss(values: NDArray[float64]) -> tuple[float, NDArray[float64]]:
        cuts = np.array([values[0], values[0] + np.exp(values[1])])
        raw = standard @ values[2:]
        below = 1 / (1 + np.exp(np.clip(raw[:, None] - cuts, -40, 40)))
        edges = np.column_stack([np.zeros(len(raw)), below, np.ones(len(raw))])
        rows = np.arange(len(raw))
        upper, lower = edges[rows, levels + 1], edges[rows, levels]
        chance = np.maximum(upper - lower, 1e-12)
        slope = edges * (1 - edges)
        to_upper, to_lower = slope[rows, levels + 1] / chance, slope[rows, levels] / chance
        by_raw = weights * (to_upper - to_lower)
        by_cut = [-(weights * (to_upper * (levels == cut) - to_lower * (levels == cut + 1))).sum() for cut in range(2)]
        gradient = np.concatenate(
            [[by_cut[0] + by_cut[1], by_cut[1] * np.exp(values[1])], standard.T @ by_raw + 2 * penalty * values[2:]]
        )
        return float(-(weights * np.log(chance)).sum() + penalty * (values[2:] ** 2).sum()), gradient

    start = np.concatenate([[-1.0, 0.0], np.zeros(sample.table.shape[1])])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x[2:]
    raw = standard @ found
    unit = float(np.cov(raw, sample.targets)[0, 1] / max(raw.var(), 1e-12))
    intercept = float(sample.targets.mean() - unit * raw.mean())
    return [(1.0, Linear(mean, scale, low, high, found * unit, intercept))]


def _blend(*names: str) -> Fit:
    def fit(sample: Sample) -> Parts:
        return [(weight / len(names), part) for name in names for weight, part in ESTIMATORS[name](sample)]

    return fit


ESTIMATORS: Mapping[str, Fit] = {
    "bagging": _forest("RandomForestRegressor", max_features=1.0, min_samples_leaf=4),
    "forest": _forest("RandomForestRegressor", max_features=0.2, min_samples_leaf=3),
    "extra_trees": _forest("ExtraTreesRegressor", max_features=0.3, min_samples_leaf=3),
    "monotone_trees": _forest("ExtraTreesRegressor", max_features=0.3, min_samples_leaf=3, monotone=True),
    "boosting": _boosting,
    "ridge": _ridge,
    "ordinal": _ordinal,
    "blend": _blend("extra_trees", "ridge"),
}
"""The estimators by name; ``blend`` is the mean of two."""


def flatten(trees: Sequence[Any], weight: float) -> Trees:
    """scikit-learn's trees, one after another, in plain arrays."""
    roots = np.cumsum([0, *(tree.node_count for tree in trees[:-1])]).astype(np.int32)
    columns = []
    for root, tree in zip(roots.tolist(), trees, strict=True):
        leaf = tree.children_left < 0
        columns.append(
            (
                np.where(leaf, -1, tree.feature),
                np.where(leaf, 0.0, tree.threshold),
                np.where(leaf, 0, tree.children_left + root),
                np.where(leaf, 0, tree.children_right + root),
                tree.value[:, 0, 0] * weight,
            )
        )
    feature, threshold, left, right, value = (np.concatenate(column) for column in zip(*columns, strict=True))
    return Trees(
        roots,
        feature.astype(np.int32),
        threshold.astype(np.float64),
        left.astype(np.int32),
        right.astype(np.int32),
        value.astype(np.float64),
    )
