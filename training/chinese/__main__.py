"""Command line of the training: ``python -m training.chinese all``, or the names of single stages."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from training.chinese.stages import STAGES, Training


def main() -> None:
    """Run the stages that the arguments name."""
    stages = ["all", *STAGES]
    parser = argparse.ArgumentParser(prog="python -m training.chinese", description=__doc__)
    parser.add_argument("stages", nargs="+", choices=stages, metavar="STAGE", help=", ".join(stages))
    parser.add_argument("--runs", type=Path, default=Path("runs/zh-hans"), help="folder of data, logs and checkpoints")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    Training(arguments.runs).run(arguments.stages)


if __name__ == "__main__":
    main()
