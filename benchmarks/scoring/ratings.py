"""Pearson's correlation of the scene metrics with people's ratings, and with EASSE's own SAMSA values.

    python benchmarks/scoring/ratings.py [--extractor NAME] [--aligner NAME]
    python benchmarks/scoring/ratings.py --aligners rules learned simalign --model FOLDER [--layer 5]

Simplicity-DA (600 pairs), structural_simplicity (1,750) and SimpEval_past (2,400); EASSE's SAMSA was computed with TUPA
and a CoreNLP aligner. The last row, the share of the source's word stems that the output has, is the plainest measure
of meaning kept. The second form puts the aligners' effect on `sema` and `samsa` in one table (`--model`: what SimAlign
reads).
"""

from __future__ import annotations

import argparse
import csv
import statistics
from collections.abc import Mapping, Sequence

from scipy.stats import pearsonr

import sema
from sema.datasets.folder import data_path

DATA = data_path()
EASSE = "EASSE SAMSA (DA)"
METRICS = ("sema", "sema_part", "sema_base", "samsa", "samsa_abl")


def rows(path: str) -> list[dict[str, str]]:
    with (DATA / "ratings" / path).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def stem_recall(sources: Sequence[str], outputs: Sequence[str]) -> list[float]:
    from nltk.stem.snowball import SnowballStemmer
    from sema_english.segmentation import EnglishSegmenter

    stem = SnowballStemmer("english").stem

    def stems(texts: Sequence[str]) -> list[set[str]]:
        return [
            {stem(word) for word in text.words if any(map(str.isalnum, word))}
            for text in EnglishSegmenter().segment(texts)
        ]

    return [
        len(source & output) / max(1, len(source))
        for source, output in zip(stems(sources), stems(outputs), strict=True)
    ]


def score(scorer: sema.Scorer, sources: Sequence[str], outputs: Sequence[str]) -> dict[str, list[float]]:
    items = scorer.score(sources, outputs).systems[0].items
    columns = {name: [item.scores[name] for item in items] for name in METRICS}
    return columns | {"stem recall": stem_recall(sources, outputs)}


def data_sets() -> dict[str, tuple[list[str], list[str]]]:
    """Sources and outputs of the three collections, by a short name."""
    da, structural = rows("metaeval/simplicity_DA.csv"), rows("metaeval/structural_simplicity.csv")
    past = rows("simpeval/simpeval_past.csv")
    return {
        "da": ([row["orig_sent"] for row in da], [row["simp_sent"] for row in da]),
        "ss": ([row["orig_sent"] for row in structural], [row["simp_sent"] for row in structural]),
        "past": ([row["original"] for row in past], [row["processed_generation"] for row in past]),
    }


def targets() -> dict[str, tuple[str, list[float]]]:
    """What to correlate with: the collection's short name and a value a pair."""
    pairs, structural = rows("metaeval/simplicity_DA.csv"), rows("metaeval/structural_simplicity.csv")
    past = rows("simpeval/simpeval_past.csv")
    published = {
        (row["sent_id"], row["sys_name"]): float(row["samsa"]) for row in rows("metaeval/metrics_simplicity_DA.csv")
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
    """Print what each aligner makes of `sema` and `samsa`."""
    columns = targets()
    print("| metric | aligner | " + " | ".join(columns) + " |")
    print("|---|---|" + "---:|" * len(columns))
    for aligner in names:
        scorer = sema.Scorer("en", ("sema", "samsa"), extractor=extractor, aligner=aligner, options=options)
        systems = {key: scorer.score(*texts).systems[0].items for key, texts in data_sets().items()}
        for metric in ("sema", "samsa"):
            values = [
                pearsonr([item.scores[metric] for item in systems[key]], target).statistic
                for key, target in columns.values()
            ]
            print(f"| {metric} | {aligner} | " + " | ".join(f"{value:.3f}" for value in values) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--extractor")
    parser.add_argument("--aligner")
    parser.add_argument("--aligners", nargs="+", metavar="NAME")
    parser.add_argument("--model", help="a folder with a Hugging Face encoder, for SimAlign")
    parser.add_argument("--layer", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.aligners:
        aligners_table(arguments.aligners, arguments.extractor, {"model": arguments.model, "layer": arguments.layer})
        return
    scorer = sema.Scorer("en", METRICS, extractor=arguments.extractor, aligner=arguments.aligner)
    found = {key: score(scorer, sources, outputs) for key, (sources, outputs) in data_sets().items()}
    columns = targets()
    print(f"signature: {scorer.signature}\n")
    print("| metric | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for name in (*METRICS, "stem recall"):
        values = [pearsonr(found[key][name], target).statistic for key, target in columns.values()]
        print(f"| {name} | " + " | ".join(f"{value:.3f}" for value in values) + " |")
    easse = columns[EASSE][1]
    own = [pearsonr(easse, target).statistic if key == "da" else None for key, target in columns.values()]
    print("| EASSE SAMSA | " + " | ".join("" if value is None else f"{value:.3f}" for value in own) + " |")


if __name__ == "__main__":
    main()
