"""Generated text beyond single simplified sentences: does `meaning` agree with people?

    python -m benchmarks.judges.generated [--limit N] [--record]

MultiCochrane: medical sentences; the area under the curve of outputs without against with a hallucination and an
excessive deletion, and r with the severity of factual errors. D-Wikipedia: paragraphs; r with their mean rating.
MLQE-PE (development parts): machine translations into English beside their post-edits; r with adequacy, the mean over
five languages.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from benchmarks.judges.clusters import area_interval, pearson_interval
from benchmarks.judges.meaning import NAMES, Bench, Scores, auc
from benchmarks.records import CommandLine, run
from sema.evaluation.significance import pearson
from sema.judges.examples import RatedPair
from training.data.rated_meaning import MeaningRating, dwikipedia, multicochrane
from training.reader.translations import ENGLISH, rows

TABLE = "generated"


def _scored(bench: Bench, pairs: Sequence[RatedPair]) -> Scores:
    return bench.scores([(pair.source, pair.output) for pair in pairs])


def medical(bench: Bench) -> None:
    """MultiCochrane, English."""
    pairs: list[MeaningRating] = bench.some(multicochrane())
    severity, sources = [pair.rating for pair in pairs], [pair.source for pair in pairs]
    for name, values in _scored(bench, pairs).items():
        for kind in ("hallucination", "deletion"):
            clean = [not pair.details[kind] for pair in pairs]
            ends = area_interval(values, clean, sources)
            bench.put(TABLE, f"MultiCochrane, {kind}", name, auc(values, clean), len(pairs), interval=ends)
        ends = pearson_interval(severity, values, sources)
        figure = pearson(severity, values).value
        aim = 0.45 if name == "meaning" else None
        bench.put(TABLE, "MultiCochrane, factual", name, figure, len(pairs), aim, interval=ends)


def paragraphs(bench: Bench) -> None:
    """D-Wikipedia."""
    pairs: list[RatedPair] = bench.some(dwikipedia())
    people = [pair.rating for pair in pairs]
    for name, values in _scored(bench, pairs).items():
        ends = pearson_interval(people, values, [pair.source for pair in pairs])
        aim = 0.78 if name == "meaning" else None
        bench.put(TABLE, "D-Wikipedia", name, pearson(people, values).value, len(pairs), aim, interval=ends)


def translations(bench: Bench) -> None:
    """MLQE-PE: a translation beside its post-edit."""
    agreement: dict[str, list[float]] = {name: [] for name in NAMES}
    for code in ENGLISH:
        some: list[dict[str, str]] = bench.some([row for row in rows(f"{code}-en", "dev") if row["mt"].strip()])
        people = [float(row["da_mean"]) for row in some]
        scores = bench.scores([(row["post_edit"], row["mt"]) for row in some])
        for name in NAMES:
            agreement[name].append(pearson(people, scores[name]).value)
    for name, values in agreement.items():
        aim = 0.68 if name == "meaning" else None
        bench.put(TABLE, "MLQE-PE dev, mean of five", name, fmean(values), len(values), aim)


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--limit", type=int, help="the largest number of items of a set, drawn at random")
    arguments = parser.parse(argv)
    bench = Bench({}, 12 if arguments.smoke else arguments.limit)
    for part in (medical, paragraphs, translations):
        part(bench)


if __name__ == "__main__":
    run(main)
