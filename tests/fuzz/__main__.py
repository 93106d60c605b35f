"""Fuzz for some seconds in all: ``python -m tests.fuzz SECONDS [TARGET ...] [--seed N]``.

Each target gets its share in a process of its own: its seeds, then seeds changed at random. A crash is printed with the
bytes that make it and kept in ``tests/fuzz/crashes``; the exit status is then 1.
"""

import argparse
import hashlib
import random
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from sema.errors import SemaError
from tests.fuzz import readers, scoring  # noqa: F401 - registers the targets
from tests.fuzz.harness import TARGETS, Crash, changed, run, seeds

CRASHES = Path(__file__).parent / "crashes"


def fuzz(name: str, seconds: float, seed: int) -> int:
    """Run a target for some seconds; returns the number of crashes, of which one of each kind is kept."""
    known, chance = seeds(name), random.Random(f"{name} {seed}")
    with suppress(SemaError):
        TARGETS[name](known[0])  # loads models, which takes longer than any input may
    end, count, crashes = time.monotonic() + seconds, 0, 0
    kinds: set[str] = set()
    while count < len(known) or time.monotonic() < end:
        data = known[count] if count < len(known) else changed(known, chance)
        count += 1
        try:
            run(name, data)
        except Crash as crash:
            crashes += 1
            kind = re.sub(r"[^ .\w]+|\d+", "", str(crash))[:50]
            if kind not in kinds:
                kinds.add(kind)
                CRASHES.mkdir(exist_ok=True)
                path = CRASHES / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
                path.write_bytes(data)
                print(f"  {str(crash)[:300]!a} ({path.name}): {data[:120]!r}", flush=True)
    print(f"{name}: {count} executions, {crashes} crashes", flush=True)
    return crashes


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", type=float)
    parser.add_argument("targets", nargs="*", metavar="TARGET", choices=[[], *TARGETS])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_intermixed_args()
    names = options.targets or list(TARGETS)
    if len(names) == 1:
        return int(bool(fuzz(names[0], options.seconds, options.seed)))
    call = [sys.executable, "-m", "tests.fuzz", str(options.seconds / len(names)), "--seed", str(options.seed)]
    return int(any([subprocess.run([*call, name]).returncode for name in names]))


if __name__ == "__main__":
    sys.exit(main())
