"""The cost of a change of voice or word order. The meaning stays the same, so every lost point is an error.

    python -m benchmarks.judges.voice_and_order [--metrics meaning,sema,...]

English sentences, each paired with itself in the other voice or with a phrase or clause moved
(``probes/voice_and_order.jsonl``, by an author who had not written the code). The table has, by kind, the mean score,
the share below 95 and the lowest score.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from benchmarks.records import CommandLine, Figures, run
from sema import Scorer

METRICS = ("meaning", "meaning_recall", "meaning_precision", "sema", "samsa", "stem_recall")
NEARLY_ALL = 95.0


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--metrics", default=",".join(METRICS))
    arguments = parser.parse(argv)
    names = arguments.metrics.split(",")
    lines = (Path(__file__).parent / "probes" / "voice_and_order.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(line) for line in lines][: 4 if arguments.smoke else None]
    report = Scorer("en", names).score([pair["source"] for pair in pairs], [pair["same"] for pair in pairs])
    print(f"signature: {report.signature}\n")
    columns = {name: (name, f"{name} below 95, %", f"{name}, lowest") for name in names}
    digits = {column: int(column in names) for some in columns.values() for column in some}
    table = Figures("meaning.voice_and_order", "kind", digits=digits)
    items = report.systems[0].items
    for kind in sorted({pair["kind"] for pair in pairs}):
        some = [item.scores for pair, item in zip(pairs, items, strict=True) if pair["kind"] == kind]
        figures: dict[str, float | None] = {}
        for name, titles in columns.items():
            scores = [row[name] for row in some]
            low = 100 * sum(score < NEARLY_ALL for score in scores) / len(scores)
            figures.update(zip(titles, (fmean(scores), low, min(scores)), strict=True))
        table.row(kind, figures, n=len(some))


if __name__ == "__main__":
    run(main)
