"""Memory of `sema score` with the default table, by the number of items and of worker processes.

    python -m benchmarks.scoring.resident [ITEMS ...] [--workers 1 4] [--metrics sema,samsa]

Pages that processes share (libraries, mapped files) count in equal parts for each of them: proportional set sizes of
``/proc/*/smaps_rollup``, so that a sum over processes is the memory that they take together. Each row has the largest
sum over the command's processes and the largest of one process while it ran, seconds and processor seconds. `workers`
above 1 has the command's own process besides them.

Pairs are TurkCorpus' tune originals with their first references, followed by WikiSplit's; where more are asked for,
each comes again with a number, so that no cache holds it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path

from benchmarks.records import CommandLine, Figures, run
from benchmarks.scoring.long_texts import originals_and_outputs

AIM = 450
"""The most that one process may take, in MB."""
SECONDS = 0.2
"""Between two looks at a command's processes."""


def pairs() -> Iterator[tuple[str, str]]:
    """Pairs without an end; those that come again have the number of their round."""
    known = originals_and_outputs("en")
    yield from known
    for number in count(2):
        yield from ((f"Report {number} says that {source}", f"Report {number}: {output}") for source, output in known)


def processes(first: int) -> Iterator[int]:
    """A process and all that it started, by their numbers."""
    yield first
    for children in Path(f"/proc/{first}/task").glob("*/children"):
        for child in children.read_text(encoding="utf-8").split():
            yield from processes(int(child))


def resident(process: int) -> float:
    """The proportional set size of a process in MB; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def measure(*arguments: str) -> dict[str, float]:
    """What a command takes: MB of all its processes, of the largest one, seconds, processor seconds.

    Raises:
        SystemExit: the command failed.
    """
    together = largest = 0.0
    start, before = time.perf_counter(), os.times()
    command = [sys.executable, "-m", "sema", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as child:
        while child.poll() is None:
            try:
                sizes = [resident(process) for process in processes(child.pid)]
            except OSError:  # one has ended between two looks
                continue
            together, largest = max(together, sum(sizes)), max(largest, *sizes)
            time.sleep(SECONDS)
        if child.returncode:
            sys.exit(f"{' '.join(command)}: {child.stderr.read() if child.stderr else ''}")
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return {"MB": together, "MB of one": largest, "s": time.perf_counter() - start, "processor s": spent}


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("items", nargs="*", type=int, default=[1000])
    parser.add_argument("--workers", nargs="+", type=int, default=[1])
    parser.add_argument("--metrics", help="default: those of the default table")
    arguments = parser.parse(argv)
    if arguments.smoke:
        arguments.items, arguments.metrics = [2], "fkgl"
    digits = {"MB": 0, "MB of one": 0, "s": 0, "processor s": 0, "times one": 2}
    chosen = ["--metrics", arguments.metrics] if arguments.metrics else []
    table = Figures(
        "runs.resident",
        "items, workers, metrics",
        digits=digits,
        data="TurkCorpus tune, WikiSplit",
        aims={"MB of one": AIM, "times one": 2.0},
        lower=("MB of one", "times one"),
    )
    for items in arguments.items:
        one = None
        with tempfile.TemporaryDirectory(dir=os.environ.get("SEMA_SCRATCH")) as name:
            files = Path(name, "source.txt"), Path(name, "output.txt")
            for file, texts in zip(files, zip(*islice(pairs(), items), strict=True), strict=True):
                file.write_text("\n".join(texts) + "\n", encoding="utf-8")
            for workers in arguments.workers:
                given = ["--lang", "en", "-s", str(files[0]), "-o", str(files[1]), "--workers", str(workers)]
                found = measure("score", *given, *chosen)
                one = found["MB"] if workers == 1 else one
                times = {"times one": found["MB"] / one} if one and workers > 1 else {"times one": None}
                table.row(f"{items:,}, {workers}, {arguments.metrics or 'default'}", {**found, **times}, n=items)


if __name__ == "__main__":
    run(main)
