"""Pairs a second of ``sema score --metrics sema,samsa`` on 1,000 TurkCorpus pairs, cold and warm.

    python -m benchmarks.scoring.speed [--lang zh]
    python -m benchmarks.scoring.speed cost
    python -m benchmarks.scoring.speed first

Chinese: the 366 pairs of MCTS dev. Cold: the command as a user types it, start and model loading included. Warm: a
loaded scorer that has not seen the pairs. The encoder's share is the time inside ONNX Runtime, summed over its threads.
``cost`` compares processor time, which depends less on other work on the machine. The process knows the words of the
pairs, but the scorers have not seen the pairs. For some sets of metrics it prints milliseconds a pair, ONNX Runtime's
part, the ratio to ``sema`` alone and what the last metric adds to the others in the same round, as medians of five
rounds. ``first`` is the command on three pairs, with all files in the disk's cache: seconds by the clock and of
processor time, as medians of ten starts.
"""

from __future__ import annotations

import os
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
from benchmarks.scoring.memory import children_seconds, texts
from benchmarks.sets import mcts, turkcorpus
from sema.runtime.onnx import onnx_runtime

PAIRS, ROUNDS = 1000, 5
FIRST, STARTS = 3, 10
DATA = "TurkCorpus tune"
_AS_INSTALLED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment of a command whose modules are compiled once, as an installation's are."""
COST = ("ms of processor time a pair", "ms in ONNX Runtime", "times ONNX Runtime's", "times sema",
        "ms that the last adds")  # fmt: skip
COST_AIMS = {
    ("sema,samsa", COST[2]): 1.4, ("meaning,sema,samsa", COST[3]): 3.0,
    **{(name, COST[4]): 1.0 for name in ("sema,cefr", "meaning,sema,samsa,cefr")},
}  # fmt: skip


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


LOADING = {
    "en": ("The cat that sat on the mat slept.", "The cat slept."),
    "zh": ("今天天气好，我们去公园。", "今天天气好。"),
}


def loaded(metrics: Sequence[str], lang: str = "en") -> sema.Scorer:
    """A scorer that has loaded its models."""
    scorer = sema.Scorer(lang, metrics)
    scorer.score(*([text] for text in LOADING[lang]))
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
    table = Figures("scoring.cost", "metrics", digits=2, aims=COST_AIMS, lower=COST[2:], data=DATA)
    names = ("sema", "sema,samsa", "meaning,sema,samsa", "sema,cefr", "meaning,sema,samsa,cefr", "sema,simplicity")
    cost(("sema",), sources, outputs)  # fills the caches of lexicons and lists of words
    # A machine's speed changes from minute to minute, so the sets are measured in turn, in another order each round.
    orders = ([*names[start % len(names) :], *names[: start % len(names)]] for start in range(rounds))
    measured = [{name: cost(name.split(","), sources, outputs) for name in order} for order in orders]
    for name in names:
        others = name.rpartition(",")[0]
        found = []
        for costs_of in measured:
            (spent, inside), first = costs_of[name], costs_of[names[0]][0]
            added = [spent - costs_of[others][0]] if others in costs_of else []
            found.append((spent, inside, spent / inside, spent / first, *added))
        figures: dict[str, float | None] = dict.fromkeys(COST)
        figures |= zip(COST, map(median, zip(*found, strict=True)), strict=False)
        table.row(name, figures, n=len(sources))


def command(sources: Sequence[str], outputs: Sequence[str], *options: str, lang: str = "en") -> tuple[float, float]:
    """The seconds that the command takes as a user types it, by the clock and of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        given = texts(Path(folder), zip(sources, outputs, strict=True), lang)
        start, before = time.perf_counter(), children_seconds()
        words = [sys.executable, "-m", "sema", "score", *given, *options]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=_AS_INSTALLED)
        return time.perf_counter() - start, children_seconds() - before


def first(sources: Sequence[str], outputs: Sequence[str], starts: int) -> None:
    """Print how long a first score takes."""
    names = {"sema,samsa": ("--metrics", "sema,samsa"), "default": ()}
    table = Figures("scoring.first", "metrics", digits={"s": 2, "processor s": 2},
                    aims={"s": 0.6}, lower=("s",), data=f"{FIRST} pairs of {DATA}")  # fmt: skip
    taken = [[command(sources, outputs, *options) for options in names.values()] for _ in range(starts + 1)][1:]
    for name, measured in zip(names, zip(*taken, strict=True), strict=True):
        seconds, spent = map(median, zip(*measured, strict=True))
        table.row(name, {"s": seconds, "processor s": spent}, n=starts)


def speed(sources: Sequence[str], outputs: Sequence[str], lang: str = "en") -> None:
    """Print pairs a second, cold and warm."""
    command(sources[:FIRST], outputs[:FIRST], "--metrics", "sema,samsa", lang=lang)  # compiles what it imports
    cold, _ = command(sources, outputs, "--metrics", "sema,samsa", lang=lang)
    scorer = loaded(("sema", "samsa"), lang)
    with inside_onnx(time.perf_counter) as inside:
        start = time.perf_counter()
        scorer.score(sources, outputs)
        warm = time.perf_counter() - start
    start = time.perf_counter()
    scorer.score(sources, [*outputs[1:], outputs[0]])
    again = time.perf_counter() - start
    aims = {("warm", "pairs/s"): 500, ("Chinese, warm", "pairs/s"): 120}
    table = Figures("scoring.speed", "sema,samsa", digits={"s": 2, "pairs/s": 0}, aims=aims,
                    data=DATA if lang == "en" else "MCTS dev")  # fmt: skip
    for name, seconds in (("cold", cold), ("warm", warm), ("warm, another system's outputs", again)):
        row = name if lang == "en" else f"Chinese, {name}"
        table.row(row, {"s": seconds, "pairs/s": len(sources) / seconds}, n=len(sources))
    print(f"warm: {inside[0]:.2f} thread-seconds in ONNX Runtime")


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("what", nargs="?", choices=("speed", "cost", "first"), default="speed")
    parser.add_argument("--lang", choices=LOADING, default="en", help="of pairs a second")
    arguments = parser.parse(argv)
    if arguments.lang != "en" and arguments.what != "speed":
        parser.error(f"{arguments.what} is measured in English alone")
    columns = turkcorpus("tune") if arguments.lang == "en" else mcts(1)
    sources, outputs = (column[: 10 if arguments.smoke else PAIRS] for column in columns)
    whole = arguments.smoke and arguments.lang == "en"
    if whole or arguments.what == "cost":
        costs(sources, outputs, 1 if arguments.smoke else ROUNDS)
    if whole or arguments.what == "first":
        first(sources[:FIRST], outputs[:FIRST], 1 if arguments.smoke else STARTS)
    if arguments.smoke or arguments.what == "speed":
        speed(sources, outputs, arguments.lang)


if __name__ == "__main__":
    run(main)
