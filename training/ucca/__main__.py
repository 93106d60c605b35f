"""``python -m training.ucca STAGE``; ``all`` runs all stages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sema_ucca.network import WEIGHTS

from training.command import begin, command_line
from training.ucca import stages

STAGES = ("ud", "members", "silver", "student", "export")


def main(arguments: list[str] | None = None) -> int:
    """Run the stages that are asked for."""
    parser = command_line(__doc__)
    parser.add_argument("stage", choices=(*STAGES, "all"))
    parser.add_argument("--runs", type=Path, default=Path("runs/english"), help="checkpoints and logs")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="where export writes")
    parser.add_argument("--fp32", action="store_true", help="export the exact graph, too")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args(arguments)
    begin(given.threads, given.runs / "train.log")
    for stage in STAGES if given.stage == "all" else (given.stage,):
        run(stage, given)
    return 0


def run(stage: str, given: argparse.Namespace) -> None:
    """Run one stage; an interrupted stage resumes, a finished one returns at once."""
    runs: Path = given.runs
    members = [runs / f"member{seed}" for seed in stages.MEMBERS]
    if stage == "ud":
        stages.ud_stage(runs)
    elif stage == "members":
        for seed in stages.MEMBERS:
            stages.member_stage(runs, seed)
    elif stage == "silver":
        stages.silver_stage(runs, members)
    elif stage == "student":
        stages.student_stage(runs, members[0])
    else:
        from training.ucca.export import export_all

        export_all(*stages.trained(runs), given.weights, fp32=given.fp32)


if __name__ == "__main__":
    sys.exit(main())
