"""The five references of MCTS dev scored against their originals.

    python -m benchmarks.scoring.mcts

The SEMA paper reports 0.804 for professionally adapted news with words aligned by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import sema
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import mcts

METRICS = ("sema_base", "sema_part", "sema", "samsa", "samsa_abl")


def main(argv: Sequence[str] | None = None) -> None:
    arguments = CommandLine(__doc__).parse(argv)
    originals, *references = (column[: 4 if arguments.smoke else None] for column in mcts())
    scorer = sema.Scorer("zh", METRICS)
    report = scorer.score(originals, {f"reference {n}": column for n, column in enumerate(references)})
    print(f"signature: {report.signature}\n")
    table = Figures(
        "scoring.mcts", "MCTS dev", digits=dict.fromkeys(METRICS, 2), peers={("mean", "sema"): 80.4},
        peer_source="Zhang, Zhao, Zhang and Zhang, SEMA: other texts, words linked by hand", data="MCTS dev",
    )  # fmt: skip
    for system in report.systems:
        table.row(system.name, {name: system.scores[name] for name in METRICS}, n=len(originals))
    table.row("mean", {name: fmean(system.scores[name] for system in report.systems) for name in METRICS},
              n=len(originals))  # fmt: skip


if __name__ == "__main__":
    run(main)
