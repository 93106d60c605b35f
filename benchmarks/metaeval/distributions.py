"""Figures 2, 3, 7 and 8 of Alva-Manchego, Scarton and Specia (2021) as numbers: ratings, and outputs with splits.

    python -m benchmarks.metaeval.distributions

The paper draws histograms and prints three of their figures: about 32 % of the Structural Simplicity ratings are above
0 (section 3.2), and 306 of the 1,750 outputs split a sentence (section 4.2.3), few of them those of neural systems
(section 4.3.2). Ratings are the public ones; splits are counted with our segmenter, the paper's with NLTK's.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean

import numpy as np

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sheets import structural_simplicity
from sema.languages import find_language
from training.data.tables import table as rows_of

PAPER = "Alva-Manchego, Scarton and Specia (2021)"
COLUMN = "% of the outputs"


def shares(table: Figures, ratings: Sequence[float], edges: Sequence[float]) -> None:
    """Rows: the percentage of the ratings from each edge to below the next; the last one includes its upper edge."""
    counts, _ = np.histogram(ratings, edges)
    for (low, high), count in zip(pairwise(edges), counts.tolist(), strict=True):
        table.row(f"{low:g} to {high:g}", {COLUMN: 100 * count / len(ratings)}, n=len(ratings))


def main(argv: Sequence[str] | None = None) -> None:
    every = 100 if CommandLine(__doc__).parse(argv).smoke else 1
    structural = structural_simplicity().every(every)
    ratings = structural.ratings["structural_simplicity"]
    direct = [float(row["simplicity"]) for row in rows_of("ratings", "metaeval", "simplicity_DA.csv")][::every]
    table = Figures("metaeval.figure2", "ratings", digits=1, peers={("above 0", COLUMN): 32.0},
                    peer_source=f"{PAPER}, section 3.2", data="Structural Simplicity")  # fmt: skip
    shares(table, ratings, np.linspace(-2, 2, 9).tolist())
    table.row("above 0", {COLUMN: 100 * sum(value > 0 for value in ratings) / len(ratings)}, n=len(ratings))
    shares(Figures("metaeval.figure3", "ratings", digits=1, data="Simplicity-DA"), direct, range(0, 101, 20))
    digits = {"with a split": 0, "without a split": 0, "mean with": 2, "mean without": 2}
    table = Figures("metaeval.figures7_8", "system type", digits=digits,
                    peers={("all", "with a split"): 306, ("all", "without a split"): 1444},
                    peer_source=f"{PAPER}, section 4.2.3", data="Structural Simplicity")  # fmt: skip
    cut = map(find_language("en").parts().segmenter.segment, (structural.sources, structural.outputs))
    split = [len(output.sentences) > len(source.sentences) for source, output in zip(*cut, strict=True)]
    rows = list(zip(structural.groups, ratings, split, strict=True))
    for kind in (*dict.fromkeys(structural.groups), "all"):
        parts = [[rating for group, rating, has in rows if has == with_split and kind in (group, "all")]
                 for with_split in (True, False)]  # fmt: skip
        means = [fmean(part) if part else None for part in parts]
        table.row(kind, dict(zip(digits, [*map(len, parts), *means], strict=True)), n=sum(map(len, parts)))


if __name__ == "__main__":
    run(main)
