"""The gain from worker processes: pairs a second for `sema,samsa` over distinct TurkCorpus pairs, by runner.

    python -m benchmarks.scoring.workers [PAIRS ...]

The base is one process with one thread; then one process with a thread for each core, two processes, and Ray with two
workers if it is installed; all have the same scores to the last bit. Workers are kept between calls, so each number of
pairs is scored once, after a first call that loads the models. Pairs are TurkCorpus' tune originals with their
references; the first sentence of both texts has a unique number, so that no cache holds it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import count

import sema
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import numbered_pairs
from sema.scoring.ray_runner import RayRunner
from sema.scoring.runners import LocalRunner, ProcessRunner, Runner


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("pairs", nargs="*", type=int)
    arguments = parser.parse(argv)
    counts = [4] if arguments.smoke else arguments.pairs or [2000, 6000]
    runners: dict[str, tuple[Runner, dict[str, object]]] = {
        "1 process, 1 thread": (LocalRunner(), {"threads": 1}),
        "1 process, a thread for each core": (LocalRunner(), {}),
        "2 processes": (ProcessRunner(2), {}),
    }
    if find_spec("ray") and not arguments.smoke:
        runners["Ray, 2 workers"] = (RayRunner(2), {})
    digits = {f"pairs/s of {number:,}": 0 for number in counts} | {"times the first": 2, "same scores": 0}
    table = Figures("runs.workers", "runner; sema,samsa", digits=digits, data="TurkCorpus tune")
    first: dict[int, object] = {}
    warm = [f"The cat that slept on mat {number} woke." for number in range(4 if arguments.smoke else 600)]
    base = None
    for name, (runner, options) in runners.items():
        scorer = sema.Scorer("en", ("sema", "samsa"), runner=runner, options=options)
        scorer.score(warm, warm, keep_items=False)
        cells: dict[str, float | None] = {}
        same = True
        for start, number in zip(count(10_000, 100_000), counts, strict=False):
            sources, outputs = numbered_pairs(number, start)
            began = time.perf_counter()
            report = scorer.score(sources, outputs, keep_items=False)
            spent = time.perf_counter() - began
            same = same and first.setdefault(number, report.systems) == report.systems
            cells[f"pairs/s of {number:,}"] = number / spent
        base = base or spent
        table.row(name, {**cells, "times the first": base / spent, "same scores": float(same)})


if __name__ == "__main__":
    run(main)
