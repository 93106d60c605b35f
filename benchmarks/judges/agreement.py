"""How well does one rater predict the mean of the others, on every set with several raters?

    python -m benchmarks.judges.agreement [--record]

Pearson's r between each rating and the mean of the other raters' ratings of the same item, with an interval by a
bootstrap of sources. A metric can be measured by it: beside it stands the recorded r of `meaning` with the mean of all
raters, as a share of a person's r. A metric may exceed 1, since the mean that it is compared with includes one more
rating. ``sema agreement`` prints other measures of agreement for any table of ratings.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from benchmarks.judges.clusters import person
from benchmarks.records import CommandLine, read_records, record, run
from benchmarks.sets import read_csv
from sema.datasets.folder import data_folder
from training.data.rated_aspects import acl2018_answers

Rated = tuple[list[list[float]], list[str]]
"""Every item's ratings, and its source."""


def _gathered(rows: Sequence[Mapping[str, str]], item: Sequence[str], source: str, rating: str) -> Rated:
    ratings: dict[tuple[str, ...], list[float]] = {}
    for row in rows:
        if row[rating]:
            ratings.setdefault((row[source], *(row[name] for name in item)), []).append(float(row[rating]))
    return list(ratings.values()), [key[0] for key in ratings]


def asset() -> Rated:
    """Direct assessments of meaning, 0 to 100."""
    rows = [row for row in read_csv("ratings", "asset", "human_ratings.csv") if row["aspect"] == "meaning"]
    return _gathered(rows, ["simplification"], "original", "rating")


def questeval() -> Rated:
    """Direct assessments of meaning, 0 to 100."""
    rows = [row for row in read_csv("ratings", "questeval", "ratings.csv") if row["aspect"] == "meaning"]
    return _gathered(rows, ["simplification", "system_name"], "source", "rating")


def acl2018() -> Rated:
    """Meaning, 1 to 5, by three annotators."""
    rows = list(acl2018_answers("meaning"))
    return [ratings for _, _, ratings in rows], [str(sentence) for _, sentence, _ in rows]


def llm2025() -> Rated:
    """Meaning, 1 to 3, by three annotators."""
    ratings, sources = [], []
    with data_folder("ratings", "llm2025", "likert.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            ratings.append([float(given["meaning preservation"]) for given in row["label_annotations"].values()])
            sources.append(row["source"])
    return ratings, sources


def simplicity_da() -> Rated:
    """Simplicity-DA's ratings of simplicity, 0 to 100: those of meaning are public as means only."""
    rows = read_csv("ratings", "metaeval", "ratings_per_annotator", "simplicity_DA_ratings.csv")
    return _gathered(rows, ["sys_name"], "sent_id", "simplicity")


def structural() -> Rated:
    """Structural simplicity, -2 to 2."""
    rows = read_csv("ratings", "metaeval", "ratings_per_annotator", "structural_simplicity_ratings.csv")
    return _gathered(rows, ["sys_name"], "sent_id", "structural_simplicity")


TABLE = "agreement.one_rater"
SETS: Mapping[str, Callable[[], Rated]] = {
    "llm2025": llm2025,
    "asset": asset,
    "acl2018": acl2018,
    "questeval": questeval,
    "Simplicity-DA, simplicity": simplicity_da,
    "structural simplicity": structural,
}


def main(argv: Sequence[str] | None = None) -> None:
    """Print a line for each set."""
    arguments = CommandLine(__doc__).parse(argv)
    known = read_records()
    for name, read in SETS.items():
        ratings, sources = read()
        if arguments.smoke:
            ratings, sources = ratings[:200], sources[:200]
        figure, limits, count = person(ratings, sources)
        print(f"{name:28} one rater {figure:.3f} [{limits[0]:.3f}, {limits[1]:.3f}]  {count} ratings", end="")
        record(TABLE, name, "one rater with the others, r", figure, data=name, n=count, interval=limits)
        metric = known.get(f"meaning.ratings > {name} > meaning")
        if metric is None:
            print()
            continue
        share = metric.figure / figure
        print(f"  meaning {metric.figure:.3f}: {share:.2f} of a person")
        record(TABLE, name, "`meaning`, as a share of it", share, digits=2, data=name, n=count)


if __name__ == "__main__":
    run(main)
