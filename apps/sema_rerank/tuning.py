"""Tuning the weights of a linear model over candidates' features to any metric or mix."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from statistics import fmean, stdev
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng

from sema import InputError, UsageError
from sema.errors import required
from sema_rerank.nbest import Candidate, NBest
from sema_rerank.pool import WORST, Array, Arrays, Objective, Pool

SAMPLED, KEPT = 300, 30
"""Pairs drawn for each source, and how many of the most different are learned from; 5,000 and 50 in the paper."""
REGULARIZATION = 0.01
"""scikit-learn's C of the logistic regression, as Hopkins and May's setting is for lists of this length."""
GENERATIONS, POPULATION, STEP = 80, 20, 0.3


def pro(arrays: Arrays, start: Array, seed: int) -> Array:
    """Weights by pairwise ranking optimization (Hopkins and May, EMNLP 2011; Xu et al. 2016, equation 9).

    A logistic regression tells the better of two candidates of a source from the worse, by the difference of their
    features. The problem is convex: ``start`` is returned only if there are no pairs.
    """
    linear_model = required("sklearn.linear_model")
    spread = arrays.spread
    differences, gains = _pairs(arrays, default_rng(seed))
    if not len(differences):
        return start
    scaled = differences / spread
    model = linear_model.LogisticRegression(C=REGULARIZATION, fit_intercept=False, max_iter=500)
    signs = np.concatenate([np.ones(len(scaled)), -np.ones(len(scaled))])
    model.fit(np.concatenate([scaled, -scaled]), signs, sample_weight=np.concatenate([gains, gains]) / gains.mean())
    return normalized(model.coef_[0] / spread, spread)


def _pairs(arrays: Arrays, random: Generator) -> tuple[Array, Array]:
    """Differences of features of better and worse candidates, and how much better."""
    differences, gains = [np.zeros((0, len(arrays.names)))], [np.zeros(0)]
    for features, values in zip(arrays.features, arrays.values, strict=True):
        scored = np.flatnonzero(values > WORST)
        if len(scored) < 2:
            continue
        first, second = random.choice(scored, SAMPLED), random.choice(scored, SAMPLED)
        gain = values[first] - values[second]
        best = np.argsort(-np.abs(gain))[:KEPT]
        best = best[np.abs(gain[best]) > 0.05]
        sign = np.sign(gain[best])
        differences.append((features[first[best]] - features[second[best]]) * sign[:, None])
        gains.append(np.abs(gain[best]))
    return np.concatenate(differences), np.concatenate(gains)


def search(arrays: Arrays, start: Array, seed: int) -> Array:
    """Weights that maximise the corpus score of the chosen candidates, by CMA-ES (Hansen 2016) from ``start``."""
    cma = required("cma")
    spread = arrays.spread
    begin = normalized(start, spread) * spread

    def loss(scaled: Array) -> float:
        # The norm of the weights changes no choice: a small penalty keeps it bounded.
        return -arrays.corpus(arrays.chosen(scaled / spread)) + 1e-3 * float(scaled @ scaled)

    options = {"seed": seed + 1, "verbose": -9, "maxiter": GENERATIONS, "popsize": POPULATION}
    strategy = cma.CMAEvolutionStrategy(begin, STEP, options)
    while not strategy.stop():
        asked = strategy.ask()
        strategy.tell(asked, [loss(np.asarray(centre)) for centre in asked])
    mean, best = np.asarray(strategy.result.xfavorite), np.asarray(strategy.result.xbest)
    centre = mean if loss(mean) <= loss(best) + 0.05 else best  # the centre of the search generalizes better
    return normalized(centre / spread, spread)


def normalized(weights: Array, spread: Array) -> Array:
    """The weights scaled so that the absolute values of weight times spread sum to 1."""
    total = float(np.abs(weights * spread).sum())
    return weights / total if total else weights


OPTIMIZERS: dict[str, Callable[..., Array]] = {"pro": pro, "search": search}
Decode = Callable[[Mapping[str, float]], Sequence[Sequence[Candidate]]]
"""The candidates of every source under some weights, the best first."""
HELD_OUT = 5
"""Every fifth source is held out: weights are chosen on what they were not tuned on."""
MANY_COPIES, LOST_WORDS = 0.9, 0.6


@dataclass(frozen=True)
class Round:
    """One round: the candidates that some weights decode, and the search on all candidates so far.

    Attributes:
        number: from 0; no search follows the last round.
        tuned, held_out: the objective of the best candidates on both parts of the corpus.
        copies: the share of them that are copies of their source, spaces and case aside.
        length: their length in words (characters where the language has no spaces), divided by that of the sources.
        candidates: candidates in the pool.
        weights: the weights that decoded this round.
        oracle: the objective if the best of the pool were chosen, tuned part.
        restarts: the objective that each restart reached on the pool, tuned part.
    """

    number: int
    tuned: float
    held_out: float
    copies: float
    length: float
    candidates: int
    weights: Mapping[str, float]
    oracle: float = math.nan
    restarts: tuple[float, ...] = ()

    @property
    def interval(self) -> tuple[float, float]:
        """Mean and 1.96 standard deviations of the restarts; the latter is 0 for one restart."""
        return fmean(self.restarts), 1.96 * stdev(self.restarts) if len(self.restarts) > 1 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The round as plain data, without the weights."""
        names = ("tuned", "held_out", "copies", "length", "candidates", "oracle")
        values = {name: getattr(self, name) for name in names}
        rounded = {name: round(value, 4) if math.isfinite(value) else None for name, value in values.items()}
        return {"round": self.number, **rounded, "restarts": [round(value, 4) for value in self.restarts]}


@dataclass(frozen=True)
class Tuned:
    """The result of tuning.

    Attributes:
        rounds: the learning curve.
        best: the number of the round whose weights are the best on what was held out.
    """

    rounds: tuple[Round, ...]
    best: int

    @property
    def weights(self) -> Mapping[str, float]:
        """The weights."""
        return self.rounds[self.best].weights

    @property
    def collapse(self) -> str | None:
        """A description of degenerate weights, which copy nearly everything or delete most words; else ``None``."""
        chosen = self.rounds[self.best]
        if chosen.copies > MANY_COPIES:
            return (
                f"collapsed to copying: {100 * chosen.copies:.0f} % of the outputs are their sources; choose another "
                "objective (BLEU is won by copies)"
            )
        if chosen.length < LOST_WORDS:
            return (
                f"collapsed to deleting: the outputs have {100 * chosen.length:.0f} % of the sources' words; choose an "
                "objective that asks for meaning too"
            )
        return None

    @property
    def unchanged(self) -> str | None:
        """A description of a search that found nothing better than the weights it started from; else ``None``."""
        if self.best:
            return None
        start = "the weights are the start's" if any(self.weights.values()) else "there are no weights"
        return f"tuning found nothing better than its start on the held-out sources: {start}; give more sources"


@dataclass(frozen=True, eq=False)
class Tuner:
    """Tunes weights round by round.

    Attributes:
        objective: the quantity to maximise.
        method: ``pro`` or ``search`` (:mod:`sema_rerank.tuning`).
        restarts: how many seeds each round's search is run with; the best result on the tuned part is taken.
        seed: of the first restart.
    """

    objective: Objective
    _: KW_ONLY
    method: str = "search"
    restarts: int = 3
    seed: int = 0

    def __post_init__(self) -> None:
        if self.objective.mix.uses_model:
            raise UsageError("'model' cannot be an objective of its own tuning; name metrics")

    def tune(
        self, lists: Sequence[NBest], decode: Decode, start: Mapping[str, float], *, rounds: int,
        progress: Callable[[Round], object] = lambda made: None,
    ) -> Tuned:  # fmt: skip
        """Tune on sources with their references; ``decode`` gives the candidates of all of them under weights.

        Raises:
            InputError: there are fewer than 10 sources, or candidates have no features.
            ResourceError: the package of the method is not installed.
        """
        if len(lists) < 2 * HELD_OUT:
            raise InputError(f"{len(lists)} sources are too few to tune on; give {2 * HELD_OUT} or more")
        pool, weights = Pool(lists, self.objective), dict(start)
        rounds_made: list[Round] = []
        for number in range(rounds + 1):
            made = self._round(number, weights, pool, decode(weights))
            if number < rounds:
                arrays = pool.arrays([place for place in range(len(lists)) if place % HELD_OUT])
                begin = normalized(np.array([weights.get(name, 0.0) for name in arrays.names]), arrays.spread)
                first, optimize = self.seed + 1000 * number, OPTIMIZERS[self.method]
                tried = [optimize(arrays, begin, seed) for seed in range(first, first + self.restarts)]
                reached = [arrays.corpus(arrays.chosen(one)) for one in tried]
                made = replace(made, oracle=arrays.oracle, restarts=tuple(reached))
                weights = dict(zip(arrays.names, tried[reached.index(max(reached))].tolist(), strict=True))
            rounds_made.append(made)
            progress(made)
        return Tuned(tuple(rounds_made), max(rounds_made, key=lambda made: made.held_out).number)

    def tune_lists(self, lists: Sequence[NBest]) -> Tuned:
        """Tune on n-best lists as they stand, from weights of 0."""
        return self.tune(lists, lambda weights: [ranked(nbest.candidates, weights) for nbest in lists], {}, rounds=1)

    def _round(
        self, number: int, weights: Mapping[str, float], pool: Pool, candidates: Sequence[Sequence[Candidate]]
    ) -> Round:
        """Add the candidates to the pool and measure the round."""
        measured = pool.add(candidates)
        if not pool.names:
            raise InputError("the candidates have no features to tune weights for; give each candidate 'features'")
        texts = [offered[0].text for offered in candidates]
        sources = [nbest.source for nbest in pool.lists]
        return Round(
            number,
            self.objective.of([worth for place, worth in enumerate(measured) if place % HELD_OUT]),
            self.objective.of([worth for place, worth in enumerate(measured) if not place % HELD_OUT]),
            fmean(text.lower().split() == source.lower().split() for text, source in zip(texts, sources, strict=True)),
            self._length(texts) / max(1, self._length(sources)),
            len(pool),
            weights,
        )

    def _length(self, texts: Sequence[str]) -> int:
        """The number of words; in a language without spaces, of characters."""
        spaced = self.objective.scorer.language.spaced
        return sum(len(text.split() if spaced else "".join(text.split())) for text in texts)


def ranked(candidates: Sequence[Candidate], weights: Mapping[str, float]) -> list[Candidate]:
    """The candidates by the sum of their features times the weights, the best first, with that as their score."""
    scored = [
        replace(given, score=sum(weights.get(name, 0.0) * value for name, value in given.features.items()))
        for given in candidates
    ]
    return sorted(scored, key=lambda candidate: -(candidate.score or 0.0))
