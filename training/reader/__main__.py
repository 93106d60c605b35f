"""Trains the network that reads pairs: ``python -m training.reader --work FOLDER`` (some hours of one core).

It starts from multilingual-e5-small and is trained in two stages (:data:`STAGES`): on all sets of
:data:`training.reader.data.SETS`, then mainly on real outputs. In each stage the learning rate falls from the first
pair to the last. A stopped run resumes from its last save. ``python -m training.reader.export`` writes the files that
ship, ``python -m training.reader.calibrate`` fits their score of meaning to people's ratings, and ``python -m
training.reader.choose`` prints the table that decides between candidates.
"""

from __future__ import annotations

import argparse
import logging
import pickle
from pathlib import Path

import torch
from sema_reader.languages import all_pieces

from training.reader.bases import embeddings, untrained
from training.reader.batches import Pack, encode
from training.reader.data import copies_of, everything
from training.reader.learn import learn, plan_of

log = logging.getLogger("training.reader")
STAGES = (("first", 1.0, 1.5e-4), ("last", 0.85, 8e-5))
"""For each stage its name (also that of its file), its passes over its pairs and its peak learning rate."""


def pairs_of(work: Path) -> Pack:
    """All pairs in pieces, cached in ``work``."""
    file = work / "student.pairs"
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
    parser.add_argument("--begin", type=Path, help="weights to begin with in place of the encoder's own")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(given.threads)
    given.work.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pairs, table, network = pairs_of(given.work).to(device), embeddings().to(device), untrained()
    if given.begin:
        network.load_state_dict(torch.load(given.begin, weights_only=True))
    for name, passes, rate in STAGES:
        copies = {kind: copies_of(kind, name) for kind in set(pairs.kinds)}
        network = learn(network, table, pairs, plan_of(pairs, passes, rate, copies), given.work / f"{name}.pt")


if __name__ == "__main__":
    main()
