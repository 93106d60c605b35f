"""How many of EASSE's published per-sentence values our metrics reproduce to 1e-4 (Simplicity-DA, 4 reference sets).

Settings as published: tokenizer moses, cased, sentence BLEU with floor smoothing 0 and effective order, SARI with
precision for deletion. Prints a table; exit status 1 if a share is below its target.

    python benchmarks/parity/easse.py
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from simplicity_da import REFERENCE_SETS, items, read_pairs  # noqa: E402

from sema.metrics.registry import make_metric  # noqa: E402
from sema.options import Settings  # noqa: E402

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


def main() -> int:
    """Print the shares; 0 if all targets are met."""
    pairs = read_pairs()
    settings = Settings({"tokenizer": "moses"})
    batches = {name: list(items(pairs, name)) for name in REFERENCE_SETS}
    missed = 0
    print(f"{'metric':<16} " + " ".join(f"{name:>7}" for name in REFERENCE_SETS) + "  target")
    for column, (name, target) in COLUMNS.items():
        metric = make_metric(name, settings)
        shares = []
        for reference_set, batch in batches.items():
            ours = [metric.item_value(row) for row in metric.rows(batch)]
            theirs = [float(pair.published[reference_set][column]) for pair in pairs]
            shares.append(sum(abs(a - b) <= TOLERANCE for a, b in zip(ours, theirs, strict=True)) / len(pairs))
        missed += sum(share < target for share in shares)
        print(f"{name:<16} " + " ".join(f"{share:7.4f}" for share in shares) + f"  >= {target}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
