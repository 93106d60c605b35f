"""A judge: an ensemble of trees and linear models over named features, with each feature's contribution.

A judge is plain arrays. Its raw value is the weighted sum of its parts; a cumulative logistic model over the raw value
(ordinal regression, McCullagh 1980) gives the probabilities of *good*, *ok* and *bad*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, int32
    from numpy.typing import NDArray

LABELS = ("bad", "ok", "good")


@dataclass(frozen=True)
class Trees:
    """Regression trees, their nodes one after another.

    Attributes:
        roots: the first node of each tree.
        feature: the feature tested at a node; -1 for a leaf.
        threshold: a node's left child is taken where the feature is at most this.
        left, right: the children's indexes.
        value: the mean of the training targets at each node, times the tree's weight.
    """

    roots: NDArray[int32]
    feature: NDArray[int32]
    threshold: NDArray[float64]
    left: NDArray[int32]
    right: NDArray[int32]
    value: NDArray[float64]

    def contributions(self, table: NDArray[float64]) -> tuple[NDArray[float64], float]:
        """What each feature adds (items, features), and the sum of the roots' values.

        Along a path, each change of the node's value is attributed to the feature tested there (Saabas 2014);
        contributions and root values sum exactly to the prediction.
        """
        # Trees are trained and evaluated in single precision, so that thresholds split the same items.
        asked = table.astype(np.float32).astype(np.float64)
        items, width = table.shape
        found = np.zeros(items * width)
        rows = np.repeat(np.arange(items), len(self.roots))
        node = np.tile(self.roots, items)
        while len(rows):
            inner = self.feature[node] >= 0
            rows, node = rows[inner], node[inner]
            column = self.feature[node]
            smaller = asked[rows, column] <= self.threshold[node]
            below = np.where(smaller, self.left[node], self.right[node])
            found += np.bincount(rows * width + column, self.value[below] - self.value[node], minlength=items * width)
            node = below
        return found.reshape(items, width), float(self.value[self.roots].sum())


@dataclass(frozen=True)
class Linear:
    """A linear model over standardized features, clipped to the range seen in training.

    Attributes:
        mean, scale: of each feature in training.
        low, high: the limits to which standardized values are clipped.
        weights: of each standardized feature.
        intercept: the prediction for the mean of every feature.
    """

    mean: NDArray[float64]
    scale: NDArray[float64]
    low: NDArray[float64]
    high: NDArray[float64]
    weights: NDArray[float64]
    intercept: float

    def contributions(self, table: NDArray[float64]) -> tuple[NDArray[float64], float]:
        """What each feature adds (items, features), and the intercept."""
        standard = np.clip((table - self.mean) / self.scale, self.low, self.high)
        return standard * self.weights, self.intercept


@dataclass(frozen=True)
class JudgeScale:
    """From raw values to 0-100 and to classes.

    Attributes:
        points: raw values, ascending, and the score 0-100 of each; linear in between, constant beyond.
        slope: of the cumulative logistic model.
        cuts: its thresholds: ``P(at most bad)`` is the logistic of ``cuts[0] - slope * raw``, and so on.
    """

    points: tuple[tuple[float, ...], tuple[float, ...]]
    slope: float
    cuts: tuple[float, float]

    def scores(self, raw: NDArray[float64]) -> NDArray[float64]:
        """The scores, 0-100."""
        return np.interp(raw, *self.points)

    def probabilities(self, raw: NDArray[float64]) -> NDArray[float64]:
        """The probabilities of bad, ok and good (items, 3)."""
        exponent = np.clip(np.asarray(self.cuts)[None, :] - self.slope * raw[:, None], -50, 50)
        below = 1 / (1 + np.exp(-exponent))
        return np.column_stack([below[:, 0], below[:, 1] - below[:, 0], 1 - below[:, 1]])


@dataclass(frozen=True)
class Verdict:
    """A judge's verdict on one item: score 0-100, class, probabilities by class, and contributions in points."""

    score: float
    label: str
    probabilities: dict[str, float]
    contributions: dict[str, float]

    def drivers(self, count: int) -> list[tuple[str, float]]:
        """The features that contribute most, with their points (positive or negative)."""
        return sorted(self.contributions.items(), key=lambda entry: -abs(entry[1]))[:count]


@dataclass(frozen=True)
class Judge:
    """A judge of one aspect for one language.

    Attributes:
        aspect: what it judges (``fluency``).
        language: the language's code.
        groups: the feature groups that it reads.
        features: the features' full names, in column order.
        parts: the models, with their weights.
        scale: from raw values to scores and classes.
        about: its data, licence and figures, as plain data.
        digest: the checksum of its files, for signatures; empty for a judge that was not read from a folder.
    """

    aspect: str
    language: str
    groups: tuple[str, ...]
    features: tuple[str, ...]
    parts: tuple[tuple[float, Trees | Linear], ...]
    scale: JudgeScale
    about: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""

    def raw(self, table: NDArray[float64]) -> NDArray[float64]:
        """The raw values of items, from their features (items, features)."""
        return raw_values(self.parts, table)

    def contributions(self, table: NDArray[float64]) -> tuple[NDArray[float64], float]:
        """Each feature's contribution to the raw value (items, features), and the value without any."""
        found = [(weight, part.contributions(table)) for weight, part in self.parts]
        total = sum((weight * added for weight, (added, _) in found), np.zeros_like(table))
        return total, sum(weight * start for weight, (_, start) in found)

    def scores(self, table: NDArray[float64]) -> NDArray[float64]:
        """The scores of items, 0-100."""
        return self.scale.scores(self.raw(table))

    def verdicts(self, table: NDArray[float64]) -> list[Verdict]:
        """The judge's verdicts on items.

        Contributions are scaled to points: they sum to the score's distance from the judge's middle.
        """
        contributions, base = self.contributions(table)
        raw = contributions.sum(axis=1) + base
        scores = self.scale.scores(raw)
        probabilities = self.scale.probabilities(raw)
        middle = float(self.scale.scores(np.array([base]))[0])
        moved = contributions.sum(axis=1)
        found = []
        for index, score in enumerate(scores.tolist()):
            points = (score - middle) / moved[index] if abs(moved[index]) > 1e-9 else self._slope
            shares = dict(zip(LABELS, probabilities[index].tolist(), strict=True))
            added = dict(zip(self.features, (contributions[index] * max(points, 0.0)).tolist(), strict=True))
            found.append(Verdict(score, max(LABELS, key=lambda label: shares[label]), shares, added))
        return found

    @cached_property
    def _slope(self) -> float:
        """Points per unit of the raw value, over the whole scale."""
        raw, scores = self.scale.points
        return (scores[-1] - scores[0]) / max(raw[-1] - raw[0], 1e-9)


def raw_values(parts: Sequence[tuple[float, Trees | Linear]], table: NDArray[float64]) -> NDArray[float64]:
    """The raw values of items (items,) by weighted parts."""
    total = np.zeros(len(table))
    for weight, part in parts:
        found, base = part.contributions(table)
        total += weight * (found.sum(axis=1) + base)
    return total


def select(names: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """The columns of ``wanted`` among ``names``.

    Raises:
        KeyError: one is not there.
    """
    places = {name: index for index, name in enumerate(names)}
    return [places[name] for name in wanted]
