"""Pairs a second of ``sema score --metrics sema,samsa`` on 1,000 TurkCorpus pairs, cold and warm.

    python benchmarks/scoring/speed.py
    python benchmarks/scoring/speed.py cost

Cold: the command as a user types it, start and model loading included. Warm: a loaded scorer that has not seen the
pairs. The encoder's share is the time inside ONNX Runtime, summed over its threads. ``cost`` compares processor time,
which other work on the machine changes less: milliseconds a pair of some sets of metrics, of it ONNX Runtime, and their
ratio to ``sema`` alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from threading import Lock

import sema
from sema.datasets.folder import data_path
from sema.runtime.onnx import onnx_runtime

DATA = data_path()
PAIRS = 1000


def pairs() -> tuple[list[str], list[str]]:
    """1,000 pairs with distinct sources: the tune originals and their first references."""
    folder = DATA / "simplification/turkcorpus"
    sources = folder.joinpath("tune.truecase.detok.orig").read_text(encoding="utf-8").splitlines()[:PAIRS]
    outputs = folder.joinpath("tune.truecase.detok.simp.0").read_text(encoding="utf-8").splitlines()[:PAIRS]
    return sources, outputs


def cost(metrics: Sequence[str]) -> tuple[float, float]:
    """Processor time a pair, in ms, of a loaded scorer that has not seen the pairs, and ONNX Runtime's share."""
    sources, outputs = pairs()
    scorer = sema.Scorer("en", metrics)
    scorer.score(["The cat that sat on the mat slept."], ["The cat slept."])
    kind = onnx_runtime().InferenceSession
    plain, inside = kind.run, [0.0]
    lock = Lock()

    def timed(self, *arguments, **options):  # type: ignore[no-untyped-def]
        begin = time.thread_time()
        try:
            return plain(self, *arguments, **options)
        finally:
            with lock:
                inside[0] += time.thread_time() - begin

    kind.run = timed
    start = time.process_time()
    try:
        scorer.score(sources, outputs, keep_items=False)
    finally:
        kind.run = plain
    return 1000 * (time.process_time() - start) / PAIRS, 1000 * inside[0] / PAIRS


def print_costs() -> None:
    print("| metrics | ms of processor time a pair | in ONNX Runtime | ratio | times sema |")
    print("|---|---:|---:|---:|---:|")
    base = 0.0
    for metrics in (["sema"], ["sema", "samsa"], ["meaning", "sema", "samsa"]):
        spent, inside = map(median, zip(*(cost(metrics) for _ in range(3)), strict=True))
        base = base or spent
        ratio, times = spent / inside, spent / base
        print(f"| {', '.join(metrics)} | {spent:.2f} | {inside:.2f} | {ratio:.2f} | {times:.2f} |", flush=True)


def main() -> None:
    if sys.argv[1:] == ["cost"]:
        print_costs()
        return
    onnxruntime = onnx_runtime()

    sources, outputs = pairs()
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, lines in (("source.txt", sources), ("output.txt", outputs)):
            files.append(Path(folder, name))
            files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "sema", "score", "--lang", "en", "--metrics", "sema,samsa"]
        start = time.perf_counter()
        subprocess.run([*command, "-s", str(files[0]), "-o", str(files[1])], check=True)
        cold = time.perf_counter() - start

    scorer = sema.Scorer("en", ("sema", "samsa"))
    scorer.score(["The cat that sat on the mat slept."], ["The cat slept."])
    inside = 0.0
    run = onnxruntime.InferenceSession.run

    def timed(self, *arguments, **options):  # type: ignore[no-untyped-def]
        nonlocal inside
        begin = time.perf_counter()
        try:
            return run(self, *arguments, **options)
        finally:
            inside += time.perf_counter() - begin

    onnxruntime.InferenceSession.run = timed
    start = time.perf_counter()
    scorer.score(sources, outputs)
    warm = time.perf_counter() - start
    start = time.perf_counter()
    scorer.score(sources, outputs[1:] + outputs[:1])
    again = time.perf_counter() - start
    print(f"\n{PAIRS} pairs, {os.cpu_count()} cores")
    print(f"cold: {cold:.2f} s, {PAIRS / cold:.0f} pairs/s")
    print(f"warm: {warm:.2f} s, {PAIRS / warm:.0f} pairs/s, {inside:.2f} thread-seconds of it in ONNX Runtime")
    print(f"warm, sources seen before (another system's outputs): {again:.2f} s, {PAIRS / again:.0f} pairs/s")


if __name__ == "__main__":
    main()
