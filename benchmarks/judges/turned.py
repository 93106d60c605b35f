"""What another voice and another order cost: nothing is lost or said otherwise, so every point is one too many.

    python benchmarks/judges/turned.py [--metrics meaning,sema,...]

English sentences beside the same in the other voice or with a phrase or clause moved (``probes/turned.jsonl``), by
another hand than the detectors. By kind: the mean score, the share below 95 and the lowest.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import fmean

from sema import Scorer

METRICS = ("meaning", "meaning_recall", "meaning_precision", "sema", "samsa", "stem_recall")
NEARLY_ALL = 95.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--metrics", default=",".join(METRICS))
    names = parser.parse_args().metrics.split(",")
    lines = (Path(__file__).parent / "probes" / "turned.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    report = Scorer("en", names).score([pair["source"] for pair in pairs], [pair["same"] for pair in pairs])
    print(f"signature: {report.signature}\n\n| kind | pairs | " + " | ".join(names) + " |")
    print("|---|---:|" + "---:|" * len(names))
    items = report.systems[0].items
    for kind in sorted({pair["kind"] for pair in pairs}):
        some = [item.scores for pair, item in zip(pairs, items, strict=True) if pair["kind"] == kind]
        cells = []
        for name in names:
            scores = [found[name] for found in some]
            low = sum(score < NEARLY_ALL for score in scores)
            cells.append(f"{fmean(scores):.1f} ({100 * low / len(scores):.0f} %; {min(scores):.0f})")
        print(f"| {kind} | {len(some)} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
