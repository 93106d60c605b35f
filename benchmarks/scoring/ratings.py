"""Pearson's correlation of the scene metrics with people's ratings, and with EASSE's own SAMSA values.

    python -m benchmarks.scoring.ratings [--extractor NAME] [--aligner NAME]
    python -m benchmarks.scoring.ratings --aligners rules learned simalign --model FOLDER [--layer 5]

Simplicity-DA (600 pairs), structural_simplicity (1,750) and SimpEval_past (2,400); EASSE's SAMSA was computed with TUPA
and a CoreNLP aligner. `stem_recall`, the share of the source's word stems that the output has, is the simplest measure
of kept meaning. The second form prints `sema` and `samsa` with each aligner (`--model`: SimAlign's encoder).
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from scipy.stats import pearsonr

import sema
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import read_csv

EASSE = "EASSE SAMSA (DA)"
METRICS = ("sema", "sema_part", "sema_base", "samsa", "samsa_abl", "stem_recall")
SMOKE = 120
"""The step between the rows that ``--smoke`` reads."""


Columns = dict[str, tuple[str, list[float]]]


def score(scorer: sema.Scorer, every: int) -> dict[str, dict[str, list[float]]]:
    """Scores by collection and metric."""
    return {
        key: {name: [item.scores[name] for item in items] for name in (metric.name for metric in scorer.metrics)}
        for key, texts in data_sets(every).items()
        for items in [scorer.score(*texts).systems[0].items]
    }


def correlations(scores: Mapping[str, Mapping[str, list[float]]], metric: str, columns: Columns) -> dict[str, float]:
    return {name: pearsonr(scores[key][metric], target).statistic for name, (key, target) in columns.items()}


def rated(path: str, every: int) -> list[dict[str, str]]:
    return read_csv("ratings", *path.split("/"))[::every]


def data_sets(every: int = 1) -> dict[str, tuple[list[str], list[str]]]:
    """Sources and outputs of the three collections, by a short name."""
    da, structural = (rated(f"metaeval/{name}.csv", every) for name in ("simplicity_DA", "structural_simplicity"))
    past = rated("simpeval/simpeval_past.csv", every)
    return {
        "da": ([row["orig_sent"] for row in da], [row["simp_sent"] for row in da]),
        "ss": ([row["orig_sent"] for row in structural], [row["simp_sent"] for row in structural]),
        "past": ([row["original"] for row in past], [row["processed_generation"] for row in past]),
    }


def targets(every: int = 1) -> Columns:
    """The ratings to correlate with: the collection's short name, and a value for each pair."""
    pairs, structural = (rated(f"metaeval/{name}.csv", every) for name in ("simplicity_DA", "structural_simplicity"))
    past = rated("simpeval/simpeval_past.csv", every)
    published = {
        (row["sent_id"], row["sys_name"]): float(row["samsa"])
        for row in read_csv("ratings", "metaeval", "metrics_simplicity_DA.csv")
    }
    return {
        "DA meaning z": ("da", [float(row["meaning_zscore"]) for row in pairs]),
        "DA fluency z": ("da", [float(row["fluency_zscore"]) for row in pairs]),
        "DA simplicity z": ("da", [float(row["simplicity_zscore"]) for row in pairs]),
        "structural: meaning": ("ss", [float(row["meaning"]) for row in structural]),
        "structural: simplicity": ("ss", [float(row["structural_simplicity"]) for row in structural]),
        "SimpEval_past z": (
            "past",
            [statistics.fmean(float(row[f"rating_{rater}_z_score"]) for rater in range(1, 6)) for row in past],
        ),
        EASSE: ("da", [published[row["sent_id"], row["sys_name"]] for row in pairs]),
    }


def aligners_table(names: Sequence[str], extractor: str | None, options: Mapping[str, object]) -> None:
    """Print `sema` and `samsa` with each aligner."""
    columns = targets()
    table = Figures("alignment.ratings", "metric, aligner")
    for aligner in names:
        scorer = sema.Scorer("en", ("sema", "samsa"), extractor=extractor, aligner=aligner, options=options)
        scores = score(scorer, 1)
        for metric in ("sema", "samsa"):
            table.row(f"{metric}, {aligner}", correlations(scores, metric, columns))


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--extractor", default="ucca")
    parser.add_argument("--aligner")
    parser.add_argument("--aligners", nargs="+", metavar="NAME")
    parser.add_argument("--model", help="a folder with a Hugging Face encoder, for SimAlign")
    parser.add_argument("--layer", type=int, default=5)
    arguments = parser.parse(argv)
    if arguments.aligners:
        aligners_table(arguments.aligners, arguments.extractor, {"model": arguments.model, "layer": arguments.layer})
        return
    every = SMOKE if arguments.smoke else 1
    scorer = sema.Scorer("en", METRICS, extractor=arguments.extractor, aligner=arguments.aligner)
    scores, columns = score(scorer, every), targets(every)
    print(f"signature: {scorer.signature}\n")
    table = Figures("scoring.ratings", "metric, Scenes")
    sizes = {name: len(target) for name, (_, target) in columns.items()}
    for name in METRICS:
        label = name if name == "stem_recall" else f"{name}, {arguments.extractor}"
        table.row(label, correlations(scores, name, columns), n=sizes)
    easse = columns[EASSE][1]
    own = {name: pearsonr(easse, target).statistic if key == "da" and name != EASSE else None
           for name, (key, target) in columns.items()}  # fmt: skip
    table.row("EASSE's SAMSA", own, n=sizes)


if __name__ == "__main__":
    run(main)
