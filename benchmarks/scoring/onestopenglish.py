"""OneStopEnglish at passage level: 189 advanced articles against their intermediate and elementary versions.

    python -m benchmarks.scoring.onestopenglish

The intermediate text keeps more of the advanced one, so it should score higher.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import fmean

import sema
from benchmarks.records import CommandLine, Figures, run
from training.data.onestopenglish import articles


def main(argv: Sequence[str] | None = None) -> None:
    arguments = CommandLine(__doc__).parse(argv)
    texts = {level: column[: 1 if arguments.smoke else None] for level, column in articles().items()}
    count = len(texts["adv"])
    scorer = sema.Scorer("en", level="passage")
    start = time.perf_counter()
    report = scorer.score(texts["adv"], {"Int": texts["int"], "Ele": texts["ele"]})
    seconds = time.perf_counter() - start
    middle, easy = report.systems
    print(f"{count} articles, {seconds:.0f} s\nsignature: {report.signature}\n")
    digits = {"Adv -> Int": 2, "Adv -> Ele": 2, "articles with Int above Ele": 0}
    table = Figures("scoring.onestopenglish", "metric", digits=digits, data="OneStopEnglish")
    for name in report.metrics:
        higher = sum(a.scores[name] > b.scores[name] for a, b in zip(middle.items, easy.items, strict=True))
        means = [fmean(item.scores[name] for item in system.items) for system in (middle, easy)]
        table.row(name, dict(zip(digits, [*means, higher], strict=True)), n=count)


if __name__ == "__main__":
    run(main)
