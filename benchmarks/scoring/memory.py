"""What memory and time a saved run takes, by the number of items; and what reading it back takes.

    python benchmarks/scoring/memory.py [--lang en] [--metrics sema,samsa] [--systems 1] ITEMS ...

Every command runs in a process of its own: `sema score --save`, `compare` (two systems or more), `explain` of the last
item, and the same scoring without --save. Pairs are TurkCorpus' tune originals with their references, for ``--lang zh``
those of MCTS dev, each original in as many versions as needed (its first sentence gets a number, so that it is in no
cache); ``--repeated`` scores the same pairs again and again, ``--generated`` short English ones of two Scenes made from
lists of words, all different, where millions are wanted. Printed: the highest resident set (MB), seconds.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from sema.datasets.folder import data_path

TEXTS = {
    "en": (
        "turkcorpus/tune.truecase.detok.orig",
        "turkcorpus/tune.truecase.detok.simp",
        "Report {number} says that {text}",
    ),
    "zh": ("mcts/dataset/mcts.dev.orig", "mcts/dataset/mcts.dev.simp", "{number}，{text}"),
}
"""By language: the originals, the references but for their number, and how a text is made another."""

NAMES = ("Anna", "Boris", "Clara", "David", "Elena", "Frank", "Greta", "Hugo", "Irene", "Jonas", "Karin")
VERBS = ("painted", "sold", "repaired", "visited", "measured", "opened", "described", "cleaned", "rented", "drew")
ADJECTIVES = ("old", "red", "famous", "small", "wooden", "expensive", "quiet", "broken", "northern")
NOUNS = (
    "house",
    "bridge",
    "ship",
    "garden",
    "museum",
    "clock",
    "station",
    "theatre",
    "mill",
    "library",
    "tower",
    "farm",
)


def generated(number: int) -> tuple[str, str]:
    """An original of two Scenes and its split, like no other number's."""
    name, verb, then = NAMES[number % 11], VERBS[number % 10], VERBS[number // 10 % 10]
    adjective, noun, other = ADJECTIVES[number % 9], NOUNS[number % 12], NOUNS[number // 12 % 12]
    source = f"{name} {verb} the {adjective} {noun} in {number} and then {then} the {other}."
    return source, f"{name} {verb} the {noun} in {number}. Then {name} {then} the {other}."


def write_generated(folder: Path, count: int) -> None:
    with (folder / "source.txt").open("w") as sources, (folder / "output0.txt").open("w") as outputs:
        for number in range(count):
            source, output = generated(number)
            sources.write(source + "\n")
            outputs.write(output + "\n")


def write_pairs(folder: Path, count: int, systems: int, *, lang: str, repeated: bool) -> None:
    data = data_path() / "simplification"
    source, output, versions = TEXTS[lang]
    names = {"source.txt": source} | {f"output{place}.txt": f"{output}.{place}" for place in range(systems)}
    for name, path in names.items():
        lines = (data / path).read_text(encoding="utf-8").splitlines()
        with (folder / name).open("w", encoding="utf-8") as file:
            for number in range(count):
                text = lines[number % len(lines)]
                file.write(text if repeated else versions.format(text=text, number=number))
                file.write("\n")


def measure(*arguments: str) -> str:
    """The highest resident set of a command in MB, and its seconds."""
    start = time.perf_counter()
    child = os.fork()
    if not child:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 1)
        os.execv(sys.executable, [sys.executable, "-m", "sema", *arguments])
    _, status, used = os.wait4(child, 0)
    spent = time.perf_counter() - start
    failed = "" if os.waitstatus_to_exitcode(status) == 0 else " failed"
    return f"{used.ru_maxrss / 1024:.0f} MB, {spent:.1f} s{failed}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("items", nargs="+", type=int)
    parser.add_argument("--lang", default="en", choices=TEXTS)
    parser.add_argument("--metrics", default="sema,samsa")
    parser.add_argument("--systems", type=int, default=1)
    made = parser.add_mutually_exclusive_group()
    made.add_argument("--repeated", action="store_true")
    made.add_argument("--generated", action="store_true")
    parser.add_argument("--commands", default="save,compare,explain,score")
    options = parser.parse_args()
    commands = options.commands.split(",")
    print(f"| items | run on disk | {' | '.join(commands)} |", flush=True)
    print("|---:|---:|" + "---:|" * len(commands))
    for count in options.items:
        with tempfile.TemporaryDirectory(dir=os.environ.get("SEMA_SCRATCH")) as name:
            folder = Path(name)
            if options.generated:
                write_generated(folder, count)
            else:
                write_pairs(folder, count, options.systems, lang=options.lang, repeated=options.repeated)
            outputs = [part for place in range(options.systems) for part in ("-o", str(folder / f"output{place}.txt"))]
            texts = ["--lang", options.lang, "-s", str(folder / "source.txt"), *outputs, "--metrics", options.metrics]
            run = str(folder / "run")
            calls = {
                "save": ["score", *texts, "--save", run],
                "compare": ["compare", run, "--json"],
                "explain": ["explain", run, "--item", str(count - 1)],
                "report": ["report", run, "-o", str(folder / "report.html")],
                "score": ["score", *texts],
            }
            cells = [measure(*calls[command]) for command in commands]
            size = sum(path.stat().st_size for path in Path(run).iterdir()) / 1e6 if Path(run).exists() else 0
            print(f"| {count} | {size:.0f} MB | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
