"""Trains the network that reads pairs: ``python -m training.reader --work FOLDER`` (some hours of one core).

It begins as multilingual-e5-small and learns in two stages (:data:`STAGES`): from all sets of
:data:`training.reader.data.SETS`, then from real outputs above all. A stage's rate falls from its first pair to its
last. A run that was stopped goes on where it saved last. ``python -m training.reader.export`` writes what ships,
``python -m training.reader.choose`` prints the table that decides between candidates.
"""

from __future__ import annotations

import argparse
import logging
import pickle
from pathlib import Path

import torch

from training.reader.bases import BASES
from training.reader.batches import Pack, encode
from training.reader.data import copies_of, everything
from training.reader.learn import learn, plan_of

log = logging.getLogger("training.reader")


def pairs_of(name: str, work: Path) -> Pack:
    """All pairs in pieces; they are made once for a folder."""
    file = work / f"{name}.pairs"
    if not file.exists():
        found, counts = everything()
        for kind, (used, left_out) in counts.items():
            log.info("%s: %d pairs, %d left out", kind, used, left_out)
        file.write_bytes(pickle.dumps(encode(BASES[name].cutter(), found)))
    pack: Pack = pickle.loads(file.read_bytes())
    return pack


STAGES = (("first", 1.0, 1.5e-4), ("student", 0.85, 8e-5))
"""Of each stage the file of its weights, its passes over its pairs and its highest rate."""


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
    base = BASES["student"]
    pairs, table = pairs_of("student", given.work).to(device), base.table().to(device)
    network = base.network()
    if given.begin:
        network.load_state_dict(torch.load(given.begin, weights_only=True))
    for last, (name, passes, rate) in enumerate(STAGES):
        copies = {kind: copies_of(kind, last=bool(last)) for kind in set(pairs.kinds)}
        network = learn(network, table, pairs, plan_of(pairs, passes, rate, copies), given.work / f"{name}.pt")


if __name__ == "__main__":
    main()
