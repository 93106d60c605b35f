"""Does Chinese `meaning` agree with people? Probes, edits, inference, similarity and references, each with its aim.

    python -m benchmarks.judges.meaning_zh [--parts NAME ...] [--limit N] [--set meaning.reader=none] [--record]

``graded``: an editor's good, slightly lossy and misleading versions. ``blind``: probes by an author who had not seen
the code. ``edits``: area under the ROC curve for pairs with the same meaning (the last 500 pairs of PAWS's Chinese
training part, which train nothing). ``inference``: area under the curve for entailment against the rest by
`meaning_precision`, and for contradiction by `meaning` (OCNLI, XNLI, HANS, diagnostics). ``similarity``: Pearson's r
with STS-B's scores. ``references``: scores of human simplifications (MCTS). ``reader``: accuracy of the reader's
entailment. With `meaning.reader=none` the names of all tables end in `_facts`, and ``reader`` is skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median

import numpy as np

from benchmarks.judges.meaning import LABELS, Bench, auc, blind, graded, run_parts, share
from benchmarks.records import CommandLine, run
from sema.datasets.folder import data_folder
from sema.evaluation.significance import pearson
from sema.languages import find_language
from training.reader.chinese.bilingual import PAWS_HELD_OUT
from training.reader.english.examples import rows

OCNLI_AIM, PAWS_AIM, STS_AIM = 0.78, 0.78, 0.65
INFERENCE: Mapping[str, float | None] = {"ocnli": OCNLI_AIM, "xnli": None, "hans": None, "diagnostics": None}


def edits(bench: Bench) -> None:
    """Pairs with the same meaning against pairs of the same words with another meaning."""
    some = bench.some(list(rows("zh", "train", "paws.tsv.gz"))[-PAWS_HELD_OUT:])
    scores = bench.scores([(row["premise"], row["hypothesis"]) for row in some])
    for metric in ("meaning", "meaning_precision"):
        figure = auc(scores[metric], [row["label"] == "1" for row in some])
        bench.put("edits", "PAWS", metric, figure, len(some), PAWS_AIM)


def inference(bench: Bench) -> None:
    """Entailment against the rest, contradiction against the rest."""
    for name, aim in INFERENCE.items():
        some = bench.some([row for row in rows("zh", "dev", f"{name}.tsv.gz") if row["label"] in LABELS])
        scores = bench.scores([(row["premise"], row["hypothesis"]) for row in some])
        entailed = [row["label"] == "entailment" for row in some]
        bench.put(
            "inference",
            name,
            "entailment, precision",
            auc(scores["meaning_precision"], entailed),
            len(some),
            aim,
        )
        if any(row["label"] == "contradiction" for row in some):
            consistent = [row["label"] != "contradiction" for row in some]
            bench.put("inference", name, "contradiction, meaning", auc(scores["meaning"], consistent), len(some))


def similarity(bench: Bench) -> None:
    """Pearson's r with graded similarity."""
    some = bench.some(list(rows("zh", "dev", "sts.tsv.gz")))
    scores = bench.scores([(row["premise"], row["hypothesis"]) for row in some])
    people = [float(row["label"]) for row in some]
    for metric, values in scores.items():
        aim = STS_AIM if metric == "meaning" else None
        bench.put("similarity", "STS-B", metric, pearson(people, values).value, len(some), aim)


def references(bench: Bench) -> None:
    """Scores of human simplifications."""
    folder = data_folder("simplification", "mcts", "dataset")
    sources = (folder / "mcts.dev.orig").read_text(encoding="utf-8").splitlines()
    pairs = [
        (source.strip(), output.strip())
        for file in sorted(folder.glob("mcts.dev.simp.*"))
        for source, output in zip(sources, file.read_text(encoding="utf-8").splitlines(), strict=True)
        if output.strip()
    ]
    by_metric = bench.scores(bench.some(pairs))
    n = len(by_metric["meaning"])
    for metric, values in by_metric.items():
        bench.put("references", "MCTS", f"{metric.removeprefix('meaning_')}, median", median(values), n, None, 1)
    low = share([value < 60 for value in by_metric["meaning_precision"]])
    bench.put("references", "MCTS", "precision under 60, %", low, n, 5, 1, lower=True)


def reader(bench: Bench) -> None:
    """Accuracy of the reader's entailment, %."""
    if bench.facts_alone:
        return
    parts = find_language("zh").parts()
    assert parts.cross_encoder is not None
    for name in ("ocnli", "xnli"):
        some = bench.some([row for row in rows("zh", "dev", f"{name}.tsv.gz") if row["label"] in LABELS])
        texts = parts.segmenter.segment([text for row in some for text in (row["premise"], row["hypothesis"])])
        read = parts.cross_encoder.read(list(zip(texts[::2], texts[1::2], strict=True)))
        right = [
            LABELS[int(np.argmax(pair.output_entailed))] == row["label"] for pair, row in zip(read, some, strict=True)
        ]
        bench.put("reader", name, "accuracy, %", share(right), len(some), None, 1)


PARTS: Mapping[str, Callable[[Bench], None]] = {
    part.__name__: part for part in (graded, blind, edits, inference, similarity, references, reader)
}


def main(argv: Sequence[str] | None = None) -> None:
    run_parts(CommandLine(__doc__), PARTS, "zh", argv)


if __name__ == "__main__":
    run(main)
