"""A judge: an ensemble of trees and linear models over named features, with each feature's contribution.

A judge is plain arrays. Its raw value is the weighted sum of its parts; a cumulative logistic model over the raw value
(ordinal regression, McCullagh 1980) gives the probabilities of *good*, *ok* and *bad*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

LABELS = ("bad", "ok", "good")
Array = NDArray[np.float64]
Indexes = NDArray[np.int32]


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

    roots: Indexes
    feature: Indexes
    threshold: Array
    left: Indexes
    right: Indexes
    value: Array

    def contributions(self, table: Array) -> tuple[Array, float]:
        """What each feature adds (items, features), and the sum of the roots' values.

        Along a path, each change of the node's value is attributed to the feature tested there (Saabas 2014);
        contributions and root values sum exactly to the prediction.
        """
        # In single precision, as in training, so that thresholds split the same items.
        asked = table.astype(np.float32).astype(np.float64)
        items, width = table.shape
        parts = np.zeros(items * width)
        rows = np.repeat(np.arange(items), len(self.roots))
        node = np.tile(self.roots, items)
        while len(rows):
            inner = self.feature[node] >= 0
            rows, node = rows[inner], node[inner]
            column = self.feature[node]
            smaller = asked[rows, column] <= self.threshold[node]
            below = np.where(smaller, self.left[node], self.right[node])
            parts += np.bincount(rows * width + column, self.value[below] - self.value[node], minlength=items * width)
            node = below
        return parts.reshape(items, width), float(self.value[self.roots].sum())


@dataclass(frozen=True)
class Linear:
    """A linear model over standardized features, clipped to the range seen in training.

    Attributes:
        mean, scale: of each feature in training.
        low, high: the limits to which standardized values are clipped.
        weights: of each standardized feature.
        intercept: the prediction for the mean of every feature.
    """

    mean: Array
    scale: Array
    low: Array
    high: Array
    weights: Array
    intercept: float

    def contributions(self, table: Array) -> tuple[Array, float]:
        """What each feature adds (items, features), and the intercept."""
        standard = np.clip((table - self.mean) / self.scale, self.low, self.high)
        return standard * self.weights, self.intercept


Parts = Sequence[tuple[float, Trees | Linear]]
"""The models of an ensemble, each with its weight."""


@dataclass(frozen=True)
class JudgeScale:
    """Maps raw values to scores and to classes.

    Attributes:
        points: raw values, ascending, and the score 0-100 of each; linear in between, constant beyond.
        slope: of the cumulative logistic model.
        cuts: its thresholds: ``P(at most bad)`` is the logistic of ``cuts[0] - slope * raw``, and so on.
    """

    points: tuple[tuple[float, ...], tuple[float, ...]]
    slope: float
    cuts: tuple[float, float]

    def scores(self, raw: Array) -> Array:
        """The scores, 0-100."""
        return np.interp(raw, *self.points)

    def probabilities(self, raw: Array) -> Array:
        """The probabilities of bad, ok and good (items, 3)."""
        exponent = np.clip(np.asarray(self.cuts)[None, :] - self.slope * raw[:, None], -50, 50)
        below = 1 / (1 + np.exp(-exponent))
        return np.diff(below, axis=1, prepend=0.0, append=1.0)


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
    parts: Parts
    scale: JudgeScale
    about: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""

    def raw(self, table: Array) -> Array:
        """The raw values of items, from their features (items, features)."""
        return raw_values(self.parts, table)

    def scores(self, table: Array) -> Array:
        """The scores of items, 0-100."""
        return self.scale.scores(self.raw(table))

    def verdicts(self, table: Array) -> list[Verdict]:
        """The verdicts on items; contributions, in points, sum to the score's distance from that of the base values."""
        contributed = [(weight, part.contributions(table)) for weight, part in self.parts]
        contributions = sum((weight * added for weight, (added, _) in contributed), np.zeros_like(table))
        base = sum(weight * start for weight, (_, start) in contributed)
        moved = contributions.sum(axis=1)
        scores, probabilities = self.scale.scores(moved + base), self.scale.probabilities(moved + base)
        (middle,) = self.scale.scores(np.array([base]))
        values, limits = self.scale.points
        slope = (limits[-1] - limits[0]) / max(values[-1] - values[0], 1e-9)
        verdicts = []
        for index, score in enumerate(scores.tolist()):
            points = (score - middle) / moved[index] if abs(moved[index]) > 1e-9 else slope
            shares = dict(zip(LABELS, probabilities[index].tolist(), strict=True))
            added = dict(zip(self.features, (contributions[index] * max(points, 0.0)).tolist(), strict=True))
            verdicts.append(Verdict(score, max(LABELS, key=lambda label: shares[label]), shares, added))
        return verdicts


def raw_values(parts: Parts, table: Array) -> Array:
    """The raw values of items (items,) by weighted parts."""
    total = np.zeros(len(table))
    for weight, part in parts:
        contributed, base = part.contributions(table)
        total += weight * (contributed.sum(axis=1) + base)
    return total
