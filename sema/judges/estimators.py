"""The estimators that are compared for a judge: scikit-learn's, and ordinal regression; all become plain arrays."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from sema.judges.model import Array, Linear, Parts, Trees

Fit = Callable[[Array, Array, Array, Sequence[int]], Parts]
"""Fits to features (items, features), ratings between 0 and 1, the items' weights, and the features' signs."""

TREES = 80
DIRECTIONS: Mapping[str, Mapping[str, int]] = json.loads(
    files("sema.judges").joinpath("directions.json").read_text(encoding="utf-8")
)
"""For each aspect the features of which more is better (1) or worse (-1), all else equal."""


def signs(aspect: str, features: Sequence[str]) -> list[int]:
    """The direction in which each feature may act: 1 (more is better), -1 (worse), or 0 where nothing is known."""
    return [DIRECTIONS.get(aspect, {}).get(name, 0) for name in features]


def _forest(kind: str, *, monotone: bool = False, **options: Any) -> Fit:
    def fit(table: Array, targets: Array, weights: Array, directions: Sequence[int]) -> Parts:
        from sklearn import ensemble

        limits = list(directions) if monotone and any(directions) else None
        made = getattr(ensemble, kind)(TREES, random_state=0, n_jobs=1, monotonic_cst=limits, **options)
        made.fit(table, targets, sample_weight=weights)
        return [(1.0, flatten([tree.tree_ for tree in made.estimators_], 1 / TREES))]

    return fit


def _boosting(table: Array, targets: Array, weights: Array, directions: Sequence[int]) -> Parts:
    from sklearn.ensemble import GradientBoostingRegressor

    made = GradientBoostingRegressor(
        n_estimators=120, learning_rate=0.05, max_depth=3, subsample=0.7, max_features=0.2, random_state=0
    )
    made.fit(table, targets, sample_weight=weights)
    trees = flatten([tree.tree_ for tree in made.estimators_.ravel()], made.learning_rate)
    start, zero = float(np.ravel(made.init_.constant_)[0]), np.zeros(table.shape[1])
    return [(1.0, trees), (1.0, Linear(zero, zero + 1, zero, zero, zero, start))]


def _standardized(table: Array) -> tuple[Array, ...]:
    """Mean and scale, the standardized table cut off at its 1st and 99th percentile, and these limits."""
    mean, scale = table.mean(axis=0), table.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    standard = (table - mean) / scale
    low, high = np.percentile(standard, [1, 99], axis=0)
    return mean, scale, low, high, np.clip(standard, low, high)


def _ridge(table: Array, targets: Array, weights: Array, directions: Sequence[int]) -> Parts:
    from sklearn.linear_model import Ridge

    mean, scale, low, high, standard = _standardized(table)
    made = Ridge(alpha=len(targets)).fit(standard, targets, sample_weight=weights)
    return [(1.0, Linear(mean, scale, low, high, made.coef_, float(made.intercept_)))]


def _ordinal(table: Array, targets: Array, weights: Array, directions: Sequence[int]) -> Parts:
    """Proportional odds with an L2 penalty: the raw value is the log odds, brought to the targets' unit."""
    from scipy.optimize import minimize

    mean, scale, low, high, standard = _standardized(table)
    levels = np.digitize(targets, [1 / 3, 2 / 3])
    penalty = len(targets) / 10

    def loss(values: Array) -> tuple[float, Array]:
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

    start = np.concatenate([[-1.0, 0.0], np.zeros(table.shape[1])])
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x[2:]
    raw = standard @ fitted
    unit = float(np.cov(raw, targets)[0, 1] / max(raw.var(), 1e-12))
    intercept = float(targets.mean() - unit * raw.mean())
    return [(1.0, Linear(mean, scale, low, high, fitted * unit, intercept))]


def _blend(*sample: Any) -> Parts:
    return [(weight / 2, part) for name in ("extra_trees", "ridge") for weight, part in ESTIMATORS[name](*sample)]


ESTIMATORS: Mapping[str, Fit] = {
    "forest": _forest("RandomForestRegressor", max_features=0.2, min_samples_leaf=3),
    "extra_trees": _forest("ExtraTreesRegressor", max_features=0.3, min_samples_leaf=3),
    "monotone_trees": _forest("ExtraTreesRegressor", max_features=0.3, min_samples_leaf=3, monotone=True),
    "boosting": _boosting,
    "ridge": _ridge,
    "ordinal": _ordinal,
    "blend": _blend,
}
"""The estimators by name; ``blend`` is the mean of two."""


def flatten(trees: Sequence[Any], weight: float) -> Trees:
    """scikit-learn's trees, one after another, in plain arrays."""

    def column(name: str) -> Array:
        return np.concatenate([getattr(tree, name) for tree in trees])

    sizes = [tree.node_count for tree in trees]
    roots = np.cumsum([0, *sizes[:-1]])
    offset, leaf = np.repeat(roots, sizes), column("children_left") < 0
    return Trees(
        roots.astype(np.int32),
        np.where(leaf, -1, column("feature")).astype(np.int32),
        np.where(leaf, 0.0, column("threshold")),
        np.where(leaf, 0, column("children_left") + offset).astype(np.int32),
        np.where(leaf, 0, column("children_right") + offset).astype(np.int32),
        column("value")[:, 0, 0] * weight,
    )
