"""What worker processes gain: seconds for sema and samsa over distinct TurkCorpus pairs, by runner.

    python benchmarks/scoring/workers.py [PAIRS ...]

One process, two, and Ray with two workers where it is installed; their scores must be the same to the last bit. The
workers are kept between calls, so each number of pairs is scored once unseen after a first call that loads the models.
Pairs are TurkCorpus' tune originals with their references, each original in as many versions as needed (a
number is appended, so that no parse is found in a cache).
"""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec

import sema
from sema.datasets.folder import data_path
from sema.scoring.ray_runner import RayRunner
from sema.scoring.runners import LocalRunner, ProcessRunner, Runner


def pairs(count: int) -> tuple[list[str], list[str]]:
    folder = data_path() / "simplification" / "turkcorpus"
    sources = (folder / "tune.truecase.detok.orig").read_text(encoding="utf-8").splitlines()
    outputs = (folder / "tune.truecase.detok.simp.0").read_text(encoding="utf-8").splitlines()
    rounds = range(count // len(sources) + 1)
    fresh = [(f"{source} {n}", output) for n in rounds for source, output in zip(sources, outputs, strict=True)]
    return [source for source, _ in fresh[:count]], [output for _, output in fresh[:count]]


def main() -> None:
    counts = [int(argument) for argument in sys.argv[1:]] or [500, 2000, 4000]
    runners: dict[str, Runner] = {"1 process": LocalRunner(), "2 processes": ProcessRunner(2)}
    if find_spec("ray"):
        runners["Ray, 2 workers"] = RayRunner(2)
    print("| runner | " + " | ".join(f"{count} pairs" for count in counts) + " | same scores |")
    print("|---|" + "---:|" * len(counts) + "---|")
    first: dict[int, object] = {}
    for name, runner in runners.items():
        scorer = sema.Scorer("en", ("sema", "samsa"), runner=runner)
        warm = [f"The cat that slept on mat {number} woke." for number in range(600)]
        scorer.score(warm, warm, keep_items=False)
        cells, same = [], True
        for count in counts:
            sources, outputs = pairs(count)
            start = time.perf_counter()
            report = scorer.score(sources, outputs, keep_items=False)
            spent = time.perf_counter() - start
            same = same and first.setdefault(count, report.systems) == report.systems
            cells.append(f"{spent:.1f} s ({count / spent:.0f}/s)")
        print(f"| {name} | " + " | ".join(cells) + f" | {'yes' if same else 'NO'} |", flush=True)


if __name__ == "__main__":
    main()
