"""Trains a judge: compares estimators by cross-validation over sources, fits the best one and calibrates its scale.

The estimators are trees and ridge regression from scikit-learn, converted to plain arrays.
The folds keep the outputs of one source together, so that figures hold for unseen sources.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.errors import InputError, ResourceError
from sema.judges.model import Array, Judge, JudgeScale, Linear, Parts, Trees, raw_values

Integers = NDArray[np.int64]
Fit = Callable[[Array, Array, Array], Parts]
"""Fits to features (items, features), ratings between 0 and 1, and the items' weights."""
FOLDS = 5
LEAST_SOURCES = 10
"""The number of different sources needed for meaningful folds."""
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


@dataclass(frozen=True)
class Examples:
    """Rated items as numbers.

    Attributes:
        names: the features' full names.
        table: their values (items, features).
        targets: ratings between 0 and 1.
        sources: the source of each item, for the folds.
        sets: the set that each item comes from.
        emphasis: how many times a set counts, by its name (default: once).
    """

    names: tuple[str, ...]
    table: Array
    targets: Array
    sources: tuple[str, ...]
    sets: tuple[str, ...]
    emphasis: Mapping[str, float] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.targets)

    @property
    def weights(self) -> Array:
        """A weight for each item: a set counts by the square root of its size, so that none dominates."""
        _, place, counts = np.unique(self.sets, return_inverse=True, return_counts=True)
        weights = np.array([self.emphasis.get(name, 1.0) for name in self.sets]) / np.sqrt(counts[place])
        return np.asarray(weights / weights.mean(), np.float64)

    def columns(self, names: Sequence[str]) -> Examples:
        """Some of the features."""
        places = [self.names.index(name) for name in names]
        return replace(self, names=tuple(names), table=self.table[:, places])


@dataclass(frozen=True)
class Agreement:
    """How predictions agree with ratings."""

    pearson: float
    mae: float
    rmse: float
    accuracy: float

    @classmethod
    def of(cls, raw: Array, targets: Array, scale: JudgeScale) -> Agreement:
        """Figures of predicted raw values on a scale; errors in points of 0-100, accuracy in percent."""
        predicted = scale.scores(raw) / 100
        errors = 100 * (predicted - targets)
        labels = scale.probabilities(raw).argmax(axis=1)
        return cls(
            pearson(predicted, targets),
            float(np.abs(errors).mean()),
            float(np.sqrt((errors**2).mean())),
            100 * float((labels == classes(targets)).mean()),
        )


@dataclass(frozen=True)
class Trained:
    """A trained judge and its evaluation.

    Attributes:
        judge: fitted on all examples.
        estimator: the name of the estimator that was chosen.
        compared: cross-validated figures of every estimator.
        out_of_fold: the chosen estimator's predictions for items of unseen sources.
        examples: what it was trained on.
    """

    judge: Judge
    estimator: str
    compared: dict[str, Agreement]
    out_of_fold: Array = field(repr=False)
    examples: Examples = field(repr=False)


def classes(targets: Array) -> Integers:
    """The class of each rating: bad, ok and good are the thirds of the scale."""
    return np.digitize(targets, [1 / 3, 2 / 3])


def pearson(first: Array, second: Array) -> float:
    """Pearson's correlation; 0 where one does not vary."""
    if first.std() < 1e-12 or second.std() < 1e-12:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


def folds(sources: Sequence[str], count: int = FOLDS) -> Integers:
    """The fold of each item; items of one source share theirs."""
    different = sorted(set(sources))
    order = np.random.default_rng(0).permutation(len(different))
    fold_of = {source: int(place) % count for source, place in zip(different, order, strict=True)}
    return np.array([fold_of[source] for source in sources])


def cross_validate(
    fit: Fit, examples: Examples, count: int = FOLDS, advance: Callable[[], None] = lambda: None
) -> Array:
    """Out-of-fold predictions of an estimator; ``advance`` is called after each fold."""
    fold_of = folds(examples.sources, count)
    table, targets, weights = examples.table, examples.targets, examples.weights
    predicted = np.zeros(len(examples))
    for fold in range(count):
        seen, unseen = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
        if len(unseen):
            predicted[unseen] = raw_values(fit(table[seen], targets[seen], weights[seen]), table[unseen])
        advance()
    return predicted


def train_judge(
    examples: Examples,
    aspect: str,
    language: str,
    groups: Sequence[str],
    *,
    estimators: Mapping[str, Fit] = ESTIMATORS,
    about: dict[str, Any] | None = None,
    scale_set: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Trained:
    """Compare estimators, fit the best and calibrate its scale.

    Args:
        examples: the rated items.
        aspect: what was rated.
        language: code of the texts' language.
        groups: the feature groups of the examples' features.
        estimators: by name; the one with the best cross-validated correlation is taken.
        about: information to store with the judge.
        scale_set: the set whose ratings determine classes and scale; by default all.
        progress: called with completed and total steps: the folds of each estimator.

    Raises:
        InputError: too few sources, or ratings that do not vary.
        ResourceError: scikit-learn is not installed.
    """
    if find_spec("sklearn") is None:
        raise ResourceError("training a judge needs the package scikit-learn: pip install scikit-learn")
    if (sources := len(set(examples.sources))) < LEAST_SOURCES:
        raise InputError(f"there are ratings for {sources} sources, and {LEAST_SOURCES} are needed; rate more")
    if examples.targets.std() < 1e-9:
        raise InputError("all ratings are the same; there is nothing to learn")
    steps, total = count(1), len(estimators) * FOLDS
    validated = {
        name: cross_validate(fit, examples, advance=lambda: progress(next(steps), total))
        for name, fit in estimators.items()
    }
    scaled = np.array([scale_set in (None, name) for name in examples.sets])
    targets = examples.targets[scaled]
    scales = {name: fit_scale(predicted[scaled], targets) for name, predicted in validated.items()}
    compared = {name: Agreement.of(validated[name][scaled], targets, scale) for name, scale in scales.items()}
    best = max(estimators, key=lambda name: compared[name].pearson)
    parts = estimators[best](examples.table, examples.targets, examples.weights)
    judge = Judge(aspect, language, tuple(groups), examples.names, tuple(parts), scales[best], about or {})
    return Trained(judge, best, compared, validated[best], examples)


def fit_scale(raw: Array, targets: Array) -> JudgeScale:
    """Fit the scale to raw values with known ratings; unless they are out-of-fold, it is overconfident.

    Scores are ratings predicted by a straight line, clipped to 0-100; classes come from a cumulative logistic model
    of the raw value, by maximum likelihood.
    """
    spread = float(raw.var())
    slope = max(float(np.cov(raw, targets, bias=True)[0, 1]) / spread, 1e-3) if spread > 1e-12 else 1.0
    middle, mean = float(raw.mean()), float(targets.mean())
    points = ((middle - mean / slope, middle + (1 - mean) / slope), (0.0, 100.0))
    return JudgeScale(points, *_cumulative(raw, classes(targets)))


def _cumulative(raw: Array, labels: Integers) -> tuple[float, tuple[float, float]]:
    from scipy.optimize import minimize

    unit = max(float(raw.std()), 1e-9)
    standard = (raw - raw.mean()) / unit

    def loss(values: Array) -> float:
        cuts = (values[1], values[1] + np.exp(values[2]))
        scale = JudgeScale(((0.0, 1.0), (0.0, 100.0)), float(np.exp(values[0])), cuts)
        chances = scale.probabilities(standard)[np.arange(len(labels)), labels]
        return float(-np.log(np.maximum(chances, 1e-9)).sum() + 0.01 * (values**2).sum())

    fitted = minimize(loss, np.array([0.0, -1.0, 0.0]), method="Nelder-Mead", options={"maxiter": 2000}).x
    steepness = float(np.exp(fitted[0])) / unit
    shift = steepness * float(raw.mean())
    return steepness, (float(fitted[1]) + shift, float(fitted[1] + np.exp(fitted[2])) + shift)
