"""Beam search from left to right over the ways to rewrite a sentence, by a linear model with two language models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from sema_english.ngrams import BEGIN, LAST, History, NgramModel

from sema_simplifier.features import INDEX, Vector
from sema_simplifier.rules import Phrase

BEAM, OPTIONS = 40, 8
"""Hypotheses that are kept at each position, and options that are tried there, the best by their own features."""
LM_NORMAL, LM_SIMPLE, CHANGED = INDEX["lm_normal"], INDEX["lm_simple"], INDEX["changed"]


@dataclass(frozen=True)
class Option:
    """A stretch of ``length`` tokens from ``start`` on that may become ``target``; ``vector`` has its own features."""

    start: int
    length: int
    target: Phrase
    vector: Vector


@dataclass(frozen=True)
class Derivation:
    """A rewriting of a sentence: the applied options in order, their features and score."""

    applied: tuple[Option, ...]
    vector: Vector
    score: float


class _Step(NamedTuple):
    """A step of the search: an option or a kept token."""

    score: float
    length: int
    option: Option | None
    normal: list[int]
    simple: list[int]


class _Hypothesis(NamedTuple):
    score: float
    normal: History
    simple: History
    applied: tuple[Option, ...] = ()


_score = attrgetter("score")


class BeamDecoder:
    """Finds the best derivations of a sentence by models of normal and of simple text."""

    def __init__(self, normal: NgramModel, simple: NgramModel) -> None:
        self._normal, self._simple = normal, simple

    def decode(self, words: Sequence[str], options: Sequence[Option], weights: Vector, count: int) -> list[Derivation]:
        """At most ``count`` derivations with different results, the best first.

        ``words`` are lower-cased; ``weights`` has a number for each feature.
        """
        steps = self._steps(words, options, weights)
        stacks: list[list[_Hypothesis]] = [[] for _ in range(len(words) + 1)]
        stacks[0].append(_Hypothesis(0.0, BEGIN, BEGIN))
        for place in range(len(words)):
            for hypothesis in nlargest(BEAM, stacks[place], key=_score):
                for step in steps[place]:
                    stacks[place + step.length].append(self._extend(hypothesis, step, weights))
        end = _Step(0.0, 0, None, [LAST], [LAST])
        last = nlargest(2 * BEAM, stacks[-1], key=_score)
        ended = [self._extend(hypothesis, end, weights) for hypothesis in last]
        return self._distinct(words, sorted(ended, key=_score, reverse=True), weights, count)

    def _steps(self, words: Sequence[str], options: Sequence[Option], weights: Vector) -> list[list[_Step]]:
        plain = weights.copy()
        plain[[LM_NORMAL, LM_SIMPLE, CHANGED]] = 0
        scores = np.stack([option.vector for option in options]) @ plain if options else np.zeros(0)
        by_place: list[list[tuple[float, Option]]] = [[] for _ in words]
        for score, option in zip(scores.tolist(), options, strict=True):
            by_place[option.start].append((score, option))
        by_start = []
        for word, scored in zip(words, by_place, strict=True):
            steps = [_Step(0.0, 1, None, self._normal.numbers([word]), self._simple.numbers([word]))]
            for score, option in nlargest(OPTIONS, scored, key=lambda entry: entry[0]):
                numbers = self._normal.numbers(option.target), self._simple.numbers(option.target)
                steps.append(_Step(score, option.length, option, *numbers))
            by_start.append(steps)
        return by_start

    def _extend(self, before: _Hypothesis, step: _Step, weights: Vector) -> _Hypothesis:
        normal, after_normal = self._normal.advance(before.normal, step.normal)
        simple, after_simple = self._simple.advance(before.simple, step.simple)
        score = before.score + step.score + weights[LM_NORMAL] * normal + weights[LM_SIMPLE] * simple
        applied = before.applied
        if step.option is not None:
            if not applied:
                score += weights[CHANGED]
            applied = (*applied, step.option)
        return _Hypothesis(score, after_normal, after_simple, applied)

    def _distinct(
        self, words: Sequence[str], ended: Sequence[_Hypothesis], weights: Vector, count: int
    ) -> list[Derivation]:
        copy = self._normal.sentence(words), self._simple.sentence(words)
        distinct: dict[Phrase, Derivation] = {}
        for hypothesis in ended:
            applied = hypothesis.applied
            result = _rewritten(words, applied)
            if not result or result in distinct or len(distinct) == count:
                continue
            vector = np.sum([option.vector for option in applied], axis=0) if applied else np.zeros(len(INDEX))
            vector[LM_NORMAL] = self._normal.sentence(result) - copy[0]
            vector[LM_SIMPLE] = self._simple.sentence(result) - copy[1]
            vector[CHANGED] = bool(applied)
            distinct[result] = Derivation(applied, vector, float(vector @ weights))
        return list(distinct.values())


def _rewritten(words: Sequence[str], applied: Sequence[Option]) -> Phrase:
    """The words after the options were applied."""
    result: list[str] = []
    place = 0
    for option in applied:
        result += [*words[place : option.start], *option.target]
        place = option.start + option.length
    return (*result, *words[place:])


def weight_vector(weights: Mapping[str, float]) -> Vector:
    """Weights by name as an array over all features; missing features weigh 0."""
    return np.array([weights.get(name, 0.0) for name in INDEX])
