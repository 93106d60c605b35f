"""Choosing among systems' outputs on TurkCorpus: oracle, chance, consensus, reference-free metrics and mixes.

    python -m benchmarks.objectives.rerank [--sentences N] [--rated]

The candidates of a source are the outputs of the systems in ``simplification/system_outputs/turkcorpus``. Each way to
choose is compared by SARI and BLEU with the eight references, FKGL, ``meaning``, ``simplicity`` and ``samsa``; an
interval is over 1,000 bootstrap samples of the sentences. The second table chooses among the outputs that people rated
in Simplicity-DA, and prints people's mean ratings of the chosen ones; ``--rated`` prints it alone.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from time import perf_counter

import numpy as np

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import read_csv
from sema.datasets.folder import data_folder, reference_files
from sema.metrics.base import Metric
from sema.rerank.mixes import Mix
from sema.rerank.nbest import NBest
from sema.rerank.reranking import Reranker
from sema.scoring.results import ItemScore
from sema.scoring.scorer import Scorer

COLUMNS = ("sari", "bleu", "fkgl", "meaning", "simplicity", "samsa")
ORACLE = "oracle by SARI"
BY_SCORES: Mapping[str, str] = {
    ORACLE: "sari",
    "meaning": "meaning",
    "samsa": "samsa",
    "simplicity": "simplicity",
    "meaning + simplicity": "meaning+simplicity",
    "meaning + samsa": "meaning+samsa",
    "meaning - fkgl": "meaning+0.2*fkgl",
}
CONSENSUS: Mapping[str, str] = {"MBR by SARI": "sari", "MBR by BLEU": "bleu"}
ASPECTS = ("fluency", "meaning", "simplicity")


def lines(path: Path) -> list[str]:
    """The lines of a file."""
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")


def candidates(count: int) -> tuple[list[str], list[NBest]]:
    """The systems, and the n-best list of each source."""
    sources = lines(data_folder("simplification", "turkcorpus", "test.truecase.detok.orig"))
    references = list(zip(*map(lines, reference_files("turk")), strict=True))
    folder = data_folder("simplification", "system_outputs", "turkcorpus")
    systems = {}
    for path in sorted(entry for entry in folder.rglob("*") if entry.is_file()):
        outputs = lines(path)
        if len(outputs) == len(sources):
            systems[path.relative_to(folder).parts[0]] = outputs
    step = max(1, len(sources) // count)
    lists = [
        NBest.of(source, column, own)
        for source, column, own in zip(sources, zip(*systems.values(), strict=True), references, strict=True)
    ]
    return list(systems), lists[::step]


def rated(most: int | None) -> tuple[list[NBest], list[list[Mapping[str, float]]]]:
    """The rated outputs of each source in Simplicity-DA that has at least two, and their ratings."""
    by_source: dict[str, dict[str, Mapping[str, float]]] = {}
    for row in read_csv("ratings", "metaeval", "simplicity_DA.csv"):
        ratings = {aspect: float(row[f"{aspect}_zscore"]) for aspect in ASPECTS}
        by_source.setdefault(row["orig_sent"], {})[row["simp_sent"]] = ratings
    several = dict([(source, outputs) for source, outputs in by_source.items() if len(outputs) > 1][:most])
    lists = [NBest.of(source, outputs) for source, outputs in several.items()]
    return lists, [list(outputs.values()) for outputs in several.values()]


Items = list[list[ItemScore]]
"""For each list and candidate its scores and rows."""


def measured(lists: Sequence[NBest], metrics: Sequence[str]) -> tuple[Items, Sequence[Metric]]:
    """Every candidate scored once."""
    asked = [(nbest, candidate) for nbest in lists for candidate in nbest.candidates]
    references = [list(nbest.references) for nbest, _ in asked] if lists[0].references else None
    report = Scorer("en", metrics).score(
        [nbest.source for nbest, _ in asked], [candidate.text for _, candidate in asked], references, keep_items=False
    )
    rest = iter(report.systems[0].items)
    return [[next(rest) for _ in nbest.candidates] for nbest in lists], report.objects


def best_by(mix: Mix, items: Items, metrics: Sequence[Metric]) -> list[int]:
    """The best candidate of each list by a mix."""
    values = [[mix.value(item.scores, metrics) for item in values_of] for values_of in items]
    return [values_of.index(max(values_of)) for values_of in values]


def best_by_consensus(lists: Sequence[NBest], by: str) -> list[int]:
    """The best candidate of each list by consensus."""
    start = perf_counter()
    best = [ranking.best for ranking in Reranker("en", by, mbr=True).rank(lists)]
    print(f"MBR by {by}: {perf_counter() - start:.0f} s for {len(lists)} lists", file=sys.stderr, flush=True)
    return best


def by_metrics(count: int) -> None:
    """Print the scores of each way of choosing by all metrics."""
    systems, lists = candidates(count)
    items, metrics = measured(lists, COLUMNS)
    chosen = {name: best_by(Mix.of(by), items, metrics) for name, by in BY_SCORES.items()}
    chosen.update({name: best_by_consensus(lists, by) for name, by in CONSENSUS.items()})
    random = np.random.default_rng(0)
    chosen["chance"] = [int(random.integers(len(nbest.candidates))) for nbest in lists]
    for name in ("SBMT-SARI", "ACCESS"):
        chosen[f"always {name}"] = [systems.index(name)] * len(lists)
    print(f"{len(systems)} systems, {len(lists)} sources\n")
    table = Figures("objectives.rerank", "chosen by", digits=dict.fromkeys(COLUMNS, 2), data="TurkCorpus test")
    sari = metrics[0]
    for name, places in chosen.items():
        picked = [nbest[place] for nbest, place in zip(items, places, strict=True)]
        figures = {metric.name: metric.corpus([item.rows[metric.name] for item in picked]) for metric in metrics}
        rows = np.array([item.rows["sari"] for item in picked])
        samples = random.integers(len(rows), size=(1000, len(rows)))
        values = [sari.value(tuple(rows[sample].sum(axis=0).tolist())) for sample in samples]
        low, high = np.percentile(values, [2.5, 97.5]).tolist()
        table.row(name, figures, n=len(lists), intervals={"sari": (low, high)})


def by_people(most: int | None) -> None:
    """Print people's ratings of the outputs that each way chooses."""
    lists, ratings = rated(most)
    items, metrics = measured(lists, ("meaning", "simplicity", "samsa", "fkgl", "fluency"))
    ways = {name: by for name, by in BY_SCORES.items() if name != ORACLE}
    ways |= {"fluency": "fluency", "meaning + simplicity + fluency": "meaning+simplicity+fluency"}
    chosen = {name: best_by(Mix.of(by), items, metrics) for name, by in ways.items()}
    chosen |= {f"MBR by {by}": best_by_consensus(lists, by) for by in ("sari", "meaning")}
    print(f"\n{len(lists)} sources, {sum(map(len, ratings))} rated outputs; z-scores\n")
    table = Figures(
        "objectives.rerank_people", "chosen by", digits=2, data="Simplicity-DA, sources with several outputs"
    )
    mean = [fmean(fmean(entry[aspect] for entry in rated_list) for rated_list in ratings) for aspect in ASPECTS]
    best = [fmean(max(entry[aspect] for entry in rated_list) for rated_list in ratings) for aspect in ASPECTS]
    for title, values in (("chance (expected)", mean), ("oracle, each aspect", best)):
        table.row(title, dict(zip(ASPECTS, values, strict=True)), n=len(lists))
    for name, places in chosen.items():
        picked = [rated_list[place] for rated_list, place in zip(ratings, places, strict=True)]
        table.row(name, {aspect: fmean(entry[aspect] for entry in picked) for aspect in ASPECTS}, n=len(lists))


def main(argv: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = CommandLine(__doc__)
    parser.add_argument("--sentences", type=int, default=359, help="about how many test sentences")
    parser.add_argument("--rated", action="store_true", help="the rated outputs alone")
    arguments = parser.parse(argv)
    if not arguments.rated:
        by_metrics(2 if arguments.smoke else arguments.sentences)
    by_people(3 if arguments.smoke else None)


if __name__ == "__main__":
    run(main)
