"""What worker processes gain: pairs a second for sema and samsa over distinct TurkCorpus pairs, by runner.

    python benchmarks/scoring/workers.py [PAIRS ...]

The base is one process with one thread; then one process with a thread for each core, two processes, and Ray with two
workers where it is installed, all with the same scores to the last bit. The workers are kept between calls, so each
number of pairs is scored once, unseen, after a first call that loads the models. Pairs are TurkCorpus' tune originals
with their references; the first sentence of both texts has a number of its own, so that it is in no cache.
"""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec
from itertools import count

import sema
from sema.datasets.folder import data_path
from sema.scoring.ray_runner import RayRunner
from sema.scoring.runners import LocalRunner, ProcessRunner, Runner


def pairs(number: int, first: int) -> tuple[list[str], ...]:
    """So many pairs, with the numbers from ``first`` on in them."""
    folder = data_path() / "simplification" / "turkcorpus"
    sources = (folder / "tune.truecase.detok.orig").read_text(encoding="utf-8").splitlines()
    outputs = (folder / "tune.truecase.detok.simp.0").read_text(encoding="utf-8").splitlines()
    places = [(place % len(sources), place) for place in range(first, first + number)]
    return tuple([f"Report {place} says that {texts[line]}" for line, place in places] for texts in (sources, outputs))


def main() -> None:
    counts = [int(argument) for argument in sys.argv[1:]] or [2000, 6000]
    runners: dict[str, tuple[Runner, dict[str, object]]] = {
        "1 process, 1 thread": (LocalRunner(), {"threads": 1}),
        "1 process, a thread for each core": (LocalRunner(), {}),
        "2 processes": (ProcessRunner(2), {}),
    }
    if find_spec("ray"):
        runners["Ray, 2 workers"] = (RayRunner(2), {})
    print("| runner | " + " | ".join(f"{number} pairs" for number in counts) + " | of the first | same scores |")
    print("|---|" + "---:|" * (len(counts) + 1) + "---|")
    first: dict[int, object] = {}
    base = None
    for name, (runner, options) in runners.items():
        scorer = sema.Scorer("en", ("sema", "samsa"), runner=runner, options=options)
        warm = [f"The cat that slept on mat {number} woke." for number in range(600)]
        scorer.score(warm, warm, keep_items=False)
        cells, same = [], True
        start = count(10_000, 100_000)
        for number in counts:
            sources, outputs = pairs(number, next(start))
            began = time.perf_counter()
            report = scorer.score(sources, outputs, keep_items=False)
            spent = time.perf_counter() - began
            same = same and first.setdefault(number, report.systems) == report.systems
            cells.append(f"{spent:.1f} s ({number / spent:.0f}/s)")
        base = base or spent
        print(f"| {name} | {' | '.join(cells)} | {base / spent:.2f} | {'yes' if same else 'NO'} |", flush=True)


if __name__ == "__main__":
    main()
