"""How many of EASSE's published per-sentence values our metrics reproduce to 1e-4 (Simplicity-DA, 4 reference sets).

Settings as published: tokenizer moses, cased, sentence BLEU with floor smoothing 0 and effective order, SARI with
precision for deletion. The exit status is 1 if a share is below its target.

    python -m benchmarks.parity.easse
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import REFERENCE_SETS, items, read_pairs
from sema.metrics.registry import make_metric
from sema.options import Settings

TOLERANCE = 1e-4
COLUMNS = {  # the published column, our metric, the share that must agree
    "bleu": ("bleu", 0.99),
    "sari": ("sari", 0.99),
    "sari_add": ("sari_add", 0.99),
    "sari_keep": ("sari_keep", 0.99),
    "sari_del": ("sari_del", 0.99),
    "ibleu": ("ibleu", 0.99),
    "amean_bleu_sari": ("mean:bleu,sari", 0.99),
    "gmean_bleu_sari": ("gmean:bleu,sari", 0.99),
    "fkgl": ("fkgl", 0.95),
    "fkbleu": ("fkbleu", 0.95),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Print the shares; 0 if all targets are met."""
    pairs = read_pairs()[: 20 if CommandLine(__doc__).parse(argv).smoke else None]
    settings = Settings({"tokenizer": "moses"})
    batches = {name: list(items(pairs, name)) for name in REFERENCE_SETS}
    missed = 0
    targets = {(name, column): target for name, target in COLUMNS.values() for column in REFERENCE_SETS}
    table = Figures("metrics.easse", "metric", aims=targets, data="Simplicity-DA, by reference set")
    for column, (name, target) in COLUMNS.items():
        metric = make_metric(name, settings)
        shares = []
        for reference_set, batch in batches.items():
            ours = [metric.item_value(row) for row in metric.rows(batch)]
            theirs = [float(pair.published[reference_set][column]) for pair in pairs]
            shares.append(sum(abs(a - b) <= TOLERANCE for a, b in zip(ours, theirs, strict=True)) / len(pairs))
        missed += sum(share < target for share in shares)
        table.row(name, dict(zip(REFERENCE_SETS, shares, strict=True)), n=len(pairs))
    return int(missed > 0)


if __name__ == "__main__":
    run(main)
