"""``python -m training.ucca`` trains the English scene parser and writes what ships; ``export`` writes it again.

A stopped run resumes; finished stages are read from the folder ``runs``.
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
    stage: Literal["all", "export"], runs: Path = Path("runs/english"), weights: Path = WEIGHTS, fp32: bool = False,
    threads: int = 2,
) -> None:  # fmt: skip
    """Train with files in ``runs``, and export; ``fp32`` adds the exact graph."""
    torch.set_num_threads(threads)
    if stage == "all":
        stages.train(runs)
    export_all(*stages.trained(runs), weights, fp32=fp32)


if __name__ == "__main__":
    main()
