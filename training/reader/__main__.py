"""Trains the network that reads pairs: ``python -m training.reader --work FOLDER`` (some hours of one core).

It begins as multilingual-e5-small and reads the sets of :data:`training.reader.data.SETS`; its rate falls from the
first pair to the last. A run that was stopped goes on where it saved last. ``python -m training.reader.export`` writes
what ships, ``python -m training.reader.choose`` prints the table that decides between candidates.
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


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=BASES, nargs="?", default="student")
    parser.add_argument("--work", type=Path, required=True, help="folder for pairs and checkpoints, to go on from")
    parser.add_argument("--passes", type=float, default=0.95)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--begin", type=Path, help="weights to begin with in place of the encoder's own")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(given.threads)
    given.work.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    base = BASES[given.name]
    pairs = pairs_of(given.name, given.work).to(device)
    network = base.network()
    if given.begin:
        network.load_state_dict(torch.load(given.begin, weights_only=True))
    plan = plan_of(pairs, given.passes, given.rate, {kind: copies_of(kind) for kind in set(pairs.kinds)})
    learn(network, base.table().to(device), pairs, plan, given.work / f"{given.name}.pt")


if __name__ == "__main__":
    main()
