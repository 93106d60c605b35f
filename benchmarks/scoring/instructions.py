"""The same pairs on this processor as it is, and as if it had AVX2 alone: speed, and how much the scores differ.

    python -m benchmarks.scoring.instructions

ONNX Runtime asks the processor what it can do and has no setting against it. So it runs under ``gdb``, which takes
AVX-512 and VNNI out of the answers (:mod:`benchmarks.scoring.without_avx512`; Debian packages ``gdb`` and
``binutils``). Environment variables keep NumPy and its OpenBLAS from these instructions. ``gdb`` stops the program only
while the library starts, so it does not slow the scoring down.
Pairs are the first of TurkCorpus' tune part, two thirds of them for the default table, scored by loaded scorers.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import sema
from benchmarks.records import CommandLine, Figures, run
from benchmarks.scoring import without_avx512
from benchmarks.sets import turkcorpus

PAIRS = 900
SETS = {"sema,samsa": 1.0, "meaning,sema,samsa": 2 / 3}
"""Metrics, and the share of the pairs that they score."""
NEEDED = ("gdb", "objdump")
WITHOUT = {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR",
           "OPENBLAS_CORETYPE": "Haswell"}  # fmt: skip


def score(pairs: int, file: Path) -> None:
    """Score in this process; write each set's pairs a second and scores."""
    found = {}
    for metrics, share in SETS.items():
        sources, outputs = (column[: max(1, int(pairs * share))] for column in turkcorpus("tune"))
        scorer = sema.Scorer("en", metrics.split(","))
        scorer.score(["The cat that sat on the mat slept."], ["The cat slept."])
        start = time.perf_counter()
        report = scorer.score(sources, outputs)
        speed = len(sources) / (time.perf_counter() - start)
        found[metrics] = {"speed": speed, "scores": [dict(item.scores) for item in report.systems[0].items]}
    file.write_text(json.dumps(found), encoding="utf-8")


def scored(pairs: int, before: Sequence[str] = (), **environment: str) -> dict[str, Any] | None:
    """What :func:`score` writes in a process of its own, started by the words ``before``; ``None`` if that fails."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "scores.json")
        words = [*before, sys.executable, "-m", "benchmarks.scoring.instructions", str(pairs), "--to", str(file)]
        subprocess.run(words, check=not before, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
        found: dict[str, Any] | None = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
        return found


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, list[float]]:
    """By how much each metric's scores (0 to 100) differ, pair by pair, in the first set that has it."""
    found: dict[str, list[float]] = {}
    for name in SETS:
        pairs = list(zip(one[name]["scores"], other[name]["scores"], strict=True))
        for metric in pairs[0][0]:
            found.setdefault(metric, [abs(scores[metric] - others[metric]) for scores, others in pairs])
    return found


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("pairs", nargs="?", type=int, default=PAIRS)
    parser.add_argument("--to", type=Path, help="score in this process and write the result to this file")
    arguments = parser.parse(argv)
    pairs = min(3 if arguments.smoke else arguments.pairs, len(turkcorpus("tune")[0]))
    if arguments.to is not None:
        score(pairs, arguments.to)
        return
    found = {"as it is": scored(pairs), "AVX2 alone": None}
    if all(map(shutil.which, NEEDED)):
        gdb = ("gdb", "-nx", "-batch", "-x", str(Path(without_avx512.__file__)), "--args")
        found["AVX2 alone"] = scored(pairs, gdb, **WITHOUT)
    speeds = {f"pairs/s, {metrics}": metrics for metrics in SETS}
    first, *_ = speeds
    aims = {("AVX2 alone", first): 300.0}
    table = Figures(
        "scoring.instructions", "processor", digits=dict.fromkeys(speeds, 0), aims=aims, data="TurkCorpus tune"
    )
    for name, measured in found.items():
        if measured is not None:
            numbers = {column: len(measured[metrics]["scores"]) for column, metrics in speeds.items()}
            table.row(name, {column: measured[metrics]["speed"] for column, metrics in speeds.items()}, n=numbers)
    own, other = found.values()
    if own is None or other is None:
        print(f"AVX2 alone: left out; it needs {' and '.join(NEEDED)}, and gdb the right to trace a process")
        return
    columns = {"scores": 0, "not the same": 0, "largest difference": 2}
    by_metric = Figures("scoring.instructions_scores", "metric", digits=columns, data="TurkCorpus tune")
    for metric, sizes in differences(own, other).items():
        figures = (len(sizes), sum(size > 0 for size in sizes), max(sizes))
        by_metric.row(metric, dict(zip(columns, figures, strict=True)))


if __name__ == "__main__":
    run(main)
