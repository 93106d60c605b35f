"""Pairs of Chinese words that may replace each other: ``sema_chinese/tables/glosses.npz``.

    python -m training.chinese.synonyms [--to FILE]

A pair's signals (:mod:`training.chinese.glosses`) are weighed by a logistic regression that is fitted to one half of
the hard words that people replaced (:mod:`training.chinese.substitutes`); the other half measures it
(``benchmarks/results/finished.md``). The threshold lets a given share of false pairs through.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sema_chinese.relations import GLOSSES
from sema_chinese.substitutes import are_opposed
from sema_chinese.words import word_table

from sema.runtime.pairs import save_pairs
from training.chinese.glosses import LEAST_CHARACTERS, LEAST_HEADS, Floats, Glosses
from training.chinese.substitutes import Pairs, read_substitutes, unrelated
from training.command import command

FALSE = 0.001
"""The share of false pairs of the fitted half that get through."""
MOST = 1_000_000
"""How many pairs ship at most."""
Scorer = Callable[[Floats], Floats]


def signals_of(glosses: Glosses, pairs: Pairs) -> Floats:
    """The signals of pairs, zeros where the dictionary lacks a word (pairs, signals)."""
    known = [place for place, pair in enumerate(pairs) if all(word in glosses.numbers for word in pair)]
    first, second = (np.array([glosses.numbers[pairs[place][side]] for place in known], np.intp) for side in (0, 1))
    signals = glosses.signals(first, second)
    rows = np.zeros((len(pairs), signals.shape[1]))
    rows[known] = signals
    return rows


def looked_at(rows: Floats) -> NDArray[np.bool_]:
    """Whether pairs are candidates."""
    wanted: NDArray[np.bool_] = (rows[:, 0] >= LEAST_HEADS) | (rows[:, 3] >= LEAST_CHARACTERS)
    return wanted


def fit(true: Floats, false: Sequence[Floats]) -> Scorer:
    """A score of signals and their products, fitted to the candidates among true and false pairs; minus infinity for
    any other pair."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler

    rows = np.concatenate([true, *false])
    used = looked_at(rows)
    model = make_pipeline(PolynomialFeatures(include_bias=False), StandardScaler(), LogisticRegression(max_iter=500))
    model.fit(rows[used], (np.arange(len(rows)) < len(true))[used])

    def score(rows: Floats) -> Floats:
        return np.where(looked_at(rows), model.decision_function(rows), -np.inf)

    return score


def threshold(score: Scorer, false: Sequence[Floats], share: float = FALSE) -> float:
    """The score that at most this share of each kind of false pairs exceeds."""
    return max(float(np.quantile(score(rows), 1 - share, method="higher")) for rows in false)


def fitted(glosses: Glosses) -> tuple[Scorer, float]:
    """The score and its threshold."""
    right, same_class = read_substitutes(0)
    true = signals_of(glosses, right)
    false = [signals_of(glosses, pairs) for pairs in (same_class, unrelated(0))]
    score = fit(true, false)
    return score, threshold(score, false)


def pairs(glosses: Glosses, score: Scorer, least: float) -> list[tuple[str, str]]:
    """The pairs above the threshold that are likeliest and of the most common words.

    Opposites are left out, and so are pairs of which one word has all characters of the other (规则, 不规则): those
    are judged by their forms.
    """
    zipf = np.array([word_table().zipf(word) for word in glosses.words])
    blocks = []
    for first, second in glosses.candidates():
        scores = score(glosses.signals(first, second))
        places = np.flatnonzero(scores > least)
        first, second = first[places], second[places]
        blocks.append((first, second, scores[places] + zipf[first] + zipf[second]))
    firsts, seconds, worth = map(np.concatenate, zip(*blocks, strict=True))
    order = np.argsort(-worth, kind="stable").tolist()
    likeliest = ((glosses.words[firsts[place]], glosses.words[seconds[place]]) for place in order)
    return list(islice((pair for pair in likeliest if not _holds(*pair) and not are_opposed(*pair)), MOST))


def _holds(first: str, second: str) -> bool:
    """Whether one of two words has all characters of the other."""
    return set(first) <= set(second) or set(second) <= set(first)


@command
def main(to: Path = GLOSSES) -> None:
    """Write the table."""
    glosses = Glosses()
    kept = pairs(glosses, *fitted(glosses))
    save_pairs(to, kept)


if __name__ == "__main__":
    main()
