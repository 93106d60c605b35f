"""Fuzz for some seconds in all: ``python -m tests.fuzz SECONDS [TARGET ...] [--seed N]``.

Each target gets its share in a process of its own: half of it guided by coverage where atheris is installed (extra
``fuzz``), the rest with seeds changed at random. A crash is printed with the bytes that make it and kept in
``tests/fuzz/crashes``; the exit status is then 1.
"""

import argparse
import hashlib
import importlib
import os
import random
import re
import subprocess
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from itertools import product
from pathlib import Path

from sema.errors import SemaError
from tests.fuzz.harness import TARGETS, Crash, changed, run, seeds

HERE = Path(__file__).parent
CRASHES, FOUND = HERE / "crashes", HERE / "found"
INSTRUMENTED = ["sema", "sema_ucca", "sema_ud", "sema_english", "sema_chinese"]


def load(name: str) -> None:
    """Import the targets, and run one once: models are loaded, which takes longer than any input may."""
    for module in ("readers", "scoring"):
        importlib.import_module(f"tests.fuzz.{module}")
    if name:
        with suppress(SemaError):
            TARGETS[name](seeds(name)[0])


class Watch:
    """Runs a target, counts, and keeps one input of each kind of crash."""

    def __init__(self, name: str) -> None:
        self.name, self.count, self.crashes = name, 0, 0
        self._kinds: set[str] = set()

    def __call__(self, data: bytes) -> None:
        self.count += 1
        try:
            run(self.name, data)
        except Crash as crash:
            self.crashes += 1
            kind = re.sub(r"[^ .\w]+|\d+", "", str(crash))[:50]
            if kind not in self._kinds:
                self._kinds.add(kind)
                CRASHES.mkdir(exist_ok=True)
                path = CRASHES / f"{self.name}-{hashlib.sha256(data).hexdigest()[:12]}"
                path.write_bytes(data)
                print(f"  {str(crash)[:300]!a} ({path.name}): {data[:120]!r}", flush=True)

    def tell(self, how: str) -> None:
        print(f"{self.name} ({how}): {self.count} executions, {self.crashes} crashes", flush=True)


def at_random(name: str, seconds: float, seed: int) -> None:
    """Seeds, and seeds changed, for some seconds."""
    load(name)
    watch, chance, known = Watch(name), random.Random(f"{name} {seed}"), seeds(name)
    for data in known:
        watch(data)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        watch(changed(known, chance))
    watch.tell("random")


def guided(name: str, seconds: float, seed: int) -> None:
    """The same by atheris, which ends the process."""
    import atheris

    with atheris.instrument_imports(include=INSTRUMENTED):
        load(name)
    corpus = FOUND / name
    corpus.mkdir(parents=True, exist_ok=True)
    for data in seeds(name):
        (corpus / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)
    watch, end = Watch(name), time.monotonic() + seconds
    CRASHES.mkdir(exist_ok=True)

    def one(data: bytes) -> None:
        watch(data)
        if time.monotonic() > end:
            watch.tell("guided")
            os._exit(0)  # libFuzzer looks at the time too seldom where an execution takes long

    options = [f"-seed={seed + 1}", "-max_len=4096", "-timeout=60", "-rss_limit_mb=4096", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={CRASHES}/{name}-", str(corpus)], one)
    atheris.Fuzz()


def share(names: list[str], seconds: float, seed: int) -> bool:
    """Fuzz each target in turn; whether none crashed."""
    ways = ["guided", "random"] if find_spec("atheris") else ["random"]
    part, total, crashes, failed = seconds / len(names) / len(ways), 0, 0, []
    for name, way in product(names, ways):
        command = [sys.executable, "-m", "tests.fuzz", str(part), name, "--seed", str(seed), "--way", way]
        done = subprocess.run(command, capture_output=True, text=True)
        print(done.stdout, end="", flush=True)
        told = re.search(r": (\d+) executions, (\d+) crashes", done.stdout)
        if told is None:
            failed.append(f"{name} ({way}): ended with status {done.returncode}\n{done.stderr[-1500:]}")
            continue
        total, crashes = total + int(told[1]), crashes + int(told[2])
        if int(told[2]):
            failed.append(done.stdout)
    print(*failed, f"{total} executions, {crashes} crashes", sep="\n", flush=True)  # the end is what a short log keeps
    return not failed


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", type=float)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--way", choices=("guided", "random"), help=argparse.SUPPRESS)
    options = parser.parse_intermixed_args()
    if options.way:
        (guided if options.way == "guided" else at_random)(options.targets[0], options.seconds, options.seed)
        return 0
    load("")
    unknown = set(options.targets) - set(TARGETS)
    if unknown:
        parser.error(f"there is no target {sorted(unknown)[0]}; there are {', '.join(TARGETS)}")
    return 0 if share(options.targets or list(TARGETS), options.seconds, options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
