"""SARI and FKBLEU of Xu et al. (2016) as printed, beside what EASSE and the paper's tables have.

    python -m benchmarks.papers.readings_2016

Items of TurkCorpus test (ACCESS) whose score differs by reading, and the largest difference. ``sari_paper`` averages
counts where the paper says binary indicators; ``fkbleu`` has FKGL in place of equation 2.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import first_lines, turkcorpus
from sema import Scorer

PAIRS = (("sari_printed", "sari_paper"), ("fkbleu_printed", "fkbleu"), ("fkbleu_printed", "fkbleu_paper"))


def main(argv: Sequence[str] | None = None) -> None:
    limit = 5 if CommandLine(__doc__).parse(argv).smoke else None
    sources, *columns = (column[:limit] for column in turkcorpus("test", 8))
    outputs = first_lines("system_outputs/turkcorpus/ACCESS", len(sources))
    metrics = list(dict.fromkeys(name for pair in PAIRS for name in pair))
    items = Scorer("en", metrics).score(sources, outputs, list(zip(*columns, strict=True))).systems[0].items
    table = Figures("papers.readings_2016", "readings", digits={"items that differ": 0}, data="TurkCorpus test, ACCESS")
    for literal, other in PAIRS:
        differences = [abs(item.scores[literal] - item.scores[other]) for item in items]
        cells = {"items that differ": sum(value > 1e-6 for value in differences), "most": max(differences)}
        table.row(f"{literal}, {other}", cells, n=len(items))


if __name__ == "__main__":
    run(main)
