"""Pairs a second of this edition and of an earlier one, in turn on the same machine, and the ratio of each round.

    python benchmarks/scoring/versions.py CHECKOUT [--python PYTHON] [--rounds 5] [--metrics sema,samsa]

CHECKOUT is a folder with the earlier edition. Each round loads a scorer in a process of its own and scores 1,000 unseen
TurkCorpus pairs with some metrics; a round is one edition and then the other, so that both meet the same load.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parents[2]
CODE = """
import sys, time, sema
folder, metrics = sys.argv[1], sys.argv[2].split(",")
sources, outputs = (open(f"{folder}/tune.truecase.detok.{part}", encoding="utf-8").read().splitlines()[:1000]
                    for part in ("orig", "simp.0"))
scorer = sema.Scorer("en", metrics)
scorer.score(["The cat that sat on the mat slept."], ["The cat slept."])
wall, cpu = time.perf_counter(), time.process_time()
scorer.score(sources, outputs)
print(1000 / (time.perf_counter() - wall), 1000 / (time.process_time() - cpu))
"""


def measure(python: str, checkout: Path, metrics: str) -> tuple[float, float]:
    """Pairs a second of wall-clock time, and of processor time."""
    from sema.datasets.folder import data_path

    paths = os.pathsep.join(str(checkout / part) for part in ("", "parsers", "lexicons"))
    command = [python, "-c", CODE, str(data_path() / "simplification" / "turkcorpus"), metrics]
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=True)
    wall, cpu = map(float, done.stdout.split())
    return wall, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--python", default=sys.executable, help="of an environment with the earlier edition installed")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--metrics", default="sema,samsa")
    arguments = parser.parse_args()
    ratios = []
    print("| round | earlier: pairs/s (of processor time) | now | ratio |")
    print("|---|---:|---:|---:|")
    for number in range(1, arguments.rounds + 1):
        earlier = measure(arguments.python, arguments.checkout.resolve(), arguments.metrics)
        now = measure(sys.executable, HERE, arguments.metrics)
        ratios.append((now[0] / earlier[0], now[1] / earlier[1]))
        print(f"| {number} | {earlier[0]:.0f} ({earlier[1]:.0f}) | {now[0]:.0f} ({now[1]:.0f}) | "
              f"{ratios[-1][0]:.2f} ({ratios[-1][1]:.2f}) |", flush=True)  # fmt: skip
    wall, cpu = (median(ratio[place] for ratio in ratios) for place in (0, 1))
    print(f"\nmedian ratio {wall:.2f}, of processor time {cpu:.2f}")


if __name__ == "__main__":
    main()
