"""Trains the network that reads pairs: ``python -m training.reader --work FOLDER`` (two to three hours of two cores).

It starts from multilingual-e5-small, or with ``--begin`` from a graph that ships, and reads the mix of
:data:`training.reader.data.SETS` while the learning rate falls. A stopped run resumes from its last save. ``python -m
training.reader.export`` writes the files that ship, ``python -m training.reader.calibrate`` fits their score of meaning
to people's ratings, and ``python -m training.reader.choose`` prints the table that decides between candidates.
"""

from __future__ import annotations

import argparse
import logging
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import torch
from sema_reader.languages import all_pieces

from training.reader.bases import begin_as_graph, embeddings, untrained
from training.reader.batches import Pack, encode
from training.reader.data import copies_of, everything
from training.reader.learn import NEW_PARTS, PIECES, learn, plan_of

log = logging.getLogger("training.reader")


class Course(NamedTuple):
    """How much of the mix is read, the peak learning rate, and the multipliers of it for some parameters."""

    passes: float
    rate: float
    faster: Mapping[str, float]


FRESH, FURTHER = Course(2.5, 1.5e-4, NEW_PARTS), Course(0.17, 7e-5, {})
"""From the encoder's own weights, and from a graph."""


def pairs_of(work: Path) -> Pack:
    """All pairs in pieces, cached in ``work``."""
    file = work / "pairs"
    if not file.exists():
        found, counts = everything()
        for kind, (used, left_out) in counts.items():
            log.info("%s: %d pairs, %d left out", kind, used, left_out)
        file.write_bytes(pickle.dumps(encode(all_pieces(), found)))
    pack: Pack = pickle.loads(file.read_bytes())
    return pack


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for pairs and checkpoints, to go on from")
    parser.add_argument("--begin", type=Path, help="graph to begin with in place of the encoder's own weights")
    parser.add_argument("--workers", type=int, default=1, help="threads that read batches at the same time")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(1)
    given.work.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network, course = untrained(), FRESH
    if given.begin:
        network, course = begin_as_graph(network, given.begin), FURTHER
    pairs, table = pairs_of(given.work).to(device), embeddings().to(device)
    copies = {kind: copies_of(kind) for kind in set(pairs.kinds)}
    pieces = PIECES // given.workers
    plan = plan_of(pairs, course.passes, course.rate, copies, pieces=pieces, workers=given.workers)
    learn(network, table, pairs, plan, given.work / "reader.pt", faster=course.faster)


if __name__ == "__main__":
    main()
