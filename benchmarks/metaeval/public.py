"""Tables 3, 7, 9, 10 and 11 of Alva-Manchego, Scarton and Specia (2021) from EASSE's public scores, all rows.

    python -m benchmarks.metaeval.public

``metrics_simplicity_DA.csv`` and ``metrics_structural_simplicity.csv`` have the authors' score of every metric for each
rated simplification, BERTScore and SAMSA included. Correlating them tests everything but the metrics: ratings, halves,
groups and the correlation. The scores against selected references (Table 11, right) are not public. Printed iBLEU of
Table 9 repeats the row of BLEU-SARI (AM).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from benchmarks.metaeval import published
from benchmarks.metaeval.tables import Published, absolute, evaluate
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import read_csv, read_pairs

TYPES = ("SBMT", "PBMT", "NeuralSeq2Seq", "Semantics+PBMT")
PRINTED = {
    "bertscore_p": ((0.512, 0.287, 0.617), (0.537, 0.459, 0.650, 0.624)),
    "bertscore_r": ((0.471, 0.172, 0.500), (0.527, 0.375, 0.484, 0.470)),
    "bertscore_f1": ((0.518, 0.224, 0.573), (0.528, 0.400, 0.588, 0.568)),
    "bleu": ((0.405, 0.235, 0.496), (0.295, 0.347, 0.546, 0.333)),
    "ibleu": ((0.398, 0.253, 0.504), (0.315, 0.336, 0.536, 0.335)),
    "sari": ((0.336, 0.139, 0.359), (0.228, 0.173, 0.310, 0.240)),
    "mean:bleu,sari": ((0.417, 0.239, 0.503), (0.315, 0.336, 0.536, 0.335)),
    "gmean:bleu,sari": ((0.408, 0.215, 0.476), (0.298, 0.320, 0.508, 0.308)),
    "mean:sari,samsa": ((0.203, 0.050, 0.166), (0.243, 0.121, 0.209, 0.291)),
    "gmean:sari,samsa": ((0.222, 0.024, 0.156), (0.250, 0.080, 0.190, 0.333)),
    "fkbleu": ((0.131, 0.006, 0.098), (0.006, 0.058, 0.092, 0.138)),
    "fkgl": ((0.272, 0.093, 0.117), (0.055, 0.063, 0.104, 0.062)),
    "samsa": ((0.103, 0.010, 0.058), (0.184, 0.067, 0.126, 0.248)),
}
"""By our metric's name: the row of Table 3 (low, high, all) and that of Table 9 (system types)."""
SOURCE = "Alva-Manchego, Scarton and Specia (2021), as printed"


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    every = 100 if CommandLine(__doc__).parse(argv).smoke else 1
    pairs = read_pairs()[::every]
    rows = [pair.row for pair in pairs]

    def correlations(references: str, metrics: Iterable[str]) -> Published:
        scores = {
            name: [float(pair.published[references][published.COLUMNS[name]]) for pair in pairs] for name in metrics
        }
        return absolute(evaluate(rows, "simplicity_zscore", scores))

    show("table3", "table9", TYPES, PRINTED, correlations("asset", PRINTED), len(rows))
    choices = {**published.REFERENCE_CHOICES, **published.BERTSCORE_CHOICES}
    show("table11", None, (), choices, correlations("all", choices), len(rows))
    rows, easse = _structural(every)
    values = published.STRUCTURAL_SIMPLICITY
    scores = {name: [float(row[published.COLUMNS[name]]) for row in easse] for name in values}
    found = absolute(evaluate(rows, "structural_simplicity", scores))
    show("table7", "table10", published.TYPES, values, found, len(rows))


def _structural(every: int) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """The ratings of structural simplicity, and EASSE's scores against HSplit in the same order."""
    rows = read_csv("ratings", "metaeval", "structural_simplicity.csv")[::every]
    easse = {
        (row["sent_id"], row["sys_name"]): row
        for row in read_csv("ratings", "metaeval", "metrics_structural_simplicity.csv")
        if row["test_set"] == "hsplit"
    }
    return rows, [easse[row["sent_id"], row["sys_name"]] for row in rows]


def show(
    halves: str,
    types: str | None,
    names: Sequence[str],
    printed: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]],
    found: Published,
    n: int,
) -> None:
    """Print a table of the halves and one of the system types, beside the printed values."""
    for place, (table, splits) in enumerate(((halves, published.SPLITS), (types, names))):
        if table is None:
            continue
        peers = {
            (name, split): values[place][at] for name, values in printed.items() for at, split in enumerate(splits)
        }
        figures = Figures(
            f"metaeval.public_{table}", "metric", peers=peers, peer_source=SOURCE, data="EASSE's public scores"
        )
        for name, values in found.items():
            figures.row(name, {split: values[split] for split in splits if split in values}, n=n)


if __name__ == "__main__":
    run(main)
