"""Table 5 of Xu et al. (TACL 2016), each cell beside ours, and Table 4's lengths and edits.

    python -m benchmarks.papers.table5_2016

Read from ``simplification/xu2016`` in the folder that SEMA_DATA names. The settings are those that come nearest to the
table: mean sentence scores, exponential smoothing, the intercept 15.19 in FK, SARI over n-gram types, and in iBLEU and
FKBLEU the mean reference length (``benchmarks.papers.xu2016_search``). The table's Turker is the first one, who has the
printed FK. The table's system tuned to BLEU is the unchanged source. The exit status is 1 if a cell differs by more
than its tolerance; SARI of the human rows, which differs by .4, is not checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from sema_english.readability import Fk, FkbleuPaper

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
ROWS: Mapping[str, tuple[str, tuple[float, ...]]] = {
    "Normal Wikipedia": ("test.8turkers.tok.norm", (12.88, 99.05, 78.41, 62.48, 26.05)),
    "Simple Wikipedia": ("test.8turkers.tok.simp", (11.25, 66.75, 53.53, 61.75, 38.42)),
    "Mechanical Turk": (REFERENCES[0], (10.80, 100.0, 74.31, 73.60, 43.71)),
    "PBMT-R": ("moses.test.output.1rerank", (11.10, 63.12, 48.91, 59.00, 33.77)),
    "SBMT (PPDB + FKBLEU)": ("glbleu30it.test.output.1best", (10.75, 74.48, 58.10, 66.68, 34.18)),
    "SBMT (PPDB + SARI)": ("sari30it.test.output.1best", (10.90, 72.36, 58.15, 66.57, 37.91)),
}
SYSTEMS = ("PBMT-R", "SBMT (PPDB + FKBLEU)", "SBMT (PPDB + SARI)")
TOLERANCE = {"FK": 0.02, "BLEU": 0.1, "iBLEU": 0.12, "FKBLEU": 0.08}
SARI_TOLERANCE = 0.02


STATISTICS = ("#tokens", "#chars", "edit distance")
PRINTED_STATISTICS: Mapping[str, tuple[float, ...]] = {
    "Normal Wikipedia": (23, 125, 0.00),
    "Simple Wikipedia": (22, 116, 6.69),
    "Mechanical Turk": (19, 104, 8.25),
    "PBMT-R": (20, 108, 5.96),
    "SBMT (PPDB + FKBLEU)": (21, 107, 4.03),
    "SBMT (PPDB + SARI)": (23, 118, 3.98),
}
"""Table 4's columns that need no raters."""
Outputs = Mapping[str, Sequence[str]]


def read(name: str, limit: int | None = None) -> list[str]:
    """The lines of one of the authors' files."""
    return simplification(f"xu2016/{name}")[:limit]


def statistics_table(sources: Sequence[str], outputs: Outputs) -> None:
    """The second half of Table 4: means of tokens, characters and words edited."""
    table = Figures("papers.xu2016_statistics", "system", digits=2, peers=cells(PRINTED_STATISTICS, STATISTICS),
                    peer_source="Xu et al. (2016), Table 4", data="TurkCorpus test")  # fmt: skip
    for title, lines in outputs.items():
        edits = [-negative_distance(line.split(), source.split()) for line, source in zip(lines, sources, strict=True)]
        figures = (fmean(len(line.split()) for line in lines), fmean(map(len, lines)), fmean(edits))
        table.row(title, dict(zip(STATISTICS, figures, strict=True)), n=len(lines))


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; 0 if the cells that should agree do."""
    arguments = CommandLine(__doc__).parse(argv)

    limit = 20 if arguments.smoke else None
    sources, references = read("test.8turkers.tok.norm", limit), [read(name, limit) for name in REFERENCES]
    outputs = {title: read(name, limit) for title, (name, _) in ROWS.items()}
    peers = cells({row: own for row, (_, own) in ROWS.items()}, COLUMNS)
    source = "Xu et al. (2016), Table 5"
    table = Figures("papers.xu2016", "system", digits=2, peers=peers, peer_source=source, data="TurkCorpus test")
    missed = 0
    for title, (_, printed) in ROWS.items():
        items = [
            Item(Text(source, (), ()), Text(output, (), ()), tuple(column[line] for column in references))
            for line, (source, output) in enumerate(zip(sources, outputs[title], strict=True))
        ]
        ours = {column: metric.corpus(metric.rows(items)) for column, metric in COLUMNS.items()}
        table.row(title, ours, n=len(items))
        for (column, value), theirs in zip(ours.items(), printed, strict=True):
            allowed = SARI_TOLERANCE if column == "SARI" and title in SYSTEMS else TOLERANCE.get(column)
            missed += allowed is not None and abs(value - theirs) > allowed
    statistics_table(sources, outputs)
    return int(missed > 0 and not arguments.smoke)


if __name__ == "__main__":
    run(main)
