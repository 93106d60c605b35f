"""``python -m training.ucca STAGE``; ``all`` runs all stages.

An interrupted stage resumes, a finished one returns at once.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sema_ucca.network import WEIGHTS

from training.command import begin, command_line
from training.ucca import stages
from training.ucca.export import export_all


def main(arguments: list[str] | None = None) -> int:
    """Run the stages that are asked for."""
    parser = command_line(__doc__)
    parser.add_argument("stage", choices=(*stages.STAGES, "export", "all"))
    parser.add_argument("--runs", type=Path, default=Path("runs/english"), help="checkpoints and logs")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="where export writes")
    parser.add_argument("--fp32", action="store_true", help="export the exact graph, too")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args(arguments)
    begin(given.threads, given.runs / "train.log")
    for stage in (*stages.STAGES, "export") if given.stage == "all" else (given.stage,):
        if stage == "export":
            export_all(*stages.trained(given.runs), given.weights, fp32=given.fp32)
        else:
            stages.STAGES[stage](given.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
