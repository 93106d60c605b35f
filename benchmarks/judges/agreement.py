"""How well does one rater predict the mean of the others, on every set with several raters? And how reliable are the
ratings of the meta-evaluation?

    python -m benchmarks.judges.agreement [--record]

Pearson's r between each rating and the mean of the other raters' ratings of the same item, with an interval by a
bootstrap of sources. A metric can be measured by it: beside it stands the recorded r of `meaning` with the mean of all
raters, as a share of a person's r. A metric may exceed 1, since the mean that it is compared with includes one more
rating. The measures of reliability are those that ``sema agreement`` prints for any table of ratings, beside Table 2 of
Alva-Manchego, Scarton and Specia (2021).
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
FILES = {
    "asset": ("ratings/asset/human_ratings.csv", "original", ("simplification",), "rating"),
    "questeval": ("ratings/questeval/ratings.csv", "source", ("simplification", "system_name"), "rating"),
    "Simplicity-DA, simplicity": (
        "ratings/metaeval/ratings_per_annotator/simplicity_DA_ratings.csv", "sent_id", ("sys_name",), "simplicity",
    ),
    "structural simplicity": (
        "ratings/metaeval/ratings_per_annotator/structural_simplicity_ratings.csv", "sent_id", ("sys_name",),
        "structural_simplicity",
    ),
}  # fmt: skip
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
PUBLISHED = {
    ("Simplicity-DA, standardised", "ICC(1)"): 0.386, ("Simplicity-DA, standardised", SIMULATED): 0.607,
    ("structural simplicity, raw", "ICC(1)"): 0.465, ("structural simplicity, raw", SIMULATED): 0.508,
}  # fmt: skip


def reliability(samples: int) -> None:
    """Print the reliability of the ratings of simplicity."""
    table = Figures(
        "agreement.reliability", "ratings", digits={"raters": 0, "equal": 2, "kappa": 2}, peers=PUBLISHED,
        peer_source="Alva-Manchego, Scarton and Specia (2021), Table 2",
    )  # fmt: skip
    for name, standardised in (("Simplicity-DA", True), ("Simplicity-DA", False), ("structural simplicity", False)):
        file, *_, aspect = FILES[f"{name}, simplicity" if name == "Simplicity-DA" else name]
        raw = RatingsTable.read(str(data_folder(*file.split("/"))), [aspect]).columns[aspect]
        found = agreement(raw.z_scores() if standardised else raw, samples=samples)
        one, mean = found.icc.icc1, found.icc.icc1k
        cells = {
            "raters": found.raters, "ICC(1)": one.value, "ICC(1,k)": mean.value, SIMULATED: found.simulated_raters.rho,
            "alpha": found.alpha, "equal": found.pairs.agreement, "kappa": found.pairs.kappa,
        }  # fmt: skip
        limits = {"ICC(1)": (one.low, one.high), "ICC(1,k)": (mean.low, mean.high)}
        kind = "standardised" if standardised else "raw"
        table.row(f"{name}, {kind}", cells, n=found.items, data=name, intervals=limits)


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
