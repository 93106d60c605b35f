"""Hand-made probes: does a metric put a faithful simplification above a text that says something else?

    python -m benchmarks.judges.probes en|zh [--metrics meaning,sema,...] [--part PART]

Each probe (`probes/*.jsonl`) has a source, a good simplification as an editor would write it, and a bad text that
differs from one of them in a word or a phrase and means something else. In English the bad texts of every other probe,
from the first on, are edited sources (hard: nearly all the words are there), those of the rest edited simplifications
(parts ``edited-source`` and ``edited-output`` of the first 120, ``later-source`` and ``later-output`` of the next 240;
both were read while the detectors were built). Nobody who built the detectors has read the next 144, by another hand:
parts ``blind-source`` and ``blind-output``, twelve by twelve. The first 60 Chinese ones were written by somebody who
had not seen the code (part ``blind-1``), the next (``read``) by whoever built the detectors, who read what failed, 72
(``blind-2``) by the hand of the 144. The last 180 English (``third-source``, ``third-output``) and 120 Chinese ones
(``third``) are by a third hand; they were counted before anybody read them, and have been read since. The share of
pairs in which the good text has the higher score, by kind.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.records import CommandLine, Figures, run
from sema import Scorer

METRICS = ("meaning", "meaning_recall", "meaning_precision", "sema", "samsa", "stem_recall")
ROUND = 12
"""Probes of the last parts in a row whose bad texts are edited sources, or edited simplifications; one of each kind."""


def rounds(start: int, end: int, first: int) -> list[int]:
    """The places of every other round, from the first or from the second on."""
    return [place for place in range(start, end) if (place - start) // ROUND % 2 == first]


PARTS: Mapping[str, Mapping[str, Sequence[int]]] = {
    "en": {
        "all": range(684),
        "edited-source": range(0, 120, 2),
        "edited-output": range(1, 120, 2),
        "later-source": range(120, 360, 2),
        "later-output": range(121, 360, 2),
        "blind-source": rounds(360, 504, 0),
        "blind-output": rounds(360, 504, 1),
        "third-source": rounds(504, 684, 0),
        "third-output": rounds(504, 684, 1),
    },
    "zh": {
        "all": range(476),
        "blind-1": range(60),
        "read": range(60, 284),
        "blind-2": range(284, 356),
        "third": range(356, 476),
    },
}


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("lang", nargs="?", choices=("en", "zh"), default="en")
    parser.add_argument("--metrics", default=",".join(METRICS))
    parser.add_argument("--part", choices=sorted({part for parts in PARTS.values() for part in parts}), default="all")
    arguments = parser.parse(argv)
    if arguments.part not in PARTS[arguments.lang]:
        parser.error(f"{arguments.lang} has the parts {', '.join(PARTS[arguments.lang])}")
    names = arguments.metrics.split(",")
    lines = (Path(__file__).parent / "probes" / f"{arguments.lang}.jsonl").read_text(encoding="utf-8").splitlines()
    probes = [json.loads(lines[place]) for place in PARTS[arguments.lang][arguments.part]]
    probes = probes[: 4 if arguments.smoke else None]
    scorer = Scorer(arguments.lang, names)
    outputs = {side: [probe[side] for probe in probes] for side in ("good", "bad")}
    good, bad = scorer.score([probe["source"] for probe in probes], outputs).systems
    right: dict[str, list[dict[str, bool]]] = defaultdict(list)
    for probe, better, worse in zip(probes, good.items, bad.items, strict=True):
        found = {name: better.scores[name] > worse.scores[name] for name in names}
        right[probe["kind"]].append(found)
        right["all"].append(found)
    print(f"signature: {scorer.signature}\n")
    counts = {kind: {name: float(sum(one[name] for one in found)) for name in names} for kind, found in right.items()}
    for kind in sorted(counts.keys() - {"all"}):
        shown = ", ".join(f"{name} {count:.0f}" for name, count in counts[kind].items())
        print(f"{kind}: {shown} of {len(right[kind])}")
    table = Figures(f"meaning.probes_{arguments.lang}", "part; probes ranked right", digits=0)
    table.row(arguments.part, counts["all"], n=len(right["all"]))


if __name__ == "__main__":
    run(main)
