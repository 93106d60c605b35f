"""Pairs a second of this release and an earlier one on the same machine, and their ratio.

    python -m benchmarks.scoring.versions CHECKOUT [--python PYTHON] [--rounds 5] [--metrics sema,samsa]

CHECKOUT is a folder with the earlier release. Each round loads a scorer in a process of its own and scores 1,000 unseen
TurkCorpus pairs; a round runs one release after the other, so that both have the same load.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.records import ROOT, CommandLine, Figures, run
from sema.datasets.folder import data_folder

PAIRS = 1000
CODE = """
import sys, time, sema
folder, metrics, count = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3])
sources, outputs = (open(f"{folder}/tune.truecase.detok.{part}", encoding="utf-8").read().splitlines()[:count]
                    for part in ("orig", "simp.0"))
scorer = sema.Scorer("en", metrics)
scorer.score(["The cat that sat on the mat slept."], ["The cat slept."])
wall, cpu = time.perf_counter(), time.process_time()
scorer.score(sources, outputs)
print(count / (time.perf_counter() - wall), count / (time.process_time() - cpu))
"""


def measure(python: str, checkout: Path, metrics: str, pairs: int) -> tuple[float, float]:
    """Pairs a second of wall-clock time, and of processor time."""
    paths = os.pathsep.join(str(checkout / part) for part in ("", "parsers", "lexicons"))
    command = [python, "-c", CODE, str(data_folder("simplification", "turkcorpus")), metrics, str(pairs)]
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=True)
    wall, cpu = map(float, done.stdout.split())
    return wall, cpu


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("checkout", nargs="?", type=Path, default=ROOT)
    parser.add_argument(
        "--python", default=sys.executable, help="Python of an environment with the earlier release installed"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--metrics", default="sema,samsa")
    arguments = parser.parse(argv)
    rounds, pairs = (1, 4) if arguments.smoke else (arguments.rounds, PAIRS)
    runs = []
    print("| round | earlier: pairs/s (of processor time) | now | ratio |")
    print("|---|---:|---:|---:|")
    for number in range(1, rounds + 1):
        earlier = measure(arguments.python, arguments.checkout.resolve(), arguments.metrics, pairs)
        now = measure(sys.executable, ROOT, arguments.metrics, pairs)
        runs.append((*earlier, *now, now[0] / earlier[0], now[1] / earlier[1]))
        before_wall, before_cpu, wall, cpu, ratio, of_cpu = runs[-1]
        print(f"| {number} | {before_wall:.0f} ({before_cpu:.0f}) | {wall:.0f} ({cpu:.0f}) | "
              f"{ratio:.2f} ({of_cpu:.2f}) |", flush=True)  # fmt: skip
    medians = [median(column) for column in zip(*runs, strict=True)]
    print("\nMedians\n")
    digits = {"earlier": 0, "now": 0, "times": 2}
    table = Figures("scoring.versions", f"pairs a second, {arguments.metrics}", digits=digits, data="TurkCorpus tune")
    for name, place in (("by the clock", 0), ("of processor time", 1)):
        table.row(name, dict(zip(digits, medians[place::2], strict=True)), n=pairs)


if __name__ == "__main__":
    run(main)
