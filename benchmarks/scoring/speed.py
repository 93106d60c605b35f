"""Pairs a second of ``sema score --metrics sema,samsa`` on 1,000 TurkCorpus pairs, cold and warm.

    python -m benchmarks.scoring.speed
    python -m benchmarks.scoring.speed cost

Cold: the command as a user types it, start and model loading included. Warm: a loaded scorer that has not seen the
pairs. The encoder's share is the time inside ONNX Runtime, summed over its threads. ``cost`` compares processor time,
which depends less on other work on the machine: milliseconds a pair for some sets of metrics, ONNX Runtime's part, and
the ratio to ``sema`` alone.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Lock
from typing import Any
from unittest.mock import patch

import sema
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import turkcorpus
from sema.runtime.onnx import onnx_runtime

PAIRS, ROUNDS = 1000, 3
DATA = "TurkCorpus tune"
COST_AIMS = {("sema,samsa", "times ONNX Runtime's"): 1.4, ("meaning,sema,samsa", "times sema"): 3.0}


@contextmanager
def inside_onnx(clock: Callable[[], float]) -> Iterator[list[float]]:
    """The clock seconds spent in ONNX Runtime, summed over threads, as a list of one number."""
    kind = onnx_runtime().InferenceSession
    plain, inside, lock = kind.run, [0.0], Lock()

    def timed(self: Any, *arguments: Any, **options: Any) -> Any:
        begin = clock()
        try:
            return plain(self, *arguments, **options)
        finally:
            with lock:
                inside[0] += clock() - begin

    with patch.object(kind, "run", timed):
        yield inside


def loaded(metrics: Sequence[str]) -> sema.Scorer:
    """A scorer that has loaded its models."""
    scorer = sema.Scorer("en", metrics)
    scorer.score(["The cat that sat on the mat slept."], ["The cat slept."])
    return scorer


def cost(metrics: Sequence[str], sources: Sequence[str], outputs: Sequence[str]) -> tuple[float, float]:
    """Processor time a pair, in ms, of a loaded scorer that has not seen the pairs, and ONNX Runtime's share."""
    scorer = loaded(metrics)
    with inside_onnx(time.thread_time) as inside:
        start = time.process_time()
        scorer.score(sources, outputs, keep_items=False)
        spent = time.process_time() - start
    return 1000 * spent / len(sources), 1000 * inside[0] / len(sources)


def costs(sources: Sequence[str], outputs: Sequence[str], rounds: int) -> None:
    """Print the cost of some sets of metrics."""
    digits = {"ms of processor time a pair": 2, "ms in ONNX Runtime": 2, "times ONNX Runtime's": 2, "times sema": 2}
    lower = ("times ONNX Runtime's", "times sema")
    table = Figures("scoring.cost", "metrics", digits=digits, aims=COST_AIMS, lower=lower, data=DATA)
    base = 0.0
    for name in ("sema", "sema,samsa", "meaning,sema,samsa", "sema,cefr", "sema,simplicity"):
        measured = [cost(name.split(","), sources, outputs) for _ in range(rounds)]
        spent, inside = (median(column) for column in zip(*measured, strict=True))
        base = base or spent
        table.row(name, dict(zip(digits, (spent, inside, spent / inside, spent / base), strict=True)),
                  n=len(sources))  # fmt: skip


def speed(sources: Sequence[str], outputs: Sequence[str]) -> None:
    """Print pairs a second, cold and warm."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, lines in (("source.txt", sources), ("output.txt", outputs)):
            files.append(Path(folder, name))
            files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "sema", "score", "--lang", "en", "--metrics", "sema,samsa"]
        start = time.perf_counter()
        subprocess.run([*command, "-s", str(files[0]), "-o", str(files[1])], check=True, stdout=subprocess.DEVNULL)
        cold = time.perf_counter() - start
    scorer = loaded(("sema", "samsa"))
    with inside_onnx(time.perf_counter) as inside:
        start = time.perf_counter()
        scorer.score(sources, outputs)
        warm = time.perf_counter() - start
    start = time.perf_counter()
    scorer.score(sources, [*outputs[1:], outputs[0]])
    again = time.perf_counter() - start
    table = Figures(
        "scoring.speed", "sema,samsa", digits={"s": 2, "pairs/s": 0}, aims={("warm", "pairs/s"): 500}, data=DATA
    )
    for name, seconds in (("cold", cold), ("warm", warm), ("warm, another system's outputs", again)):
        table.row(name, {"s": seconds, "pairs/s": len(sources) / seconds}, n=len(sources))
    print(f"warm: {inside[0]:.2f} thread-seconds in ONNX Runtime")


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("what", nargs="?", choices=("speed", "cost"), default="speed")
    arguments = parser.parse(argv)
    sources, outputs = (column[: 10 if arguments.smoke else PAIRS] for column in turkcorpus("tune"))
    if arguments.smoke or arguments.what == "cost":
        costs(sources, outputs, 1 if arguments.smoke else ROUNDS)
    if arguments.smoke or arguments.what == "speed":
        speed(sources, outputs)


if __name__ == "__main__":
    run(main)
