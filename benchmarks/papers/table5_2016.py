"""Table 5 of Xu et al. (TACL 2016), each cell beside ours, and Table 4's lengths and edits.

    python -m benchmarks.papers.table5_2016

Read from ``simplification/xu2016`` in the folder that SEMA_DATA names. The settings are those that come nearest to the
table: mean sentence scores, exponential smoothing, the intercept 15.19 in FK, SARI over n-gram types, and in iBLEU and
FKBLEU the mean reference length (``benchmarks.papers.xu2016_search`` of commit f54b999 searched for them). The table's
Turker is the first one, who has the printed FK. The table's system tuned to BLEU is the unchanged source. The exit
status is 1 if a cell differs by more than its tolerance; SARI of the human rows, which differs by .4, is not checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from sema_english.readability import Fk, FkbleuPaper

from benchmarks.papers import TABLES
from benchmarks.records import CommandLine, Figures, cells, run
from benchmarks.sets import simplification
from sema.metrics.base import Item, Metric
from sema.metrics.bleu import Bleu, Ibleu
from sema.metrics.operations import negative_distance
from sema.metrics.sari import SariAuthors
from sema.model.text import Text

REFERENCES = [f"test.8turkers.tok.turk.{number}" for number in range(8)]
COLUMNS: Mapping[str, Metric] = {
    "FK": Fk(intercept=15.19, tokenizer="none"),
    "BLEU": Bleu(smoothing="exp", corpus="mean", tokenizer="none"),
    "iBLEU": Ibleu(smoothing="exp", corpus="mean", reference_length="mean", tokenizer="none"),
    "FKBLEU": FkbleuPaper(reference_length="mean", tokenizer="none"),
    "SARI": SariAuthors(tokenizer="none"),
}
ROWS, FILES, PRINTED_STATISTICS = (TABLES["xu2016"][name] for name in ("rows", "files", "statistics"))
SYSTEMS = ("PBMT-R", "SBMT (PPDB + FKBLEU)", "SBMT (PPDB + SARI)")
TOLERANCE = {"FK": 0.02, "BLEU": 0.1, "iBLEU": 0.12, "FKBLEU": 0.08, "SARI": 0.02}
STATISTICS = ("#tokens", "#chars", "edit distance")


def read(name: str, limit: int | None = None) -> list[str]:
    return simplification(f"xu2016/{name}")[:limit]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; 0 if the cells that should agree do."""
    arguments = CommandLine(__doc__).parse(argv)
    limit = 20 if arguments.smoke else None
    sources, references = read("test.8turkers.tok.norm", limit), [read(name, limit) for name in REFERENCES]
    outputs = {title: read(name, limit) for title, name in FILES.items()}
    table = Figures("papers.xu2016", "system", digits=2, peers=cells(ROWS, COLUMNS),
                    peer_source="Xu et al. (2016), Table 5", data="TurkCorpus test")  # fmt: skip
    missed = 0
    for title, printed in ROWS.items():
        items = [
            Item(Text(source, (), ()), Text(output, (), ()), tuple(own))
            for source, output, *own in zip(sources, outputs[title], *references, strict=True)
        ]
        ours = {column: metric.corpus(metric.rows(items)) for column, metric in COLUMNS.items()}
        table.row(title, ours, n=len(items))
        for (column, value), theirs in zip(ours.items(), printed, strict=True):
            checked = column != "SARI" or title in SYSTEMS
            missed += checked and abs(value - theirs) > TOLERANCE[column]
    table = Figures("papers.xu2016_statistics", "system", digits=2, peers=cells(PRINTED_STATISTICS, STATISTICS),
                    peer_source="Xu et al. (2016), Table 4", data="TurkCorpus test")  # fmt: skip
    for title, lines in outputs.items():
        edits = [-negative_distance(line.split(), source.split()) for line, source in zip(lines, sources, strict=True)]
        figures = (fmean(len(line.split()) for line in lines), fmean(map(len, lines)), fmean(edits))
        table.row(title, dict(zip(STATISTICS, figures, strict=True)), n=len(lines))
    return int(missed > 0 and not arguments.smoke)


if __name__ == "__main__":
    run(main)
