"""Figures 2, 3, 7 and 8 of Alva-Manchego, Scarton and Specia (2021) as numbers: ratings, and outputs with splits.

    python -m benchmarks.metaeval.distributions

The paper draws histograms and prints three of their figures: about 32 % of the Structural Simplicity ratings are above
0 (section 3.2), and 306 of the 1,750 outputs split a sentence (section 4.2.3), few of them those of neural systems
(section 4.3.2). Ratings are the public ones; splits are counted with our segmenter, the paper's with NLTK's.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sheets import Sheet, structural_simplicity
from sema.languages import find_language
from training.data.tables import table as rows_of

PAPER = "Alva-Manchego, Scarton and Specia (2021)"
STRUCTURAL = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)
DIRECT = (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)


def shares(ratings: Sequence[float], edges: Sequence[float]) -> dict[str, float]:
    """The percentage of the ratings from each edge to below the next; the last stretch includes its upper edge."""
    percentages = {}
    for low, high in pairwise(edges):
        inside = [low <= value < high or (high == edges[-1] and value == high) for value in ratings]
        percentages[f"{low:g} to {high:g}"] = 100 * sum(inside) / len(ratings)
    return percentages


def splits(sheet: Sheet) -> list[bool]:
    """Whether each output has more sentences than its source."""
    segment = find_language("en").parts().segmenter.segment
    texts = zip(segment(sheet.sources), segment(sheet.outputs), strict=True)
    return [len(output.sentence_words) > len(source.sentence_words) for source, output in texts]


def main(argv: Sequence[str] | None = None) -> None:
    every = 100 if CommandLine(__doc__).parse(argv).smoke else 1
    structural = structural_simplicity().every(every)
    ratings = structural.ratings["structural_simplicity"]
    direct = [float(row["simplicity"]) for row in rows_of("ratings", "metaeval", "simplicity_DA.csv")][::every]
    table = Figures(
        "metaeval.figure2", "ratings", digits=1, peers={("above 0", "% of the outputs"): 32.0},
        peer_source=f"{PAPER}, section 3.2", data="Structural Simplicity",
    )  # fmt: skip
    for name, share in shares(ratings, STRUCTURAL).items():
        table.row(name, {"% of the outputs": share}, n=len(ratings))
    above = 100 * sum(value > 0 for value in ratings) / len(ratings)
    table.row("above 0", {"% of the outputs": above}, n=len(ratings))
    table = Figures("metaeval.figure3", "ratings", digits=1, data="Simplicity-DA")
    for name, share in shares(direct, DIRECT).items():
        table.row(name, {"% of the outputs": share}, n=len(direct))
    table = Figures(
        "metaeval.figures7_8", "system type", digits={"with a split": 0, "without a split": 0, "mean with": 2,
        "mean without": 2}, peers={("all", "with a split"): 306, ("all", "without a split"): 1444},
        peer_source=f"{PAPER}, section 4.2.3", data="Structural Simplicity",
    )  # fmt: skip
    split = splits(structural)
    for kind in (*dict.fromkeys(structural.groups), "all"):
        parts: list[list[float]] = [[], []]
        for group, rating, has in zip(structural.groups, ratings, split, strict=True):
            if kind in (group, "all"):
                parts[has].append(rating)
        without, having = parts
        means = [sum(part) / len(part) if part else None for part in (having, without)]
        cells = {"with a split": len(having), "without a split": len(without)}
        table.row(kind, {**cells, "mean with": means[0], "mean without": means[1]}, n=len(having) + len(without))


if __name__ == "__main__":
    run(main)
