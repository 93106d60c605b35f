"""Fits the scale: what signals of a pair count in the three scores, on graded stories and ratings by people.

Nothing the reader was taught is read here: stories that were held out, questeval (MIT) and QATS train. Coefficients
are not negative, so that nothing that speaks for a text counts against it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from sema.analysis.analyser import Analyser
from sema.meaning.compare import conflicts
from sema.meaning.evidence import word_sides
from sema.meaning.focus import read_all
from sema.meaning.signals import signals
from sema.model.item import Item, Need
from sema.model.scale import Signals
from sema.runtime.checksums import write_sums
from sema_english.meaning.reader import FILE, SCALE, EnglishReader
from sema_english.training.rated_meaning import QATS, qats, questeval

log = logging.getLogger("sema_english.training")
Numbers = NDArray[np.float64]

HELD_OUT = Path(__file__).parent / "held_out.jsonl"
"""Stories that the reader was not taught with."""
GRADES: Mapping[str, tuple[float, float, float]] = {
    "good": (0.95, 0.95, 0.96),
    "good2": (0.95, 0.95, 0.96),
    "minor": (0.80, 0.78, 0.95),
    "bad_near": (0.30, 0.50, 0.30),
    "bad_free": (0.30, 0.50, 0.30),
}
"""What each version of a story is worth in ``meaning``, ``meaning_recall`` and ``meaning_precision``."""
RATED = {QATS["good"]: 0.92, QATS["ok"]: 0.65, QATS["bad"]: 0.25}
CURVES: Mapping[str, tuple[str, ...]] = {
    "meaning": Signals._fields,
    "meaning_recall": ("kept", "least_kept", "linked_source", "said", "same", "agrees", "conflicts"),
    "meaning_precision": ("supported", "least_supported", "linked_output", "says", "same", "agrees", "conflicts"),
}
"""The signals that each score may count: recall none of the output's words, precision none of the source's."""
WEIGHTS: Mapping[str, tuple[float, float, float]] = {"stories": (1, 0.7, 1), "ratings": (1.5, 1, 0.15)}
RIDGE = 0.002
LEAST_CONFLICT = (1.0, 3.0)
"""What a conflict between facts counts at least and at most: they are rare here, and hardly ever false."""


@dataclass(frozen=True)
class Graded:
    """A pair and what it is worth in the three scores, in [0, 1]; ``source`` says which weights it has."""

    pair: tuple[str, str]
    worth: tuple[float, float, float]
    weight: tuple[float, float, float]


def graded_pairs() -> Iterator[Graded]:
    """The pairs that the scale is fitted on; each set counts as a whole, however many pairs it has."""
    stories = [json.loads(line) for line in HELD_OUT.read_text(encoding="utf-8").splitlines()]
    for name, worth in GRADES.items():
        for story in stories:
            yield Graded((story["source"], story[name]), worth, _each(WEIGHTS["stories"], len(stories)))
    rated = questeval()
    for pair in rated:
        value = float(np.clip(pair.rating / 100, 0.03, 0.97))
        yield Graded((pair.source, pair.output), (value,) * 3, _each(WEIGHTS["ratings"], len(rated)))
    rated = qats("train")
    for pair in rated:
        yield Graded((pair.source, pair.output), (RATED[pair.rating],) * 3, _each(WEIGHTS["ratings"], len(rated)))


def _each(weights: tuple[float, float, float], count: int) -> tuple[float, float, float]:
    first, second, third = (weight / count for weight in weights)
    return first, second, third


def signals_of(pairs: Sequence[tuple[str, str]], reader: EnglishReader) -> list[Signals]:
    """The signals of pairs, by the language's own parts."""
    from sema_english.language import english

    parts = english().parts()
    needs = {Need.LINKS, Need.LINK_WEIGHTS, Need.GRAPHS, Need.OUTPUT_SCENES}
    found: list[Signals] = []
    for start in range(0, len(pairs), 200):
        some = pairs[start : start + 200]
        sources, outputs = [source for source, _ in some], [output for _, output in some]
        (items,) = Analyser(parts, needs).prepare(sources, [outputs], segment=False)
        whole = [item for item in items if isinstance(item, Item)]
        if len(whole) != len(some):
            raise ValueError(f"{len(some) - len(whole)} graded pairs cannot be analysed; is a text empty?")
        sides = [word_sides(item, parts.function_words) for item in whole]
        for item, side, reading in zip(whole, sides, read_all(reader, whole, sides), strict=True):
            found.append(signals(*side, reading, len(conflicts(item, parts.fact_readers))))
        log.info("%d of %d graded pairs read", len(found), len(pairs))
    return found


def fit_curve(found: Numbers, worth: Numbers, weight: Numbers, names: Sequence[str]) -> dict[str, float]:
    """A logistic curve with coefficients of 0 or more; ``found`` (pairs, signals) with conflicts negative."""

    def loss(chosen: Numbers) -> float:
        total = chosen[0] + found @ chosen[1:]
        return float((weight * (np.logaddexp(0, total) - worth * total)).sum() / weight.sum()) + RIDGE * float(
            (chosen[1:] ** 2).sum()
        )

    begin = np.r_[0.0, np.full(len(names), 0.2)]
    limits = [LEAST_CONFLICT if name == "conflicts" else (0.0, 3.0) for name in names]
    fitted = minimize(loss, begin, bounds=[(-9.0, 9.0), *limits], method="L-BFGS-B").x
    curve = {"bias": round(float(fitted[0]), 4)}
    return curve | {name: round(float(v), 4) for name, v in zip(names, fitted[1:], strict=True) if v > 1e-3}


def fit_scale(folder: Path) -> None:
    """Fit the scale of a folder's reader and write it beside it."""
    (folder / SCALE).write_text(json.dumps({}), encoding="utf-8")
    write_sums(folder, [FILE, SCALE])
    graded = list(graded_pairs())
    found = np.array(signals_of([one.pair for one in graded], EnglishReader(folder)))
    found[:, -1] *= -1
    curves = {}
    for place, (name, fields) in enumerate(CURVES.items()):
        columns = [Signals._fields.index(field) for field in fields]
        worth, weight = (np.array([values[place] for values in rows]) for rows in _columns(graded))
        curves[name] = fit_curve(found[:, columns], worth, weight, fields)
    (folder / SCALE).write_text(json.dumps(curves, indent=1) + "\n", encoding="utf-8")
    write_sums(folder, [FILE, SCALE])


def _columns(graded: Sequence[Graded]) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    return [one.worth for one in graded], [one.weight for one in graded]
