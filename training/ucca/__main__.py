"""``python -m training.ucca STAGE``; ``all`` runs all stages.

A stopped stage resumes, a finished one returns at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import torch
from sema_ucca.network import WEIGHTS

from training.command import command
from training.ucca import stages
from training.ucca.export import export_all


@command
def main(
    stage: Literal["ud", "members", "silver", "student", "export", "all"], runs: Path = Path("runs/english"),
    weights: Path = WEIGHTS, fp32: bool = False, threads: int = 2,
) -> None:  # fmt: skip
    """Run a stage with its files in ``runs``; ``fp32`` exports the exact graph, too."""
    torch.set_num_threads(threads)
    for name, run in stages.STAGES.items():
        if stage in (name, "all"):
            run(runs)
    if stage in ("export", "all"):
        export_all(*stages.trained(runs), weights, fp32=fp32)


if __name__ == "__main__":
    main()
