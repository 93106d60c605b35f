"""Memory and time of `sema score`: by the number of items and of worker processes, of saved runs, of one long text.

    python -m benchmarks.scoring.memory items [N ...] [--workers 1 4] [--metrics sema,samsa]
    python -m benchmarks.scoring.memory runs [N ...] [--metrics sema,samsa]
    python -m benchmarks.scoring.memory text [KB ...] [--lang en|zh] [--metrics sema,meaning]

Every command runs in a process of its own. Pages that processes share (libraries, mapped files) count in equal parts
for each of them: proportional set sizes of ``/proc/*/smaps_rollup``, so that a sum over processes is the memory that
they take together. Each row has the largest sum over the command's processes while it ran, seconds by the clock and of
processor time.

``items``: TurkCorpus' tune originals with their first references, followed by WikiSplit's; repeated pairs contain a
number, so that no cache holds them. ``--workers`` above 1 has the command's own process besides them. ``runs``: `score
--save`, then `explain` of the last item, on short English pairs of two Scenes that are different for every number, up
to millions. ``text``: one passage of a size in kB of UTF-8, joined from the same texts (Chinese: MCTS dev).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import endless_pairs, passages

AIM = 450
"""The most that one process may take, in MB."""
SECONDS = 0.2
"""Seconds between two looks at a command's processes."""
NAMES = ("Anna", "Boris", "Clara", "David", "Elena", "Frank", "Greta", "Hugo", "Irene", "Jonas", "Karin")
VERBS = ("painted", "sold", "repaired", "visited", "measured", "opened", "described", "cleaned", "rented", "drew")
ADJECTIVES = ("old", "red", "famous", "small", "wooden", "expensive", "quiet", "broken", "northern")
NOUNS = ("house", "bridge", "ship", "garden", "museum", "clock", "station", "theatre", "mill", "library", "tower",
         "farm")  # fmt: skip


def generated(number: int) -> tuple[str, str]:
    """An original of two Scenes and its split; different for every number."""
    name, verb, then = NAMES[number % 11], VERBS[number % 10], VERBS[number // 10 % 10]
    adjective, noun, other = ADJECTIVES[number % 9], NOUNS[number % 12], NOUNS[number // 12 % 12]
    source = f"{name} {verb} the {adjective} {noun} in {number} and then {then} the {other}."
    return source, f"{name} {verb} the {noun} in {number}. Then {name} {then} the {other}."


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


def children_seconds() -> float:
    """The processor time of all child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def measure(*arguments: str) -> dict[str, float]:
    """What a command of `sema` takes: MB of all its processes, of the largest one, seconds, processor seconds.

    Raises:
        SystemExit: the command failed.
    """
    together = largest = 0.0
    start, before = time.perf_counter(), children_seconds()
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
    spent = {"s": time.perf_counter() - start, "processor s": children_seconds() - before}
    return {"MB": together, "MB of one": largest, **spent}


def texts(folder: Path, pairs: Iterable[tuple[str, str]], lang: str = "en") -> list[str]:
    """The options of `sema score` for pairs, which are written to files."""
    source, output = folder / "source.txt", folder / "output.txt"
    with source.open("w", encoding="utf-8") as sources, output.open("w", encoding="utf-8") as outputs:
        for pair in pairs:
            for file, text in zip((sources, outputs), pair, strict=True):
                file.write(f"{text}\n")
    return ["--lang", lang, "-s", str(source), "-o", str(output)]


def by_items(counts: Sequence[int], workers: Sequence[int], metrics: str | None, folder: Path) -> None:
    digits = {"MB": 0, "MB of one": 0, "s": 0, "processor s": 0, "times one": 2}
    aims = {"MB of one": AIM, "times one": 2.0}
    table = Figures("runs.resident", "items, workers, metrics", digits=digits, data="TurkCorpus tune, WikiSplit",
                    aims=aims, lower=tuple(aims))  # fmt: skip
    chosen = ["--metrics", metrics] if metrics else []
    for items in counts:
        given, one = texts(folder, islice(endless_pairs(), items)), None
        for number in workers:
            found = measure("score", *given, *chosen, "--workers", str(number))
            one = found["MB"] if number == 1 else one
            times = found["MB"] / one if one and number > 1 else None
            table.row(f"{items:,}, {number}, {metrics or 'default'}", {**found, "times one": times}, n=items)


def of_runs(counts: Sequence[int], metrics: str | None, folder: Path) -> None:
    """Print the memory of saving a run and of reading an item back."""
    table, names = Figures("runs.memory", "pairs, metrics", digits=0, data="generated pairs"), metrics or "sema,samsa"
    for items in counts:
        saved = folder / f"run{items}"
        given = texts(folder, map(generated, range(items)))
        found = {
            "save": measure("score", *given, "--metrics", names, "--save", str(saved)),
            "explain": measure("explain", str(saved), "--item", str(items - 1)),
        }
        size = sum(path.stat().st_size for path in saved.rglob("*") if path.is_file()) / 1e6
        taken = {f"{name}, {what}": own[what] for name, own in found.items() for what in ("MB", "s")}
        table.row(f"{items:,} en, {names}", {"run on disk, MB": size, **taken}, n=items)


def of_text(sizes: Sequence[int], lang: str, metrics: str | None, folder: Path) -> None:
    """Print the memory of one passage by its length."""
    digits = {"s": 1, "processor s": 1, "MB": 0}
    table = Figures("runs.long_texts", "language, kB of each text, metric", digits=digits)
    for size in sizes:
        given = texts(folder, [passages(lang, 1000 * size)], lang)
        for metric in (metrics or "sema,meaning").split(","):
            found = measure("score", *given, "--level", "passage", "--metrics", metric)
            table.row(f"{lang}, {size} kB, {metric}", {column: found[column] for column in digits})


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("what", nargs="?", choices=("items", "runs", "text"), default="items")
    parser.add_argument("sizes", nargs="*", type=int, help="items, or kB of a text")
    parser.add_argument("--workers", nargs="+", type=int, default=[1])
    parser.add_argument("--metrics", help="default: those of the default table; runs: sema,samsa; text: sema,meaning")
    parser.add_argument("--lang", default="en", choices=("en", "zh"))
    given = parser.parse(argv)
    metrics = "fkgl" if given.smoke else given.metrics
    with tempfile.TemporaryDirectory(dir=os.environ.get("SEMA_SCRATCH")) as name:
        folder = Path(name)
        if given.smoke or given.what == "items":
            by_items([2] if given.smoke else given.sizes or [1000], given.workers, metrics, folder)
        if given.smoke or given.what == "runs":
            of_runs([3] if given.smoke else given.sizes or [10_000], metrics, folder)
        if given.smoke or given.what == "text":
            of_text([1] if given.smoke else given.sizes or [50], given.lang, metrics, folder)


if __name__ == "__main__":
    run(main)
