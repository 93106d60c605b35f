"""Which choices come closest to the iBLEU and FKBLEU columns of Xu et al. (TACL 2016), Table 5.

    python -m benchmarks.papers.xu2016_search

Over the authors' tokenised files: all eight references or the mean over the eight sets of seven, smoothing, a mean
over sentences or one score of the pooled counts, the reference length, and the weight alpha (the paper's is 0.9). A
choice is judged by the root of the mean squared difference from the printed column. Casing is no choice: the files
have no capital letter. FKBLEU is the geometric mean of iBLEU and sigmoid(FK(source) - FK(output)), or their product;
of pooled counts it is that of the pooled iBLEU and the difference of the mean FK.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sema_english.readability import fk

from benchmarks.papers.table5_2016 import REFERENCES, ROWS, read
from benchmarks.records import CommandLine, Figures, run
from sema.metrics.bleu import Smoothing, bleu_score, statistics

SMOOTHINGS: tuple[Smoothing, ...] = ("exp", "none", "floor", "add-k")
LENGTHS: Mapping[str, Callable[[Sequence[int], int], int]] = {
    "closest": lambda lengths, own: min(lengths, key=lambda length: (abs(length - own), length)),
    "shortest": lambda lengths, own: min(lengths),
    "mean, rounded": lambda lengths, own: round(fmean(lengths)),
    "mean, rounded down": lambda lengths, own: math.floor(fmean(lengths)),
    "longest": lambda lengths, own: max(lengths),
}
"""The length that the brevity penalty compares an output's with."""
PAPERS_ALPHA = 0.9
CLOSEST_LENGTH = "mean, rounded down"
"""The reference length with which both columns come closest."""
JUDGED = ("alpha .9", "without the Turker", "with it")
ALPHAS = (PAPERS_ALPHA, *(step / 100 for step in range(50, 101)))
TURKER = "Mechanical Turk"
PRINTED = {"iBLEU": 2, "FKBLEU": 3}
"""The columns of the table, and where they stand in its rows."""
Floats = NDArray[np.float64]
Line = tuple[str, ...]
Counts = Sequence[tuple[int, ...]]


class Choice(NamedTuple):
    """How BLEU is computed."""

    references: str
    smoothing: Smoothing
    corpus: str
    length: str

    def __str__(self) -> str:
        return ", ".join(self)


class Output(NamedTuple):
    """An output's counts against each set of references and against the source, and how much FK fell, by sentence."""

    sets: Mapping[str, Sequence[Counts]]
    source: Counts
    easier: Floats


def counted(lines: Sequence[Line], columns: Sequence[Sequence[Line]], length: str) -> Counts:
    """BLEU's counts of every line against the same line of the columns."""
    counts = []
    for place, line in enumerate(lines):
        own = tuple(column[place] for column in columns)
        output, _, *rest = statistics(line, own)
        counts.append((output, LENGTHS[length](list(map(len, own)), len(line)), *rest))
    return counts


def outputs_of(limit: int | None, length: str) -> dict[str, Output]:
    """The rows of the table."""
    sources, *references = ([tuple(line.split()) for line in read(name, limit)] for name in (_SOURCE, *REFERENCES))
    sets = {"8 references": [references]}
    sets["means over sets of 7"] = [[*references[:k], *references[k + 1 :]] for k in range(len(references))]
    by_title = {}
    for title, (name, _) in ROWS.items():
        lines = [tuple(line.split()) for line in read(name, limit)]
        easier = np.array([fk(source) - fk(line) for source, line in zip(sources, lines, strict=True)])
        counts = {which: [counted(lines, columns, length) for columns in some] for which, some in sets.items()}
        by_title[title] = Output(counts, counted(lines, [sources], "closest"), easier)
    return by_title


_SOURCE = "test.8turkers.tok.norm"


def bleu(counts: Counts, choice: Choice) -> Floats:
    """BLEU of every sentence, or of the pooled counts as the only number; 0-100."""
    if choice.corpus == "mean":
        return np.array([bleu_score(one, choice.smoothing, corpus=False) for one in counts])
    summed = [sum(column) for column in zip(*counts, strict=True)]
    return np.array([bleu_score(summed, choice.smoothing, corpus=True)])


Scores = Callable[[float], Mapping[str, float]]
"""A column of the table for a weight alpha, by row."""


def columns_of(outputs: Mapping[str, Output], choice: Choice) -> dict[str, Scores]:
    """The columns that a choice makes: iBLEU, and FKBLEU in its two forms."""
    adequacy = {
        title: np.array([bleu(counts, choice) for counts in own.sets[choice.references]])
        for title, own in outputs.items()
    }
    copying = {title: bleu(own.source, choice) for title, own in outputs.items()}
    easier = {
        title: own.easier if choice.corpus == "mean" else own.easier.mean(keepdims=True)
        for title, own in outputs.items()
    }
    simpler = {title: 1 / (1 + np.exp(-np.clip(values, -700, 700))) for title, values in easier.items()}

    def ibleu(alpha: float) -> dict[str, Floats]:
        return {title: alpha * adequacy[title] - (1 - alpha) * copying[title] for title in outputs}

    def column(final: Callable[[Floats, Floats], Floats]) -> Scores:
        return lambda alpha: {title: float(final(v, simpler[title]).mean()) for title, v in ibleu(alpha).items()}

    return {
        "iBLEU": column(lambda value, _: value),
        "FKBLEU": column(lambda value, simple: np.sqrt(100 * np.maximum(value, 0) * simple)),
        "FKBLEU as a product": column(lambda value, simple: value * simple),
    }


def off(values: Mapping[str, float], column: str, skip: str = "") -> float:
    """The root of the mean squared difference from a printed column, over the rows but one."""
    place = PRINTED[column.partition(" ")[0]]
    return math.sqrt(fmean((value - ROWS[title][1][place]) ** 2 for title, value in values.items() if title != skip))


@cache
def _outputs(limit: int | None, length: str) -> dict[str, Output]:
    return outputs_of(limit, length)


def choices() -> Iterator[Choice]:
    """All of them, the reference length last."""
    for references in ("8 references", "means over sets of 7"):
        for smoothing in SMOOTHINGS:
            for corpus in ("mean", "pooled"):
                for length in LENGTHS:
                    yield Choice(references, smoothing, corpus, length)


def figures(scores: Scores, column: str) -> dict[str, float]:
    """How far a column is off: with the paper's alpha, the same without the Turker, and with the best alpha."""
    at_paper = scores(PAPERS_ALPHA)
    alpha = min(ALPHAS, key=lambda some: off(scores(some), column))
    return {"alpha .9": off(at_paper, column), "without the Turker": off(at_paper, column, TURKER)} | {
        "best alpha": alpha,
        "with it": off(scores(alpha), column),
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Print the best choice of each reference length, then every choice with the length that comes closest."""
    limit = 20 if CommandLine(__doc__).parse(argv).smoke else None
    by_column: dict[str, list[tuple[Choice, dict[str, float]]]] = {}
    for choice in choices():
        for column, scores in columns_of(_outputs(limit, choice.length), choice).items():
            by_column.setdefault(column, []).append((choice, figures(scores, column)))
    best = Figures("papers.xu2016_search_best", "column, reference length", digits=2, data="TurkCorpus test")
    for column, rows in by_column.items():
        for length in LENGTHS:
            own = [row for row in rows if row[0].length == length]
            closest = {by: min(own, key=lambda row: row[1][by]) for by in JUDGED}
            best.row(f"{column}, {length}", {by: cells[by] for by, (_, cells) in closest.items()}, n=limit or 359)
            print("\n".join(f"<!-- {by}: {choice} -->" for by, (choice, _) in closest.items()))
    for column, name in {"iBLEU": "xu2016_search", "FKBLEU": "xu2016_search_fkbleu"}.items():
        print()
        table = Figures(f"papers.{name}", "BLEU over", digits=2, data="TurkCorpus test")
        for choice, cells in by_column[column]:
            if choice.length == CLOSEST_LENGTH:
                table.row(", ".join(choice[:3]), cells, n=limit or 359)


if __name__ == "__main__":
    run(main)
