"""The command line of training: one subcommand a stage, ``all`` for the lot."""

from __future__ import annotations

import argparse
import logging
from dataclasses import asdict
from pathlib import Path

from sema_ucca.network import WEIGHTS
from sema_ucca.training import stages


def main(arguments: list[str] | None = None) -> int:
    """Run the stages that are asked for."""
    import torch

    parser = argparse.ArgumentParser(prog="python -m sema_ucca.training", description=__doc__)
    parser.add_argument("stage", choices=("ud", "ucca", "export", "all"))
    parser.add_argument("--runs", type=Path, default=Path("runs/english"), help="checkpoints and logs")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="where export writes")
    parser.add_argument("--fp32", action="store_true", help="export the exact weights too (90 MB)")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    given.runs.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(
        level=logging.INFO,
        format="%(asctime)s %(message)s",
        handlers=[logging.StreamHandler(), logging.FileHandler(given.runs / "train.log")],
    )
    if given.stage in ("ud", "all"):
        stages.ud_stage(given.runs)
    if given.stage in ("ucca", "all"):
        stages.ucca_stage(given.runs)
    if given.stage in ("export", "all"):
        from sema_ucca.training.export import export_all

        model, inventory = stages.trained(given.runs)
        tokenizer = stages.base_folder() / "tokenizer.json"
        export_all(model, asdict(inventory), tokenizer, given.weights, fp32=given.fp32)
    return 0
