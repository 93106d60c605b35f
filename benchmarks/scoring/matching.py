"""Matching Scenes to sentences as published, by the best assignment, and by a Scene's own words.

    python -m benchmarks.scoring.matching

Pearson's r with the structural ratings (1,750 pairs), with Simplicity-DA's meaning and with EASSE's SAMSA there (600);
the mean over HSplit's four references, which only split, where there are as many Scenes as sentences and over all; and
Spearman's rho with the rated systems of Sulem et al. (2018), of which five are public.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

import sema
from benchmarks.papers.samsa2018 import read_answers
from benchmarks.papers.samsa_tables import HUMAN, SYSTEMS
from benchmarks.records import CommandLine, record, run
from benchmarks.scoring.ratings import EASSE, data_sets, targets
from benchmarks.sets import first_lines, read_csv
from sema.analysis.matching import Matching, OutputLinks, gather_evidence
from sema.evaluation.significance import pearson, spearman, williams
from sema.metrics.scene_metrics import FAMILY
from sema.model.evidence import Evidence
from sema.model.item import Item

WAYS = {
    "as published": Matching(),
    "order=assignment": Matching(order="assignment"),
    "leaves=own": Matching(leaves="own"),
    "both": Matching(order="assignment", leaves="own"),
}
METRICS = ("samsa", "samsa_abl", "sema")


def analysed(scorer: sema.Scorer, sources: Sequence[str], outputs: Sequence[str]) -> list[Item | None]:
    """The pairs with their Scenes and links; ``None`` for an empty output."""
    report = scorer.score(sources, outputs, collect_errors=True)
    return [item.item for item in report.systems[0].items]


def scores(items: Sequence[Item | None], matching: Matching, formula: Callable[[Evidence], float]) -> list[float]:
    """One metric of the family, 0-100, by one way of matching."""
    return [
        0.0 if item is None else 100 * formula(gather_evidence(item.scenes, OutputLinks(item.links), matching=matching))
        for item in items
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Print the three tables."""
    arguments = CommandLine(__doc__).parse(argv)
    limit = 20 if arguments.smoke else None
    scorer = sema.Scorer("en", ["samsa"])
    pairs = {
        key: analysed(scorer, *(texts[:limit] for texts in texts_of))
        for key, texts_of in data_sets().items()
        if key != "past"
    }
    people(pairs, limit)
    sources = first_lines("hsplit/hsplit.tok.src", limit)
    split = [
        item
        for number in (1, 2, 3, 4)
        for item in analysed(scorer, sources, first_lines(f"hsplit/hsplit.tok.{number}", limit))
        if item is not None
    ]
    splits(split)
    sources = first_lines("pwkp/pwkp.test.orig", limit or 100)
    systems(
        {
            system: analysed(scorer, sources, first_lines(f"system_outputs/pwkp/{file}", limit or 100))
            for system, file in SYSTEMS.items()
        }
    )
    print(f"signature: {scorer.signature}")


def people(pairs: dict[str, list[Item | None]], limit: int | None) -> None:
    """Pearson's r with ratings, and whether it is greater than that of the published matching (Williams' test)."""
    columns = {name: (key, values[:limit]) for name, (key, values) in targets().items() if key != "past"}
    grammar = [float(row["grammaticality"]) for row in read_csv("ratings", "metaeval", "structural_simplicity.csv")]
    columns = {"structural: grammaticality": ("ss", grammar[:limit]), **columns}
    chosen = [name for name in columns if name.startswith("structural") or name in ("DA meaning z", EASSE)]
    for metric in METRICS:
        correlations = {
            (way, key): scores(pairs[key], matching, FAMILY[metric]) for way, matching in WAYS.items() for key in pairs
        }
        for way in WAYS:
            cells = []
            for name in chosen:
                key, target = columns[name]
                mine, published = correlations[way, key], correlations["as published", key]
                r, before = pearson(mine, target), pearson(published, target)
                p = williams(r.value, before.value, pearson(mine, published).value, r.n).p
                record(
                    "matching.people",
                    f"{metric}, {way}",
                    name,
                    r.value,
                    n=r.n,
                    data="metaeval",
                    interval=(r.low, r.high),
                )
                cells.append(f"{name} {r.value:.3f}" + (f" (p {p:.2g})" if way != "as published" else ""))
            print(f"{metric}, {way}: {'; '.join(cells)}", flush=True)


def splits(items: Sequence[Item]) -> None:
    """The mean score of outputs that people only split."""
    level = [item for item in items if len(item.scenes) == len(item.output.sentences) > 1]
    sets = {"as many Scenes as sentences, two or more": level, "all": items}
    for metric in METRICS:
        for way, matching in WAYS.items():
            for name, some in sets.items():
                value = fmean(scores(some, matching, FAMILY[metric])) if some else float("nan")
                print(f"HSplit, {metric}, {way}: {value:.1f} ({name}, n={len(some)})", flush=True)
                record("matching.hsplit", f"{metric}, {way}", name, value, digits=1, n=len(some), data="HSplit")


def systems(outputs: dict[str, list[Item | None]]) -> None:
    """Spearman's rho of the systems' scores with people's ratings."""
    answers = read_answers()
    for metric in METRICS:
        for way, matching in WAYS.items():
            ours = [fmean(scores(outputs[system], matching, FAMILY[metric])) for system in SYSTEMS]
            for name, value in HUMAN.items():
                theirs = [fmean(value(one) for one in answers if one.system == system) for system in SYSTEMS]
                rho = spearman(ours, theirs).value
                print(f"systems, {metric}, {way}: rho {rho:.2f} with {name}")
                record(
                    "matching.systems",
                    f"{metric}, {way}",
                    name,
                    rho,
                    digits=2,
                    n=len(SYSTEMS),
                    data="samsa2018, five systems",
                )


if __name__ == "__main__":
    run(main)
