"""Single edits by hand: `meaning` of one text for each kind of edit, with its aim.

    python -m benchmarks.judges.edits_by_hand [--record]

The kinds (`edits_by_hand.jsonl`) are edits that version 0.2 judged wrongly. Unfaithful ones (a changed number, tense,
colour or holder of a right) should score at most 50, faithful rewordings at least 70. Each kind has one sentence, so a
figure shows only whether the kind is handled; the probes and the judged edits measure how often.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.records import CommandLine, Figures, run
from sema import Scorer

EDITS = Path(__file__).with_suffix(".jsonl")
MOST, LEAST = 50.0, 70.0
"""The highest score that an unfaithful text should have, and the lowest for a faithful one."""


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    arguments = parser.parse(argv)
    edits = [json.loads(line) for line in EDITS.read_text(encoding="utf-8").splitlines()]
    edits = edits[: 2 if arguments.smoke else None]
    scored = (
        Scorer("en", ["meaning"])
        .score([edit["source"] for edit in edits], [edit["output"] for edit in edits])
        .systems[0]
    )
    tables = {
        False: Figures("meaning.edits_unfaithful", "unfaithful", digits=0, aims={"meaning": MOST}, lower=("meaning",)),
        True: Figures("meaning.edits_faithful", "faithful", digits=0, aims={"meaning": LEAST}),
    }
    for edit, item in zip(edits, scored.items, strict=True):
        tables[edit["faithful"]].row(edit["kind"], {"meaning": item.scores["meaning"]})


if __name__ == "__main__":
    run(main)
