"""One rater beside the others: Pearson's r of single ratings of meaning with the mean of the other raters' ratings.

What a metric could be asked for: it is correlated with the mean of all raters.

    python -m benchmarks.judges.one_rater
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean

from benchmarks.records import CommandLine, Figures, run
from sema.datasets.folder import data_folder
from sema.evaluation.significance import pearson

Rated = dict[str, list[float]]
"""Each item's ratings."""


def asset() -> Iterator[tuple[str, float]]:
    """An item and a rating, rating by rating: 100 outputs, 15 raters each."""
    with data_folder("ratings", "asset", "human_ratings.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["aspect"] == "meaning":
                yield f"{row['original']}\t{row['simplification']}", float(row["rating"])


def llm2025() -> Iterator[tuple[str, float]]:
    """An item and a rating, rating by rating: outputs of today's language models, three raters each."""
    with data_folder("ratings", "llm2025", "likert.jsonl").open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            for rater in json.loads(line)["label_annotations"].values():
                yield str(number), float(rater["meaning preservation"])


def one_with_others(rated: Rated) -> tuple[list[float], list[float]]:
    """Every single rating, and the mean of the same item's other ratings."""
    single, others = [], []
    for ratings in rated.values():
        for place, rating in enumerate(ratings):
            rest = ratings[:place] + ratings[place + 1 :]
            if rest:
                single.append(rating)
                others.append(fmean(rest))
    return single, others


SETS = {"asset": asset, "llm2025": llm2025}


def main(argv: Sequence[str] | None = None) -> None:
    """Print one row for each set."""
    CommandLine(__doc__).parse(argv)
    figures = Figures("agreement.one_rater", "ratings of meaning", digits={"raters": 1})
    for name, read in SETS.items():
        rated: Rated = defaultdict(list)
        for item, rating in read():
            rated[item].append(rating)
        single, others = one_with_others(rated)
        raters = fmean(map(len, rated.values()))
        figures.row(
            name, {"raters": raters, "one rater with the others, r": pearson(single, others).value}, n=len(rated)
        )


if __name__ == "__main__":
    run(main)
