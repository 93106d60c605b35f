"""Memory and time of saving a run and of reading it back, by the number of items.

    python -m benchmarks.scoring.memory [--lang en] [--metrics sema,samsa] [--systems 1] ITEMS ...

Every command runs in a process of its own: `sema score --save`, `compare` (for two systems or more), `explain` of the
last item, and the same scoring without --save. The table has peak resident memory (MB) and seconds.

Pairs are TurkCorpus' tune originals with their references, for ``--lang zh`` those of MCTS dev; each original comes in
as many versions as needed, with a number in its first sentence, so that no cache holds it. ``--repeated`` repeats the
same pairs. ``--generated`` makes different short English pairs of two Scenes from word lists, up to millions.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import simplification

TEXTS = {
    "en": (
        "turkcorpus/tune.truecase.detok.orig",
        "turkcorpus/tune.truecase.detok.simp",
        "Report {number} says that {text}",
    ),
    "zh": ("mcts/dataset/mcts.dev.orig", "mcts/dataset/mcts.dev.simp", "{number}，{text}"),
}
"""By language: the originals, the references without their number, and the pattern that makes a text unique."""

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
    """An original of two Scenes and its split; different for every number."""
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
    source, output, versions = TEXTS[lang]
    names = {"source.txt": source} | {f"output{place}.txt": f"{output}.{place}" for place in range(systems)}
    for name, path in names.items():
        lines = simplification(path)
        with (folder / name).open("w", encoding="utf-8") as file:
            for number in range(count):
                text = lines[number % len(lines)]
                file.write(text if repeated else versions.format(text=text, number=number))
                file.write("\n")


def measure(*arguments: str) -> tuple[float, float]:
    """The peak resident memory of a command in MB, and its seconds.

    Raises:
        SystemExit: the command failed.
    """
    start = time.perf_counter()
    command = [sys.executable, "-m", "sema", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
    return used.ru_maxrss / 1024, time.perf_counter() - start


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("items", nargs="*", type=int, default=[10_000])
    parser.add_argument("--lang", default="en", choices=TEXTS)
    parser.add_argument("--metrics", default="sema,samsa")
    parser.add_argument("--systems", type=int, default=1)
    made = parser.add_mutually_exclusive_group()
    made.add_argument("--repeated", action="store_true")
    made.add_argument("--generated", action="store_true")
    parser.add_argument("--commands", default="save,explain,score")
    arguments = parser.parse(argv)
    if arguments.smoke:
        arguments.items, arguments.generated, arguments.commands = [3], True, "save"
    commands = arguments.commands.split(",")
    data = "generated pairs" if arguments.generated else "TurkCorpus tune" if arguments.lang == "en" else "MCTS dev"
    digits = {"run on disk, MB": 0} | {f"{name}, {what}": 0 for name in commands for what in ("MB", "s")}
    table = Figures("runs.memory", "pairs, metrics", digits=digits, data=data)
    for count in arguments.items:
        with tempfile.TemporaryDirectory(dir=os.environ.get("SEMA_SCRATCH")) as name:
            folder = Path(name)
            if arguments.generated:
                write_generated(folder, count)
            else:
                write_pairs(folder, count, arguments.systems, lang=arguments.lang, repeated=arguments.repeated)
            outputs = [
                word for place in range(arguments.systems) for word in ("-o", str(folder / f"output{place}.txt"))
            ]
            texts = ["--lang", arguments.lang, "-s", str(folder / "source.txt"), *outputs]
            texts += ["--metrics", arguments.metrics]
            run_folder = folder / "run"
            calls = {
                "save": ["score", *texts, "--save", str(run_folder)],
                "compare": ["compare", str(run_folder), "--json"],
                "explain": ["explain", str(run_folder), "--item", str(count - 1)],
                "report": ["report", str(run_folder), "-o", str(folder / "report.html")],
                "score": ["score", *texts],
            }
            cells = [value for command in commands for value in measure(*calls[command])]
            size = sum(path.stat().st_size for path in run_folder.iterdir()) / 1e6 if run_folder.exists() else 0
            row = f"{count:,} {arguments.lang}, {arguments.metrics}"
            table.row(row, dict(zip(digits, [size, *cells], strict=True)), n=count)


if __name__ == "__main__":
    run(main)
