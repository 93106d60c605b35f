"""Trains a judge: compares estimators by cross-validation over sources, fits the best one and calibrates its scale.

The folds keep the outputs of one source together, so that figures hold for unseen sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from sema.errors import InputError, ResourceError
from sema.judges.estimators import ESTIMATORS, Part, Sample, signs
from sema.judges.model import LABELS, Judge, JudgeScale, raw_values

if TYPE_CHECKING:
    from numpy import bool_, float64, int64
    from numpy.typing import NDArray

FOLDS = 5
LEAST_SOURCES = 10
"""The number of different sources needed for meaningful folds."""


@dataclass(frozen=True)
class Examples:
    """Rated items as numbers.

    Attributes:
        names: the features' full names.
        table: their values (items, features).
        targets: ratings between 0 and 1.
        sources: the source of each item, for the folds.
        sets: the set that each item comes from.
    """

    names: tuple[str, ...]
    table: NDArray[float64]
    targets: NDArray[float64]
    sources: tuple[str, ...]
    sets: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.targets)

    @property
    def weights(self) -> NDArray[float64]:
        """A weight for each item: a set counts by the square root of its size, so that none dominates."""
        _, place, counts = np.unique(self.sets, return_inverse=True, return_counts=True)
        weights = 1 / np.sqrt(counts[place])
        return np.asarray(weights / weights.mean(), np.float64)

    def select(self, chosen: NDArray[bool_] | NDArray[int64]) -> Examples:
        """Some of the items."""
        places = np.arange(len(self))[chosen].tolist()
        return Examples(
            self.names,
            self.table[places],
            self.targets[places],
            tuple(self.sources[place] for place in places),
            tuple(self.sets[place] for place in places),
        )

    def columns(self, names: Sequence[str]) -> Examples:
        """Some of the features."""
        places = [self.names.index(name) for name in names]
        return Examples(tuple(names), self.table[:, places], self.targets, self.sources, self.sets)


@dataclass(frozen=True)
class Figures:
    """How predictions agree with ratings."""

    pearson: float
    mae: float
    rmse: float
    accuracy: float

    @classmethod
    def of(cls, predicted: NDArray[float64], targets: NDArray[float64], labels: NDArray[int64]) -> Figures:
        """Figures of predicted ratings and classes; errors in points of 0-100, accuracy in percent."""
        errors = 100 * (np.clip(predicted, 0, 1) - targets)
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
        estimator: the name of what it is made of.
        compared: cross-validated figures of every estimator.
        out_of_fold: the chosen estimator's predictions for items of unseen sources.
        examples: what it was trained on.
        importance: loss of correlation when a feature's values are shuffled (out of fold), the greatest first.
    """

    judge: Judge
    estimator: str
    compared: dict[str, Figures]
    out_of_fold: NDArray[float64] = field(repr=False)
    examples: Examples = field(repr=False)
    importance: dict[str, float] = field(repr=False)


def classes(targets: NDArray[float64]) -> NDArray[int64]:
    """The class of each rating: bad, ok and good are the thirds of the scale."""
    return np.digitize(targets, [1 / 3, 2 / 3])


def pearson(first: NDArray[float64], second: NDArray[float64]) -> float:
    """Pearson's correlation; 0 where one does not vary."""
    if first.std() < 1e-12 or second.std() < 1e-12:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


def folds(sources: Sequence[str], count: int = FOLDS, seed: int = 0) -> NDArray[int64]:
    """The fold of each item; items of one source share theirs."""
    different = sorted(set(sources))
    order = np.random.default_rng(seed).permutation(len(different))
    fold_of = {source: int(place) % count for source, place in zip(different, order, strict=True)}
    return np.array([fold_of[source] for source in sources])


def cross_validate(
    name: str, examples: Examples, aspect: str, count: int = FOLDS, tell: Callable[[], None] = lambda: None
) -> tuple[NDArray[float64], list[tuple[NDArray[int64], list[tuple[float, Part]]]]]:
    """Out-of-fold predictions of an estimator, and for each fold its items and what was fitted without them.

    ``tell`` is called after each fold.
    """
    fold_of = folds(examples.sources, count)
    weights = examples.weights
    directions = signs(aspect, examples.names)
    predicted = np.zeros(len(examples))
    fitted = []
    for fold in range(count):
        seen, unseen = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
        if len(unseen):
            parts = ESTIMATORS[name](Sample(examples.table[seen], examples.targets[seen], weights[seen], directions))
            predicted[unseen] = raw_values(parts, examples.table[unseen])
            fitted.append((unseen, parts))
        tell()
    return predicted, fitted


def train_judge(
    examples: Examples,
    aspect: str,
    language: str,
    groups: Sequence[str],
    *,
    estimators: Sequence[str] = ("forest", "extra_trees", "monotone_trees", "boosting", "ridge", "ordinal", "blend"),
    about: dict[str, Any] | None = None,
    scale_set: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Trained:
    """Compare estimators, fit the best and calibrate its scale.

    Args:
        examples: the rated items.
        aspect: what was rated.
        language: code of the texts' language.
        groups: the feature groups of the examples' features.
        estimators: names among :data:`~sema.judges.estimators.ESTIMATORS`; the one with the best cross-validated
            correlation is taken.
        about: information to store with the judge.
        scale_set: the set whose ratings determine classes and scale; by default all.
        progress: called with completed and total steps: the folds of each estimator, and two final steps.

    Raises:
        InputError: too few sources, or ratings that do not vary.
        ResourceError: scikit-learn is not installed.
    """
    if find_spec("sklearn") is None:
        raise ResourceError("training a judge needs the package scikit-learn: pip install scikit-learn")
    if len(set(examples.sources)) < LEAST_SOURCES:
        raise InputError(
            f"there are ratings for {len(set(examples.sources))} sources, and {LEAST_SOURCES} are needed; rate more"
        )
    if examples.targets.std() < 1e-9:
        raise InputError("all ratings are the same; there is nothing to learn")
    steps = count(1)

    def tell() -> None:
        if progress is not None:
            progress(next(steps), len(estimators) * FOLDS + 2)

    found = {name: cross_validate(name, examples, aspect, tell=tell) for name in estimators}
    scaled = np.array([scale_set in (None, name) for name in examples.sets])
    scales = {name: fit_scale(predicted[scaled], examples.targets[scaled]) for name, (predicted, _) in found.items()}
    compared = {
        name: _figures(predicted[scaled], examples.targets[scaled], scales[name])
        for name, (predicted, _) in found.items()
    }
    best = max(estimators, key=lambda name: compared[name].pearson)
    directions = signs(aspect, examples.names)
    parts = ESTIMATORS[best](Sample(examples.table, examples.targets, examples.weights, directions))
    judge = Judge(aspect, language, tuple(groups), examples.names, tuple(parts), scales[best], about or {})
    tell()
    predicted, fitted = found[best]
    lost = importance(examples, predicted, fitted)
    tell()
    return Trained(judge, best, compared, predicted, examples, lost)


def _figures(raw: NDArray[float64], targets: NDArray[float64], scale: JudgeScale) -> Figures:
    labels = scale.probabilities(raw).argmax(axis=1)
    return Figures.of(scale.scores(raw) / 100, targets, labels)


def fit_scale(raw: NDArray[float64], targets: NDArray[float64]) -> JudgeScale:
    """The scale for raw values with known ratings (out-of-fold values, else it is overconfident).

    Scores are ratings predicted by a straight line, clipped to 0-100; classes come from a cumulative logistic model
    of the raw value, by maximum likelihood.
    """
    spread = float(raw.var())
    slope = max(float(np.cov(raw, targets, bias=True)[0, 1]) / spread, 1e-3) if spread > 1e-12 else 1.0
    middle, mean = float(raw.mean()), float(targets.mean())
    points = ((middle - mean / slope, middle + (1 - mean) / slope), (0.0, 100.0))
    steepness, cuts = _cumulative(raw, classes(targets))
    return JudgeScale(points, steepness, cuts)


def _cumulative(raw: NDArray[float64], labels: NDArray[int64]) -> tuple[float, tuple[float, float]]:
    from scipy.optimize import minimize

    unit = max(float(raw.std()), 1e-9)
    standard = (raw - raw.mean()) / unit

    def loss(values: NDArray[float64]) -> float:
        scale = JudgeScale(
            ((0.0, 1.0), (0.0, 100.0)), float(np.exp(values[0])), (values[1], values[1] + np.exp(values[2]))
        )
        chances = scale.probabilities(standard)[np.arange(len(labels)), labels]
        return float(-np.log(np.maximum(chances, 1e-9)).sum() + 0.01 * (values**2).sum())

    found = minimize(loss, np.array([0.0, -1.0, 0.0]), method="Nelder-Mead", options={"maxiter": 2000}).x
    steepness = float(np.exp(found[0])) / unit
    shift = steepness * float(raw.mean())
    return steepness, (float(found[1]) + shift, float(found[1] + np.exp(found[2])) + shift)


def importance(
    examples: Examples,
    predicted: NDArray[float64],
    fitted: Sequence[tuple[NDArray[int64], Sequence[tuple[float, Part]]]],
    count: int = 30,
) -> dict[str, float]:
    """The loss of out-of-fold correlation when one feature's values are shuffled, in descending order.

    Computed for the ``count`` features that contribute most on average.
    """
    moved = np.zeros(examples.table.shape[1])
    for items, parts in fitted:
        for weight, part in parts:
            moved += weight * np.abs(part.contributions(examples.table[items])[0]).sum(axis=0)
    start = pearson(predicted, examples.targets)
    shuffle = np.random.default_rng(0)
    lost = {}
    for column in np.argsort(-moved)[:count].tolist():
        changed = predicted.copy()
        for items, parts in fitted:
            table = examples.table[items]
            table[:, column] = shuffle.permutation(table[:, column])
            changed[items] = raw_values(parts, table)
        lost[examples.names[column]] = start - pearson(changed, examples.targets)
    return dict(sorted(lost.items(), key=lambda entry: -entry[1]))


def confusion(labels: NDArray[int64], truth: NDArray[int64]) -> list[list[int]]:
    """A confusion matrix: people's classes in rows, the judge's in columns; bad, ok, good."""
    size = len(LABELS)
    return [[int(((truth == row) & (labels == column)).sum()) for column in range(size)] for row in range(size)]


SHOWN_FEATURES = 15
SAMPLES = 1000


def interval(first: np.ndarray, second: np.ndarray, *, samples: int = SAMPLES, seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of Pearson's correlation by bootstrap over the items."""
    draws = np.random.default_rng(seed).integers(0, len(first), (samples, len(first)))
    found = [pearson(first[draw], second[draw]) for draw in draws]
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def training_report(trained: Trained) -> str:
    """Markdown: what was trained on, every estimator's cross-validated figures, classes and what matters."""
    examples, judge = trained.examples, trained.judge
    low, high = interval(trained.out_of_fold, examples.targets)
    labels = judge.scale.probabilities(trained.out_of_fold).argmax(axis=1)
    sets = ", ".join(f"{name or 'ratings'} {count}" for name, count in Counter(examples.sets).items())
    lines = [
        f"# Judge of {judge.aspect} ({judge.language})",
        "",
        f"{len(examples)} rated pairs ({sets}) of {len(set(examples.sources))} sources; {len(examples.names)} features "
        f"of {', '.join(judge.groups)}.",
        "All figures are cross-validated: the judge of a pair has not seen its source.",
        "",
        "| estimator | Pearson | MAE | RMSE | accuracy % |",
        "|---|---|---|---|---|",
    ]
    for name, found in trained.compared.items():
        chosen = " (chosen)" if name == trained.estimator else ""
        lines.append(
            f"| {name}{chosen} | {found.pearson:.3f} | {found.mae:.2f} | {found.rmse:.2f} | {found.accuracy:.1f} |"
        )
    majority = 100 * max(Counter(classes(examples.targets).tolist()).values()) / len(examples)
    lines += [
        "",
        f"Chosen: {trained.estimator}; 95 % interval of its correlation over all pairs {low:.3f} to {high:.3f}, "
        f"by bootstrap. The largest class has {majority:.1f} % of the pairs.",
        "",
        f"| people \\ judge | {' | '.join(LABELS)} |",
        "|---|---|---|---|",
    ]
    for label, row in zip(LABELS, confusion(labels, classes(examples.targets)), strict=True):
        lines.append(f"| {label} | {' | '.join(map(str, row))} |")
    lines += [
        "",
        "What matters (correlation lost when the feature is shuffled):",
        "",
        "| feature | loss |",
        "|---|---|",
    ]
    lines += [f"| {name} | {loss:.4f} |" for name, loss in list(trained.importance.items())[:SHOWN_FEATURES]]
    return "\n".join(lines) + "\n"
