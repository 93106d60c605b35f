"""Trains the network that reads pairs: ``python -m training.reader --work FOLDER --workers 2`` (two and a half hours).

It starts from multilingual-e5-small and learns in four stages (:data:`STAGES`). Each begins with the mean of the
weights that those before it ended with, and is resumed from its last save. ``python -m training.reader.export
FOLDER/last.pt`` writes the files that ship, ``python -m training.reader.calibrate`` fits their score of meaning to
people's ratings, ``python -m training.reader.passages`` prints what weighs a passage's sentences, and ``python -m
training.reader.choose FOLDER/last.pt`` prints the table that decides between candidates.

Where FOLDER has ``pairs`` (36 MB), the data are not needed: a machine with a GPU, which is used if there is one, needs
FOLDER and the project with the extra ``train``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import torch
from sema_reader.languages import all_pieces

from training.command import command
from training.e5 import embeddings
from training.kept import kept
from training.reader.batches import Pack, encode
from training.reader.data import MIXES, everything
from training.reader.learn import NEW_PARTS, PIECES, learn, plan_of
from training.reader.network import PairNetwork, mean_of, untrained

log = logging.getLogger("training.reader")


class Stage(NamedTuple):
    """A stage of training, named as its mix: the readings, the peak learning rate, and the multipliers of it for some
    parameters."""

    name: str
    readings: float
    rate: float
    faster: Mapping[str, float]


STAGES = (
    Stage("real", 88_000, 1.5e-4, NEW_PARTS),
    Stage("every", 108_000, 1.2e-4, {}),
    Stage("fewer", 60_000, 9e-5, {}),
    Stage("last", 75_000, 9e-5, {}),
)


def pairs_of(work: Path) -> Pack:
    """All pairs in pieces, cached in ``work``."""

    def encoded() -> Pack:
        found, counts = everything()
        for kind, (used, left_out) in counts.items():
            log.info("%s: %d pairs, %d left out", kind, used, left_out)
        return encode(all_pieces(), found)

    return kept(work / "pairs", encoded)


@command
def main(*, work: Path, workers: int = 1) -> None:
    """Train; ``work`` keeps pairs and checkpoints to go on from, ``workers`` are threads that read batches at the same
    time."""
    torch.set_num_threads(1)
    work.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pairs, table = pairs_of(work).to(device), embeddings().to(device)
    ended: list[PairNetwork] = []
    for stage in STAGES:
        network = mean_of(ended) if ended else untrained()
        plan = plan_of(stage.readings, stage.rate, MIXES[stage.name], pieces=PIECES // workers, workers=workers)
        ended.append(learn(network, table, pairs, plan, work / f"{stage.name}.pt", faster=stage.faster))


if __name__ == "__main__":
    main()
