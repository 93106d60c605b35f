"""Trains the network that reads pairs: ``python -m training.reader --work FOLDER`` (some hours of one core).

It starts from multilingual-e5-small and is trained in two stages (:data:`STAGES`): on all sets of
:data:`training.reader.data.SETS`, then mainly on real outputs. In each stage the learning rate falls from the first
pair to the last. A stopped run resumes from its last save. ``--base teacher`` trains a larger network of English by
low-rank adaptation (:mod:`training.reader.low_rank`). ``python -m training.reader.export`` writes the files that ship;
``python -m training.reader.choose`` prints the table that decides between candidates.
"""

from __future__ import annotations

import argparse
import logging
import pickle
from pathlib import Path

import torch

from training.reader.bases import BASES
from training.reader.batches import LONGEST, Pack, encode
from training.reader.data import copies_of, everything
from training.reader.learn import NEW_PARTS, PIECES, learn, plan_of

log = logging.getLogger("training.reader")


def pairs_of(name: str, work: Path) -> Pack:
    """All pairs in pieces, cached in ``work``."""
    file = work / f"{name}.pairs"
    if not file.exists():
        found, counts = everything(teacher=name == "teacher")
        for kind, (used, left_out) in counts.items():
            log.info("%s: %d pairs, %d left out", kind, used, left_out)
        file.write_bytes(
            pickle.dumps(encode(BASES[name].cutter(), found, TEACHER_LONGEST if name == "teacher" else LONGEST))
        )
    pack: Pack = pickle.loads(file.read_bytes())
    return pack


STAGES = {"student": (("first", 1.0, 1.5e-4), ("last", 0.85, 8e-5)), "teacher": (("teacher", 1.0, 1e-3),)}
"""For each stage its name (also that of its file), its passes over its pairs and its peak learning rate."""
TEACHER_LONGEST, TEACHER_PIECES = 120, 1_100
"""The most pieces of a pair and of a batch for the larger network: processor time allows few pairs."""


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for pairs and checkpoints, to go on from")
    parser.add_argument("--base", choices=BASES, default="student")
    parser.add_argument("--begin", type=Path, help="weights to begin with in place of the encoder's own")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(given.threads)
    given.work.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    base = BASES[given.base]
    pairs, table = pairs_of(given.base, given.work).to(device), base.table().to(device)
    network = base.network()
    if given.begin:
        network.load_state_dict(torch.load(given.begin, weights_only=True))
    teacher = given.base == "teacher"
    for name, passes, rate in STAGES[given.base]:
        copies = {kind: copies_of(kind, name) for kind in set(pairs.kinds)}
        plan = plan_of(pairs, passes, rate, copies, pieces=TEACHER_PIECES if teacher else PIECES)
        network = learn(network, table, pairs, plan, given.work / f"{name}.pt", faster={} if teacher else NEW_PARTS)


if __name__ == "__main__":
    main()
