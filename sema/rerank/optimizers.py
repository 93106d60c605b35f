"""Two ways to weights: pairwise ranking and a direct search. Both work on features divided by their spread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng

from sema.errors import missing_package
from sema.rerank.pool import WORST, Array, Arrays

SAMPLED, KEPT = 300, 30
"""Pairs drawn for each source, and how many of the most different are learned from; 5,000 and 50 in the paper."""
REGULARIZATION = 0.01
"""scikit-learn's C of the logistic regression, as Hopkins and May's setting is for lists of this length."""
GENERATIONS, POPULATION, STEP = 80, 20, 0.3
PENALTY = 100.0
"""What a share of copies beyond the limit costs the search, in points of the objective."""


def pro(arrays: Arrays, start: Array, *, seed: int = 0, most_copies: float = 1.0) -> Array:
    """Weights by pairwise ranking optimization (Hopkins and May, EMNLP 2011; Xu et al. 2016, equation 9).

    A logistic regression tells the better of two candidates of a source from the worse, by the difference of their
    features. ``start`` and ``most_copies`` play no part: the problem is convex, and knows pairs alone.

    Raises:
        ResourceError: scikit-learn is not installed.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ModuleNotFoundError as error:
        raise missing_package(error.name) from error
    spread = arrays.spread
    differences, gains = _pairs(arrays, default_rng(seed))
    if not len(differences):
        return start
    scaled = differences / spread
    model = LogisticRegression(C=REGULARIZATION, fit_intercept=False, max_iter=500)
    signs = np.concatenate([np.ones(len(scaled)), -np.ones(len(scaled))])
    model.fit(np.concatenate([scaled, -scaled]), signs, sample_weight=np.concatenate([gains, gains]) / gains.mean())
    return normalized(model.coef_[0] / spread, spread)


def _pairs(arrays: Arrays, random: Generator) -> tuple[Array, Array]:
    """Differences of features of better and worse candidates, and how much better."""
    differences: list[Array] = []
    gains: list[Array] = []
    for features, values in zip(arrays.features, arrays.values, strict=True):
        there = np.flatnonzero(values > WORST)
        if len(there) < 2:
            continue
        first, second = random.choice(there, SAMPLED), random.choice(there, SAMPLED)
        gain = values[first] - values[second]
        best = np.argsort(-np.abs(gain))[:KEPT]
        best = best[np.abs(gain[best]) > 0.05]
        sign = np.sign(gain[best])
        differences.append((features[first[best]] - features[second[best]]) * sign[:, None])
        gains.append(np.abs(gain[best]))
    if not differences:
        return np.zeros((0, len(arrays.names))), np.zeros(0)
    return np.concatenate(differences), np.concatenate(gains)


def search(arrays: Arrays, start: Array, *, seed: int = 0, most_copies: float = 1.0) -> Array:
    """Weights that make the corpus score of the chosen candidates high, by CMA-ES (Hansen 2016) from ``start``.

    Choices with more than a share of ``most_copies`` copies are made unattractive.

    Raises:
        ResourceError: the package ``cma`` is not installed.
    """
    try:
        from cma import CMAEvolutionStrategy
    except ModuleNotFoundError as error:
        raise missing_package(error.name) from error
    spread = arrays.spread
    begin = normalized(start, spread) * spread

    def loss(scaled: Array) -> float:
        chosen = arrays.chosen(scaled / spread)
        over = max(0.0, arrays.copied(chosen) - most_copies)
        # The length of the weights changes no choice, so that a little pull holds it where it is.
        return -arrays.corpus(chosen) + PENALTY * over + 1e-3 * float(scaled @ scaled)

    strategy: Any = CMAEvolutionStrategy(
        begin, STEP, {"seed": seed + 1, "verbose": -9, "maxiter": GENERATIONS, "popsize": POPULATION}
    )
    while not strategy.stop():
        asked = strategy.ask()
        strategy.tell(asked, [loss(np.asarray(found)) for found in asked])
    mean, best = np.asarray(strategy.result.xfavorite), np.asarray(strategy.result.xbest)
    found = mean if loss(mean) <= loss(best) + 0.05 else best  # the centre of the search generalizes better
    return normalized(found / spread, spread)


def normalized(weights: Array, spread: Array) -> Array:
    """The weights so long that, times the features' spread, their absolute values sum to 1."""
    total = float(np.abs(weights * spread).sum())
    return weights / total if total else weights


Optimizer = Callable[..., Array]
OPTIMIZERS: dict[str, Optimizer] = {"pro": pro, "search": search}
