"""Hand-made probes: does a metric score a faithful simplification above a text with another meaning?

    python -m benchmarks.judges.probes en|zh [--metrics meaning,sema,...] [--part PART]

A probe (`probes/en.jsonl`, `probes/zh.jsonl`) has its part, a source, a good simplification as an editor would write
it, and a bad text that changes the meaning by a word or a phrase. The command prints, by kind, how many good texts
score above their bad texts.

The English bad texts are edited sources (parts ``*-source``; hard, since they are nearly copies) or edited good
simplifications (``*-output``):

- ``edited-source``, ``edited-output``: 120 probes that were read while the checks of facts were developed;
- ``later-source``, ``later-output``: 240 probes that were read during development, too;
- ``blind-source``, ``blind-output``: 144 probes by an independent author; no developer has read them;
- ``third-source``, ``third-output``: 180 probes by another independent author; scored before anyone read them, read
  since.

Chinese parts:

- ``blind-1``: 60 probes by an author who had not seen the code; their failures have been read since;
- ``read``: 224 probes by the developers, who read the failures;
- ``blind-2``: 72 probes by the author of the English ``blind`` parts; no developer has read them;
- ``third``: 120 probes by the author of the English ``third`` parts; scored before anyone read them, read since.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from benchmarks.records import CommandLine, Figures, run
from sema import Scorer

METRICS = ("meaning", "meaning_recall", "meaning_precision", "sema", "samsa", "stem_recall")
ALL = "all"


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("lang", nargs="?", choices=("en", "zh"), default="en")
    parser.add_argument("--metrics", default=",".join(METRICS))
    parser.add_argument("--part", default=ALL)
    arguments = parser.parse(argv)
    lines = (Path(__file__).parent / "probes" / f"{arguments.lang}.jsonl").read_text(encoding="utf-8").splitlines()
    probes = [json.loads(line) for line in lines]
    parts = [ALL, *sorted({probe["part"] for probe in probes})]
    if arguments.part not in parts:
        parser.error(f"{arguments.lang} has the parts {', '.join(parts)}")
    names = arguments.metrics.split(",")
    probes = [probe for probe in probes if arguments.part in (ALL, probe["part"])][: 4 if arguments.smoke else None]
    scorer = Scorer(arguments.lang, names)
    outputs = {side: [probe[side] for probe in probes] for side in ("good", "bad")}
    good, bad = scorer.score([probe["source"] for probe in probes], outputs).systems
    right: dict[str, list[dict[str, bool]]] = defaultdict(list)
    for probe, better, worse in zip(probes, good.items, bad.items, strict=True):
        ordered = {name: better.scores[name] > worse.scores[name] for name in names}
        right[probe["kind"]].append(ordered)
        right["all"].append(ordered)
    print(f"signature: {scorer.signature}\n")
    counts = {
        kind: {name: float(sum(one[name] for one in ordered)) for name in names} for kind, ordered in right.items()
    }
    for kind in sorted(counts.keys() - {"all"}):
        shown = ", ".join(f"{name} {count:.0f}" for name, count in counts[kind].items())
        print(f"{kind}: {shown} of {len(right[kind])}")
    table = Figures(f"meaning.probes_{arguments.lang}", "part; probes ranked right", digits=0)
    table.row(arguments.part, counts["all"], n=len(right["all"]))


if __name__ == "__main__":
    run(main)
