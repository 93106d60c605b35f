"""How well does one rater predict the mean of the others? How reliable are the ratings of the meta-evaluation?

    python -m benchmarks.judges.agreement [--record]

Pearson's r between each rating and the mean of the other raters' ratings of the same item; beside it the recorded r of
`meaning` with the mean of all, as a share of it. Reliability is measured as ``sema agreement`` does for any ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial

import numpy as np
from sema_raters.agreement import agreement
from sema_raters.ratings import RatingsTable

from benchmarks.records import CommandLine, Figures, read_records, run
from sema.datasets.folder import data_folder
from sema.evaluation.significance import CONFIDENCE, SAMPLES, SEED, pearson
from training.data.rated_aspects import acl2018_answers
from training.data.tables import json_lines, table

Rated = tuple[list[list[float]], list[str]]
"""Every item's ratings, and its source."""
PUBLIC, OF_ITEM = "ratings/metaeval/ratings_per_annotator", ("sent_id", ["sys_name"])
FILES = {
    "asset": ("ratings/asset/human_ratings.csv", "original", ["simplification"], "rating"),
    "questeval": ("ratings/questeval/ratings.csv", "source", ["simplification", "system_name"], "rating"),
    "Simplicity-DA, simplicity": (f"{PUBLIC}/simplicity_DA_ratings.csv", *OF_ITEM, "simplicity"),
    "structural simplicity": (f"{PUBLIC}/structural_simplicity_ratings.csv", *OF_ITEM, "structural_simplicity"),
}
"""Tables with a row for each rating: file, column of the source, columns that tell its outputs apart, column of the
rating; of several aspects that of meaning. Simplicity-DA's ratings of meaning are public as means only."""


def of_table(file: str, source: str, item: Sequence[str], rating: str) -> Rated:
    ratings: dict[tuple[str, ...], list[float]] = {}
    for row in table(*file.split("/")):
        if row.get("aspect", "meaning") == "meaning" and row[rating]:
            ratings.setdefault((row[source], *(row[name] for name in item)), []).append(float(row[rating]))
    return list(ratings.values()), [key[0] for key in ratings]


def acl2018() -> Rated:
    """Meaning, 1 to 5, by three annotators."""
    rows = list(acl2018_answers("meaning"))
    return [ratings for _, _, ratings in rows], [str(sentence) for _, sentence, _ in rows]


def llm2025() -> Rated:
    """Meaning, 1 to 3, by three annotators."""
    rows = json_lines("ratings", "llm2025", "likert.jsonl")
    given = [[float(one["meaning preservation"]) for one in row["label_annotations"].values()] for row in rows]
    return given, [row["source"] for row in rows]


SETS: Mapping[str, Callable[[], Rated]] = {
    "llm2025": llm2025, "acl2018": acl2018, **{name: partial(of_table, *given) for name, given in FILES.items()},
}  # fmt: skip


def pearson_interval(
    first: Sequence[float], second: Sequence[float], sources: Sequence[Hashable], samples: int = SAMPLES
) -> tuple[float, float]:
    """The interval of Pearson's r by a bootstrap of whole sources: outputs of one source are not independent items."""
    both = np.array([first, second], np.float64)
    places: dict[Hashable, list[int]] = {}
    for place, source in enumerate(sources):
        places.setdefault(source, []).append(place)
    groups = list(places.values())
    drawn = np.random.default_rng(SEED).integers(len(groups), size=(samples, len(groups)))
    with np.errstate(divide="ignore", invalid="ignore"):  # a draw of equal values has no correlation
        values = [np.corrcoef(*both[:, [place for group in row for place in groups[group]]])[0, 1] for row in drawn]
    rest = 50 * (1 - CONFIDENCE)
    low, high = np.nanpercentile(values, [rest, 100 - rest])
    return float(low), float(high)


def person(ratings: Sequence[Sequence[float]], sources: Sequence[Hashable]) -> tuple[float, tuple[float, float], int]:
    """How well one rater predicts the mean of the others: Pearson's r over all ratings, its interval, and their number.

    Items with a single rating are left out.
    """
    rated = [
        (rating, (sum(given) - rating) / (len(given) - 1), source)
        for given, source in zip(ratings, sources, strict=True)
        for rating in (given if len(given) > 1 else ())
    ]
    one, others, whose = zip(*rated, strict=True)
    return pearson(one, others).value, pearson_interval(one, others, whose), len(one)


SIMULATED = "simulated raters, rho"
RELIABILITY = {
    "Simplicity-DA, simplicity, standardised": {"ICC(1)": 0.386, SIMULATED: 0.607},
    "Simplicity-DA, simplicity, raw": {},
    "structural simplicity, raw": {"ICC(1)": 0.465, SIMULATED: 0.508},
}
"""Ratings of simplicity and what was published of them: Alva-Manchego, Scarton and Specia (2021), Table 2."""


def reliability(samples: int) -> None:
    peers = {(row, column): figure for row, known in RELIABILITY.items() for column, figure in known.items()}
    table = Figures("agreement.reliability", "ratings", digits={"raters": 0, "equal": 2, "kappa": 2}, peers=peers,
                    peer_source="Alva-Manchego, Scarton and Specia (2021), Table 2")  # fmt: skip
    for row in RELIABILITY:
        name, _, kind = row.rpartition(", ")
        file, *_, aspect = FILES[name]
        ratings = RatingsTable.read(str(data_folder(*file.split("/"))), [aspect]).columns[aspect]
        found = agreement(ratings.z_scores() if kind == "standardised" else ratings, samples=samples)
        icc = {"ICC(1)": found.icc.icc1, "ICC(1,k)": found.icc.icc1k}
        pairs = {"equal": found.pairs.agreement, "kappa": found.pairs.kappa}
        simulated = {SIMULATED: found.simulated_raters.rho, "alpha": found.alpha}
        cells = {"raters": found.raters, **{n: one.value for n, one in icc.items()}, **simulated, **pairs}
        table.row(row, cells, n=found.items, data=name, intervals={n: (one.low, one.high) for n, one in icc.items()})


def main(argv: Sequence[str] | None = None) -> None:
    arguments = CommandLine(__doc__).parse(argv)
    known = read_records()
    person_r, share = "one rater with the others, r", "`meaning`, as a share of it"
    table = Figures("agreement.one_rater", "set", digits={share: 2})
    for name, read in SETS.items():
        ratings, sources = (column[: 200 if arguments.smoke else None] for column in read())
        figure, limits, count = person(ratings, sources)
        metric = known.get(f"meaning.ratings > {name} > meaning")
        cells = {person_r: figure, share: metric.figure / figure if metric else None}
        table.row(name, cells, n=count, data=name, intervals={person_r: limits})
    reliability(2 if arguments.smoke else SAMPLES)


if __name__ == "__main__":
    run(main)
