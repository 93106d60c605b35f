"""Fuzz the targets, each for some seconds: ``python -m tests.fuzz SECONDS [TARGET ...] [--seed N] [--atheris]``.

With ``--atheris`` (and the package atheris) coverage guides what is tried, for one target; without, seeds are changed
at random. A crash is printed with the bytes that make it, kept in ``tests/fuzz/crashes``, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from pathlib import Path

from tests.fuzz.targets import SEEDS, TARGETS, Crash, changed, run

CRASHES = Path(__file__).parent / "crashes"


def fuzz(name: str, seconds: float, seed: int) -> tuple[int, int]:
    """Executions and crashes of a target; one of each kind is printed and kept."""
    chance = random.Random(f"{name} {seed}")
    count, kinds = 0, set[str]()
    crashes = 0
    end = time.monotonic() + seconds
    queue = list(SEEDS[name])
    while time.monotonic() < end:
        data = queue.pop() if queue else changed(SEEDS[name], chance)
        count += 1
        try:
            run(name, data)
        except Crash as crash:
            crashes += 1
            kind = str(crash)[:60]
            if kind not in kinds:
                kinds.add(kind)
                CRASHES.mkdir(exist_ok=True)
                path = CRASHES / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
                path.write_bytes(data)
                print(f"  {crash} ({path}): {data[:120]!r}", flush=True)
    return count, crashes


def guided(name: str, seconds: float) -> None:
    """The same with atheris, which ends the process."""
    import atheris

    with atheris.instrument_imports(include=["sema", "sema_ucca", "sema_ud", "sema_english"]):
        for seed in SEEDS[name]:
            run(name, seed)
    corpus = CRASHES.parent / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    for seed in SEEDS[name]:
        (corpus / hashlib.sha256(seed).hexdigest()[:12]).write_bytes(seed)
    options = [f"-max_total_time={int(seconds)}", "-max_len=4096", "-timeout=20", "-print_final_stats=1", str(corpus)]
    atheris.Setup([sys.argv[0], *options], lambda data: run(name, data))
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", type=float)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], metavar="TARGET")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--atheris", action="store_true")
    options = parser.parse_args()
    names = options.targets or list(TARGETS)
    if options.atheris:
        guided(names[0], options.seconds)
    failed = 0
    for name in names:
        count, crashes = fuzz(name, options.seconds, options.seed)
        failed += crashes
        print(f"{name}: {count} executions, {crashes} crashes", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
