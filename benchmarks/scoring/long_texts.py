"""What one long passage takes: time and memory, by its length.

    python benchmarks/scoring/long_texts.py KB ... [--lang en] [--metrics sema meaning]

The original and the output, of so many kB in UTF-8 each, are TurkCorpus' tune originals and their first references one
after the other, for ``--lang zh`` those of MCTS dev. Every row is a process of its own: the seconds of its one call,
models loaded, and its highest resident set.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time

from memory import TEXTS

from sema import Scorer
from sema.datasets.folder import data_path


def passages(lang: str, size: int) -> tuple[str, str]:
    """An original and an output of so many bytes."""
    names = TEXTS[lang][0], f"{TEXTS[lang][1]}.0"
    source, output = (
        " ".join((data_path() / "simplification" / name).read_text(encoding="utf-8").splitlines()).encode()[:size]
        for name in names
    )
    return source.decode(errors="ignore"), output.decode(errors="ignore")


def measure(lang: str, metric: str, size: int) -> None:
    scorer = Scorer(lang, [metric], level="passage")
    short = passages(lang, 300)
    scorer.score([short[0]], [short[1]])
    source, output = passages(lang, size)
    start = time.perf_counter()
    found = scorer.score([source], [output]).systems[0].scores[metric]
    spent = time.perf_counter() - start
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {size // 1000} kB | {metric} | {found:.1f} | {spent:.1f} s | {highest:.0f} MB |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kb", nargs="+", type=int)
    parser.add_argument("--lang", default="en", choices=TEXTS)
    parser.add_argument("--metrics", nargs="+", default=["sema", "meaning"])
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        measure(options.lang, options.metrics[0], 1000 * options.kb[0])
        return
    print("| each text | metric | score | time | highest resident set |\n|---:|---|---:|---:|---:|", flush=True)
    for size in options.kb:
        for metric in options.metrics:
            call = [str(size), "--lang", options.lang, "--metrics", metric, "--here"]
            subprocess.run([sys.executable, __file__, *call], check=True)


if __name__ == "__main__":
    main()
