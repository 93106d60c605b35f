"""Single edits by hand: `meaning` of one text for each kind of edit, beside what it should be.

    python -m benchmarks.judges.edits_by_hand [--record]

The kinds (`edits_by_hand.jsonl`) are those that a reader of version 0.2 tried and that it judged wrongly: a changed
figure, tense, colour or bearer of a right, which should score at most 50, and other words for the same, which should
score at least 70. One sentence stands for each kind, so a figure says whether the kind is dealt with at all; how often
it is, the probes and the judged edits say.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.records import CommandLine, Figures, run
from sema import Scorer

EDITS = Path(__file__).with_suffix(".jsonl")
MOST, LEAST = 50.0, 70.0
"""What an unfaithful text should score at most, and a faithful one at least."""


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    arguments = parser.parse(argv)
    edits = [json.loads(line) for line in EDITS.read_text(encoding="utf-8").splitlines()]
    edits = edits[: 2 if arguments.smoke else None]
    found = (
        Scorer("en", ["meaning"])
        .score([edit["source"] for edit in edits], [edit["output"] for edit in edits])
        .systems[0]
    )
    aims = {
        False: Figures("meaning.edits_unfaithful", "unfaithful", digits=0, aims={"meaning": MOST}, lower=("meaning",)),
        True: Figures("meaning.edits_faithful", "faithful", digits=0, aims={"meaning": LEAST}),
    }
    for edit, item in zip(edits, found.items, strict=True):
        aims[edit["faithful"]].row(edit["kind"], {"meaning": item.scores["meaning"]})


if __name__ == "__main__":
    run(main)
