"""How many of EASSE's published per-sentence values our metrics reproduce to 1e-4 (Simplicity-DA, 4 reference sets).

Settings as published: tokenizer moses, cased, sentence BLEU with floor smoothing 0 and effective order, SARI with
precision for deletion. The exit status is 1 if a share is below its target.

    python -m benchmarks.parity.easse
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sheets import simplicity_da
from sema.metrics.registry import make_metric
from sema.options import Settings

TOLERANCE = 1e-4
WORDS = ("bleu", "sari", "sari_add", "sari_keep", "sari_del", "ibleu", "mean:bleu,sari", "gmean:bleu,sari")
TARGETS = {**dict.fromkeys(WORDS, 0.99), "fkgl": 0.95, "fkbleu": 0.95}
"""The share of values of each metric that must agree."""


def main(argv: Sequence[str] | None = None) -> int:
    """Print the shares; 0 if all targets are met."""
    sheet = simplicity_da().every(30 if CommandLine(__doc__).parse(argv).smoke else 1)
    settings = Settings({"tokenizer": "moses"})
    batches = {name: sheet.items(name) for name in sheet.references}
    missed = 0
    targets = {(name, column): target for name, target in TARGETS.items() for column in batches}
    table = Figures("metrics.easse", "metric", aims=targets, data="Simplicity-DA, by reference set")
    for name, target in TARGETS.items():
        metric = make_metric(name, settings)
        shares = {}
        for references, batch in batches.items():
            ours, theirs = [metric.item_value(row) for row in metric.rows(batch)], sheet.published[references][name]
            agreed = sum(abs(one - other) <= TOLERANCE for one, other in zip(ours, theirs, strict=True))
            shares[references] = agreed / len(batch)
        missed += sum(share < target for share in shares.values())
        table.row(name, shares, n=len(batch))
    return int(missed > 0)


if __name__ == "__main__":
    run(main)
