"""Pairs of Chinese words that may replace each other: ``sema_chinese/tables/glosses.npz``.

    python -m training.chinese.synonyms [--to FILE]

A pair's signals (:mod:`training.chinese.glosses`) are weighed by a logistic regression that is fitted to one half of
the hard words that people replaced (:mod:`training.chinese.substitutes`); the other half measures it
(``python -m benchmarks.alignment.chinese_synonyms``). The threshold lets a given share of false pairs through.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sema_chinese.antonyms import are_opposed
from sema_chinese.listed import FOLDER
from sema_ppdb.index import save_pairs

from training.chinese.glosses import LEAST_CHARACTERS, LEAST_HEADS, Floats, Glosses
from training.chinese.substitutes import Pairs, Sets, read_sets

FALSE = 0.0008
"""The share of false pairs of the fitted half that get through."""
PARTNERS = 24
"""The most partners of a word, the likeliest."""
Scorer = Callable[[Floats], Floats]


def signals_of(glosses: Glosses, pairs: Pairs) -> Floats:
    """The signals of pairs, zeros where the dictionary lacks a word (pairs, signals)."""
    numbers = [(glosses.numbers.get(a), glosses.numbers.get(b)) for a, b in pairs]
    known = [place for place, found in enumerate(numbers) if None not in found]
    first, second = ([numbers[place][side] for place in known] for side in (0, 1))
    found = glosses.signals(first, second)
    rows = np.zeros((len(pairs), found.shape[1]))
    rows[known] = found
    return rows


def looked_at(rows: Floats) -> NDArray[np.bool_]:
    """Whether pairs are candidates."""
    found: NDArray[np.bool_] = (rows[:, 0] >= LEAST_HEADS) | (rows[:, 3] >= LEAST_CHARACTERS)
    return found


def expanded(rows: Floats) -> Floats:
    """The signals with their products."""
    return np.concatenate([rows] + [rows[:, [i]] * rows[:, i:] for i in range(rows.shape[1])], axis=1)


def fit(true: Floats, false: Sequence[Floats], columns: Sequence[int] = range(6)) -> Scorer:
    """A score of signals, fitted to the candidates among true and false pairs; minus infinity for any other pair."""
    from sklearn.linear_model import LogisticRegression

    rows = np.concatenate([true, *false])
    labels = np.arange(len(rows)) < len(true)
    used = looked_at(rows)
    inputs = expanded(rows[used][:, columns])
    middle, spread = inputs.mean(0), inputs.std(0) + 1e-9
    model = LogisticRegression(max_iter=500).fit((inputs - middle) / spread, labels[used])
    weights = model.coef_[0] / spread

    def score(rows: Floats) -> Floats:
        return np.where(looked_at(rows), (expanded(rows[:, columns]) - middle) @ weights, -np.inf)

    return score


def threshold(score: Scorer, false: Sequence[Floats], share: float = FALSE) -> float:
    """The score that at most this share of each kind of false pairs exceeds."""
    return max(float(np.quantile(score(rows), 1 - share, method="higher")) for rows in false)


def fitted(glosses: Glosses, sets: Sets) -> tuple[Scorer, float]:
    """The score and its threshold."""
    true = signals_of(glosses, sets.true)
    false = [signals_of(glosses, pairs) for pairs in (sets.same_class, sets.unrelated)]
    score = fit(true, false)
    return score, threshold(score, false)


def pairs(glosses: Glosses, score: Scorer, least: float) -> list[tuple[str, str]]:
    """The pairs above the threshold, opposites left out; each word keeps its likeliest partners."""
    found: list[tuple[float, str, str]] = []
    for first, second in glosses.candidates():
        scores = score(glosses.signals(first.tolist(), second.tolist()))
        for place in np.flatnonzero(scores > least).tolist():
            found.append((-float(scores[place]), glosses.words[first[place]], glosses.words[second[place]]))
    partners: Counter[str] = Counter()
    kept = []
    for _, one, other in sorted(found):
        if max(partners[one], partners[other]) < PARTNERS and not are_opposed(one, other):
            kept.append((one, other))
            partners.update((one, other))
    return kept


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=FOLDER / "glosses.npz", help="output file")
    file = parser.parse_args().to
    glosses = Glosses()
    kept = pairs(glosses, *fitted(glosses, read_sets(0)))
    save_pairs(file, kept)
    print(f"{len(kept):,} pairs, {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
