"""The estimators compared for a judge: trees and ridge regression from scikit-learn, converted to plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from sema.judges.model import Array, Linear, Parts, Trees

Fit = Callable[[Array, Array, Array], Parts]
"""Fits to features (items, features), ratings between 0 and 1, and the items' weights."""

TREES = 80


def _extra_trees(table: Array, targets: Array, weights: Array) -> Parts:
    from sklearn.ensemble import ExtraTreesRegressor

    made = ExtraTreesRegressor(TREES, max_features=0.3, min_samples_leaf=3, random_state=0, n_jobs=1)
    made.fit(table, targets, sample_weight=weights)
    return [(1.0, flatten([tree.tree_ for tree in made.estimators_], 1 / TREES))]


def _ridge(table: Array, targets: Array, weights: Array) -> Parts:
    """Ridge regression on standardized features, clipped to their 1st and 99th percentiles."""
    from sklearn.linear_model import Ridge

    mean, scale = table.mean(axis=0), table.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    standard = (table - mean) / scale
    low, high = np.percentile(standard, [1, 99], axis=0)
    made = Ridge(alpha=len(targets)).fit(np.clip(standard, low, high), targets, sample_weight=weights)
    return [(1.0, Linear(mean, scale, low, high, made.coef_, float(made.intercept_)))]


def _blend(table: Array, targets: Array, weights: Array) -> Parts:
    fitted = (_extra_trees(table, targets, weights), _ridge(table, targets, weights))
    return [(weight / 2, part) for parts in fitted for weight, part in parts]


ESTIMATORS: Mapping[str, Fit] = {"extra_trees": _extra_trees, "ridge": _ridge, "blend": _blend}
"""The estimators by name; ``blend`` is the mean of the other two."""


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
