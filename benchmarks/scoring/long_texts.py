"""Time and memory for one long passage, by its length.

    python -m benchmarks.scoring.long_texts [KB ...] [--lang en] [--metrics sema meaning]

The original and the output, each of the given size in UTF-8, are TurkCorpus' tune originals and their first references
joined, followed by WikiSplit's; for ``--lang zh`` those of MCTS dev. Each row is measured in a process of its own:
seconds of one call with loaded models, processor seconds, which depend less on other work on the machine, and peak
resident memory. Scores alone are kept and freed memory is given back, as `sema score` does.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence

from benchmarks.records import ROOT, CommandLine, Figures, run
from benchmarks.scoring.memory import TEXTS
from benchmarks.sets import simplification
from sema import Scorer
from sema.errors import ResourceError
from sema.runtime.memory import own_process

DIGITS = {"score": 1, "s": 1, "processor s": 1, "MB": 0}
MORE = ("wikisplit/wikisplit.valid.untok.orig", "wikisplit/wikisplit.valid.untok.split")
"""The continuation of English passages: about a megabyte."""


def originals_and_outputs(lang: str) -> list[tuple[str, str]]:
    """All pairs that passages are joined from."""
    columns = []
    for name, more in zip((TEXTS[lang][0], f"{TEXTS[lang][1]}.0"), MORE, strict=True):
        lines = [*simplification(name), *(simplification(more) if lang == "en" else ())]
        columns.append([line.replace("<::::>", "") for line in lines])
    return list(zip(*columns, strict=True))


def passages(lang: str, size: int) -> tuple[str, str]:
    """An original and an output of a given number of bytes; :class:`ResourceError` if the sets have fewer."""
    texts = []
    for name, lines in zip(TEXTS[lang], zip(*originals_and_outputs(lang), strict=True), strict=False):
        text = " ".join(lines).encode()
        if len(text) < size:
            raise ResourceError(f"{name} has {len(text) // 1000} kB, not {size // 1000}: ask for less")
        texts.append(text[:size].decode(errors="ignore"))
    return texts[0], texts[1]


def measure(lang: str, metric: str, size: int) -> dict[str, float]:
    own_process()
    scorer = Scorer(lang, [metric], level="passage")
    short = passages(lang, 300)
    scorer.score([short[0]], [short[1]], keep_items=False)
    source, output = passages(lang, size)
    start, spent = time.perf_counter(), time.process_time()
    value = scorer.score([source], [output], keep_items=False).systems[0].scores[metric]
    seconds = {"s": time.perf_counter() - start, "processor s": time.process_time() - spent}
    return {"score": value, **seconds, "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("kb", nargs="*", type=int, default=[50])
    parser.add_argument("--lang", default="en", choices=TEXTS)
    parser.add_argument("--metrics", nargs="+", default=["sema", "meaning"])
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse(argv)
    if arguments.smoke:
        arguments.kb, arguments.metrics = [1], ["sema"]
    if arguments.child:
        print(json.dumps(measure(arguments.lang, arguments.metrics[0], 1000 * arguments.kb[0])))
        return
    for name in TEXTS[arguments.lang][:2]:
        simplification(
            name if name.endswith("orig") else f"{name}.0"
        )  # fails in one line if absent, before a process starts
    table = Figures("runs.long_texts", "language, kB of each text, metric", digits=DIGITS)
    for size in arguments.kb:
        for metric in arguments.metrics:
            call = [str(size), "--lang", arguments.lang, "--metrics", metric, "--child"]
            command = [sys.executable, "-m", "benchmarks.scoring.long_texts", *call]
            done = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True)
            table.row(f"{arguments.lang}, {size} kB, {metric}", json.loads(done.stdout))


if __name__ == "__main__":
    run(main)
