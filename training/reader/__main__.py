"""Trains the network that reads pairs: ``python -m training.reader --work FOLDER`` (two to three hours of two cores).

It starts from multilingual-e5-small, or with ``--begin`` from a graph that ships, and reads the mix of
:data:`training.reader.data.SETS` while the learning rate falls. A stopped run resumes from its last save. ``python -m
training.reader.export`` writes the files that ship, ``python -m training.reader.calibrate`` fits their score of meaning
to people's ratings, and ``python -m training.reader.choose`` prints the table that decides between candidates.
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
from training.graphs import begin_as_graph
from training.kept import kept
from training.reader.batches import Pack, encode
from training.reader.data import copies_of, everything
from training.reader.learn import NEW_PARTS, PIECES, learn, plan_of
from training.reader.network import untrained

log = logging.getLogger("training.reader")


class Course(NamedTuple):
    """How much of the mix is read, the peak learning rate, and the multipliers of it for some parameters."""

    passes: float
    rate: float
    faster: Mapping[str, float]


FRESH, FURTHER = Course(2.5, 1.5e-4, NEW_PARTS), Course(1.2, 9e-5, {})
"""From the encoder's own weights, and from a graph."""


def pairs_of(work: Path) -> Pack:
    """All pairs in pieces, cached in ``work``."""

    def encoded() -> Pack:
        found, counts = everything()
        for kind, (used, left_out) in counts.items():
            log.info("%s: %d pairs, %d left out", kind, used, left_out)
        return encode(all_pieces(), found)

    return kept(work / "pairs", encoded)


@command
def main(*, work: Path, begin: Path | None = None, workers: int = 1) -> None:
    """Train; ``work`` keeps pairs and checkpoints to go on from, ``begin`` is a graph to begin with in place of the
    encoder's own weights, ``workers`` are threads that read batches at the same time."""
    torch.set_num_threads(1)
    work.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network, course = untrained(), FRESH
    if begin:
        network, course = begin_as_graph(network, begin), FURTHER
    pairs, table = pairs_of(work).to(device), embeddings().to(device)
    copies = {kind: copies_of(kind) for kind in set(pairs.kinds)}
    plan = plan_of(pairs, course.passes, course.rate, copies, pieces=PIECES // workers, workers=workers)
    learn(network, table, pairs, plan, work / "reader.pt", faster=course.faster)


if __name__ == "__main__":
    main()
