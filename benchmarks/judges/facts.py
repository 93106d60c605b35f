"""Facts, kind by kind: how often a kind is falsely raised on faithful texts, and how often it finds what was changed.

    python -m benchmarks.judges.facts [--pairs 400] [--record]

False alarms: human references (ASSET valid, TurkCorpus tune, OneStopEnglish), the good and the slightly lossy texts of
the graded probes, IteraTeR's revisions that keep the meaning, PAWS pairs that say the same. Hits: the misleading texts
of the graded probes that are near copies, the hand-made probes, PAWS pairs that do not say the same (the last 1,000 of
the train file), and sets that are measured and nothing else (counterfactual edits, Breaking NLI, altered sentences of
BECEL). Each cell is the share of pairs with a conflict of the kind, in percent; ``all``: of any kind.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

from sema_english.training.pairs.examples import detokenized, rows

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import simplification
from sema.analysis.analyser import Analyser
from sema.datasets.folder import data_folder
from sema.languages import find_language
from sema.meaning import Kind, conflicts
from sema.model.item import Item, Need

SEED, BATCH = 1, 50
KEPT = frozenset(["clarity", "fluency", "coherence", "style"])
"""Intents of IteraTeR's revisions that keep the meaning."""
LAST = 1000
"""The pairs at the end of PAWS that train nothing."""
PROBES = Path(__file__).parent / "probes"
AIM = 1.0
"""The share of faithful texts, of each set, that may be told a conflict of any kind."""

Pairs = list[tuple[str, str]]


def references(path: str, count: int) -> Pairs:
    """Originals with each of their references."""
    originals = simplification(f"{path}.orig")
    columns = [simplification(f"{path}.simp.{number}") for number in range(count)]
    return [pair for column in columns for pair in zip(originals, column, strict=True) if pair[1].strip()]


def onestopenglish() -> Pairs:
    """Sentences of a harder and of an easier version of an article."""
    found = []
    for file in sorted(data_folder("simplification", "onestopenglish", "Sentence-Aligned").glob("*.txt")):
        for block in file.read_text(encoding="utf-8").split("*******"):
            lines = [line.strip() for line in block.splitlines() if line.strip()]
            found += [(lines[0], lines[1])] if len(lines) == 2 else []
    return found


def entailment(part: str, name: str, labels: Iterable[str], by: str = "label") -> Pairs:
    """Premises with hypotheses of some labels."""
    wanted = frozenset(labels)
    return [(row["premise"], row["hypothesis"]) for row in rows(part, f"{name}.tsv.gz") if row[by] in wanted]


def paws(label: str) -> Pairs:
    """Pairs of PAWS that train nothing, with spaces as people write them."""
    last = list(rows("train", "paws.tsv.gz"))[-LAST:]
    return [(detokenized(row["premise"]), detokenized(row["hypothesis"])) for row in last if row["label"] == label]


def probes(side: str) -> Pairs:
    """The hand-made probes with their good or their bad texts."""
    lines = (PROBES / "en.jsonl").read_text(encoding="utf-8").splitlines()
    return [(probe["source"], probe[side]) for probe in map(json.loads, lines)]


def graded(*sides: str, copies: bool = False) -> Pairs:
    """The graded probes with some of their texts; ``copies``: of odd ids, where the misleading text is a near copy."""
    lines = data_folder("probes", "graded_en.jsonl").read_text(encoding="utf-8").splitlines()
    found = [probe for probe in map(json.loads, lines) if not copies or int(probe["id"][2:]) % 2]
    return [(probe["source"], probe[side]) for side in sides for probe in found]


def sets() -> dict[str, Mapping[str, Pairs]]:
    """The faithful sets and the others, by name."""
    return {
        "false alarms": {
            "ASSET": references("asset/asset.valid", 10),
            "TurkCorpus": references("turkcorpus/tune.truecase.detok", 8),
            "OneStopEnglish": onestopenglish(),
            "graded": graded("good", "minor"),
            "IteraTeR": entailment("dev", "iterater", KEPT),
            "probes": probes("good"),
            "PAWS": paws("1"),
        },
        "hits": {
            "graded, near copies": graded("bad", copies=True),
            "probes": probes("bad"),
            "PAWS": paws("0"),
            "counterfactual": entailment("dev", "counterfactual", ["contradiction"]),
            "Breaking NLI": entailment("dev", "breaking_nli", ["contradiction"]),
            "BECEL": entailment("dev", "becel_altered", ["opposite-or-changed"]),
        },
    }


def kinds(pairs: Pairs, analyser: Analyser) -> list[frozenset[Kind]]:
    """For each pair the kinds of its conflicts."""
    found = []
    for start in range(0, len(pairs), BATCH):
        sources, outputs = zip(*pairs[start : start + BATCH], strict=True)
        (items,) = analyser.prepare(sources, [outputs], segment=False)
        for item in items:
            told = conflicts(item, analyser.parts.fact_readers) if isinstance(item, Item) else ()
            found.append(frozenset(conflict.kind for conflict in told))
    return found


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--pairs", type=int, default=400, help="of each set, drawn by chance")
    arguments = parser.parse(argv)
    most = 2 if arguments.smoke else arguments.pairs
    analyser = Analyser(find_language("en").parts(), {Need.LINK_WEIGHTS, Need.GRAPHS, Need.OUTPUT_SCENES})
    for what, named in sets().items():
        told = {
            name: kinds(Random(SEED).sample(pairs, min(most, len(pairs))), analyser) for name, pairs in named.items()
        }
        counts = {name: len(found) for name, found in told.items()}
        aims = {("all", name): AIM for name in told} if what == "false alarms" else {}
        print(f"\n{what}, % of pairs\n")
        table = Figures(f"facts.{what.replace(' ', '_')}", "kind", digits=1, aims=aims, lower=tuple(aims and told))
        for kind in (*Kind, None):
            shares = {
                name: 100 * sum(bool(one if kind is None else kind in one) for one in found) / len(found)
                for name, found in told.items()
            }
            table.row("all" if kind is None else kind.value, shares, n=counts)


if __name__ == "__main__":
    run(main)
