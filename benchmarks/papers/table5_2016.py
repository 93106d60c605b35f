"""Table 5 of Xu et al. (TACL 2016), each cell beside ours: FK, BLEU, iBLEU, FKBLEU and SARI of six systems.

    python -m benchmarks.papers.table5_2016

Read from ``simplification/xu2016`` in the folder that SEMA_DATA names. The settings
are those that come nearest to the table: mean sentence scores, exponential smoothing, the intercept 15.19 in FK, SARI
over n-gram types; the Turker of the table is the first, whose FK is the printed one. The system tuned to BLEU is the
unchanged source in the table. Exit status 1 if FK, BLEU or a system's SARI differs by more than it did when measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sema_english.readability import Fk, FkbleuPaper

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import simplification
from sema.metrics.base import Item, Metric
from sema.metrics.bleu import Bleu, Ibleu
from sema.metrics.sari import SariAuthors
from sema.model.text import Text

REFERENCES = [f"test.8turkers.tok.turk.{number}" for number in range(8)]
COLUMNS: Mapping[str, Metric] = {
    "FK": Fk(intercept=15.19, tokenizer="none"),
    "BLEU": Bleu(smoothing="exp", corpus="mean", tokenizer="none"),
    "iBLEU": Ibleu(smoothing="exp", corpus="mean", tokenizer="none"),
    "FKBLEU": FkbleuPaper(tokenizer="none"),
    "SARI": SariAuthors(tokenizer="none"),
}
ROWS: Mapping[str, tuple[str, tuple[float, ...]]] = {
    "Normal Wikipedia": ("test.8turkers.tok.norm", (12.88, 99.05, 78.41, 62.48, 26.05)),
    "Simple Wikipedia": ("test.8turkers.tok.simp", (11.25, 66.75, 53.53, 61.75, 38.42)),
    "Mechanical Turk": (REFERENCES[0], (10.80, 100.0, 74.31, 73.60, 43.71)),
    "PBMT-R": ("moses.test.output.1rerank", (11.10, 63.12, 48.91, 59.00, 33.77)),
    "SBMT (PPDB + FKBLEU)": ("glbleu30it.test.output.1best", (10.75, 74.48, 58.10, 66.68, 34.18)),
    "SBMT (PPDB + SARI)": ("sari30it.test.output.1best", (10.90, 72.36, 58.15, 66.57, 37.91)),
}
SYSTEMS = ("PBMT-R", "SBMT (PPDB + FKBLEU)", "SBMT (PPDB + SARI)")
TOLERANCE = {"FK": 0.02, "BLEU": 0.1}
SARI_TOLERANCE = 0.02


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; 0 if the cells that should agree do."""
    arguments = CommandLine(__doc__).parse(argv)

    def read(name: str) -> list[str]:
        return simplification(f"xu2016/{name}")[: 20 if arguments.smoke else None]

    sources, references = read("test.8turkers.tok.norm"), [read(name) for name in REFERENCES]
    peers = {(row, column): value for row, (_, own) in ROWS.items() for column, value in zip(COLUMNS, own, strict=True)}
    source = "Xu et al. (2016), Table 5"
    table = Figures("papers.xu2016", "system", digits=2, peers=peers, peer_source=source, data="TurkCorpus test")
    missed = 0
    for title, (name, printed) in ROWS.items():
        items = [
            Item(Text(source, (), ()), Text(output, (), ()), tuple(column[line] for column in references))
            for line, (source, output) in enumerate(zip(sources, read(name), strict=True))
        ]
        ours = {column: metric.corpus(metric.rows(items)) for column, metric in COLUMNS.items()}
        table.row(title, ours, n=len(items))
        for (column, value), theirs in zip(ours.items(), printed, strict=True):
            allowed = SARI_TOLERANCE if column == "SARI" and title in SYSTEMS else TOLERANCE.get(column)
            missed += allowed is not None and abs(value - theirs) > allowed
    return int(missed > 0 and not arguments.smoke)


if __name__ == "__main__":
    run(main)
