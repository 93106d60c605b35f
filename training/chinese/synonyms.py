"""Pairs of Chinese words that may replace each other: ``sema_chinese/tables/glosses.npz``.

    python -m training.chinese.synonyms [--to FILE]

A pair's signals (:mod:`training.chinese.glosses`) are weighed by a logistic regression that is fitted to one half of
the hard words that people replaced (``lexicons/zh/lexical_simplification``: 524 words in sentences, with substitutes by
six people); the other half measures it (``benchmarks/results/finished.md``). The threshold lets a given share of false
pairs through.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from sema_chinese.aligner import are_opposed
from sema_chinese.notation.spelling import number_value, plain
from sema_chinese.relations import FUNCTION_WORDS, GLOSSES
from sema_chinese.words import word_table

from sema.languages import find_language
from sema.runtime.pairs import save_pairs
from training.chinese.glosses import LEAST_CHARACTERS, LEAST_HEADS, Floats, Glosses
from training.command import command
from training.data.tables import read_lines, table

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


Pairs = Sequence[tuple[str, str]]

SENTENCES = 200
"""Sentences of MCTS dev that are paired with unrelated ones."""
APART = (2, 4, 6)
"""How many sentences further the unrelated ones are."""
MOST_FALSE = 60_000
"""The most false pairs of each kind."""


def half(word: str) -> int:
    """Which half a hard word belongs to."""
    return crc32(word.encode()) % 2


def read_substitutes(which: int) -> tuple[Pairs, Pairs]:
    """Hard words of a half with their substitutes, and false pairs: with words of other sentences of the same part of
    speech."""
    listing = table("lexicons", "zh", "lexical_simplification.tsv.gz")
    rows = [row for row in listing if half(row["word"]) == which]
    listed: dict[str, set[str]] = {}
    for row in rows:
        listed.setdefault(row["word"], {row["word"]}).update(row["substitutes"].split())
    true = [(row["word"], other) for row in rows for other in row["substitutes"].split()]
    false = [
        (row["word"], word)
        for row in rows
        for other in rows
        if row["pos"] == other["pos"] and row["word"] != other["word"]
        for word in (other["word"], *other["substitutes"].split())
        if word not in listed[row["word"]]
    ]
    return true, _some(false)


def _some(pairs: Pairs) -> Pairs:
    return random.Random(0).sample(pairs, min(MOST_FALSE, len(pairs)))


def unrelated(which: int) -> Pairs:
    """False pairs for a half: content words of sources and of simplifications of other sentences."""
    texts = []
    segmenter = find_language("zh").parts().segmenter
    for name in ("mcts.dev.orig", "mcts.dev.simp.0"):
        lines = read_lines("simplification", "mcts", "dataset", name)[:SENTENCES]
        texts.append([content_words(text.words) for text in segmenter.segment(lines)])
    sources, outputs = texts
    others = [(source, outputs[(number + step) % len(outputs)])
              for number, source in enumerate(sources) if number % 2 == which for step in APART]  # fmt: skip
    return _some([(a, b) for source, output in others for a in source for b in output if a != b])


def content_words(words: Sequence[str]) -> list[str]:
    """The content words of a sentence, in simplified characters."""
    bare = [plain(word) for word in words]
    return [word for word in bare if word.isalpha() and word not in FUNCTION_WORDS and number_value(word) is None]


@command
def main(to: Path = GLOSSES) -> None:
    """Write the table."""
    glosses = Glosses()
    kept = pairs(glosses, *fitted(glosses))
    save_pairs(to, kept)


if __name__ == "__main__":
    main()
