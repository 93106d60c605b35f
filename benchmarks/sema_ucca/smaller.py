"""A network of three layers beside the shipped one of six: how good it is and what it costs, in one run.

    python -m training.ucca smaller --runs RUNS
    python -m benchmarks.sema_ucca.smaller RUNS/smaller/weights [--sets wiki dev test 20k]

F1 by UCCA's own evaluator as in :mod:`benchmarks.sema_ucca.parsing`. Cost: processor time a pair for two sets of
metrics and pairs a second (`sema,samsa`), TurkCorpus' tune part, scorers that have not seen the pairs in processes that
know their words, medians of rounds in turn. The aligner and the judges that read the fourth layer's states are those
that were trained on the shipped network's, so that these are costs and no scores.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from unittest.mock import patch

from sema_ucca import encoder
from sema_ucca.network import WEIGHTS
from sema_ucca.parser import UccaParser

from benchmarks.records import CommandLine, Figures, run
from benchmarks.scoring.speed import cost, loaded
from benchmarks.sema_ucca.parsing import SETS, quality
from benchmarks.sets import turkcorpus

PAIRS, ROUNDS = 1000, 3
F1 = {"labelled primary F1": "units", "labelled remote F1": "remote edges", "Scenes F1": "Scenes",
      "Participants F1": "Participants"}  # fmt: skip
COSTS = {"sema,samsa, ms": 2, "sema,cefr, ms": 2, "sema,samsa, pairs/s": 0}


def costs(weights: Path, pairs: int) -> list[float]:
    """What :data:`COSTS` names, with these weights."""
    sources, outputs = (column[:pairs] for column in turkcorpus("tune"))
    with patch.object(encoder, "WEIGHTS", weights):
        cost(("sema", "samsa"), sources, outputs)  # lexicons and lists of words remember what they are asked
        spent = [cost(metrics, sources, outputs)[0] for metrics in (("sema", "samsa"), ("sema", "cefr"))]
        scorer = loaded(("sema", "samsa"))
        start = time.perf_counter()
        scorer.score(sources, outputs)
        return [*spent, len(sources) / (time.perf_counter() - start)]


def in_turn(networks: dict[str, Path], pairs: int, rounds: int) -> dict[str, list[float]]:
    """The medians of the costs of each network, each measured in processes of its own."""
    found: dict[str, list[list[float]]] = {name: [] for name in networks}
    for _ in range(rounds):
        for name, weights in networks.items():
            words = [sys.executable, "-m", "benchmarks.sema_ucca.smaller", str(weights), "--costs", str(pairs)]
            found[name].append(json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout))
    return {name: [median(figures) for figures in zip(*measured, strict=True)] for name, measured in found.items()}


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = CommandLine(__doc__)
    parser.add_argument("weights", nargs="?", type=Path, default=WEIGHTS, help="of three layers")
    parser.add_argument("--sets", nargs="*", default=["wiki", "dev", "test"], choices=tuple(SETS))
    parser.add_argument("--costs", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse(argv)
    if arguments.costs:
        print(json.dumps(costs(arguments.weights, arguments.costs)))
        return
    if arguments.weights == WEIGHTS and not arguments.smoke:
        parser.error("give the folder of the weights that python -m training.ucca smaller wrote")
    turkcorpus("tune")  # fails in one line if absent, before a process starts
    networks = {"six layers": WEIGHTS, "three layers": arguments.weights}
    sets, most, pairs, rounds = arguments.sets, None, PAIRS, ROUNDS
    if arguments.smoke:
        sets, most, pairs, rounds = ["dev"], 2, 2, 1
    table = Figures("parsing.smaller", "set, network", digits=dict.fromkeys(F1.values(), 2))
    for name in sets:
        for network, weights in networks.items():
            own = UccaParser(convention=SETS[name], encoder=encoder.UccaEncoder(weights=weights))
            figures, count = quality(own, name, most)
            table.row(f"{name}, {network}", {shown: figures[full] for full, shown in F1.items()}, n=count)
    table = Figures("parsing.smaller_costs", "network", digits=COSTS, data="TurkCorpus tune")
    for network, found in in_turn(networks, pairs, rounds).items():
        table.row(network, dict(zip(COSTS, found, strict=True)), n=pairs)


if __name__ == "__main__":
    run(main)
