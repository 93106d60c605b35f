"""Bodies at equal cost: ``python -m training.reader.compare --work FOLDER``.

MiniLM (6 layers), every second layer of multilingual-e5-small (6) and all of it (12) learn for the same seconds from
the same English examples, with teachers' labels (``python -m training.reader label`` makes them) and without.
Printed are the pairs that each read, the pairs that it then reads a second, and what :mod:`training.reader.dev` prints.

``--exits NETWORK WEIGHTS.pt`` asks instead whether near copies could leave a network early: what a regression on the
states of each layer knows of PAWS, beside the network itself.
"""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import torch
from sema_reader.windows import SAME
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import Tensor, nn

from training.reader import teach
from training.reader.__main__ import examples
from training.reader.bases import BASES
from training.reader.batches import Batch, encode
from training.reader.dev import Judge, report
from training.reader.english.examples import PAWS_HELD_OUT, detokenized, rows
from training.reader.fit import held_out
from training.reader.learn import learn
from training.reader.network import PairNetwork
from training.reader.plans import COMPARED, PLANS, chosen
from training.reader.words import CUTS

BODIES = "english", "half", "languages"
PROBED = 3_000
"""Pairs of PAWS that a regression learns from."""


def compare(body: str, work: Path, labels: bool, limit: int) -> None:
    """Train one body, unless its weights are in the folder, and print what it reaches."""
    base, stage = BASES[body], replace(COMPARED, taught=labels)
    network, weights = base.network(), work / f"{body}.{stage.name}{'.labels' if labels else ''}.pt"
    if not weights.exists():
        taught = teach.load(work) if labels else {}
        pairs = encode(base.cutter(), chosen(examples(work), stage), taught)
        learn(network, base.table(), pairs, stage.plan(PLANS["english"].pieces), weights)
    network.load_state_dict(torch.load(weights, weights_only=True))
    judge = Judge(base, network.cpu(), "en")
    told = [(one["source"], one["good"]) for one in held_out("en")]
    started = time.process_time()
    judge.read(told)
    speed = len(told) / (time.process_time() - started)
    print(f"== {body}, {'with' if labels else 'without'} teachers' labels: reads {speed:.0f} pairs a second")
    report(judge, "en", limit)


def exits(name: str, weights: Path) -> None:
    """Print the area under the curve of near copies for every layer of a network."""
    base = BASES[name]
    network = base.network().eval()
    network.load_state_dict(torch.load(weights, weights_only=True))
    pairs = [
        (detokenized(row["premise"]), detokenized(row["hypothesis"]), row["label"] == "1")
        for row in list(rows("train", "paws.tsv.gz"))[-PAWS_HELD_OUT - PROBED :]
    ]
    made = [{"s": " ".join(CUTS["en"](one)), "o": " ".join(CUTS["en"](other)), "k": ""} for one, other, _ in pairs]
    pack = encode(base.cutter(), made, {})
    same = [pairs[row][2] for row in pack.rows]
    states: list[list[Tensor]] = [[] for _ in network.encoder.layers]
    known, table = [], base.table()
    for start in range(0, len(pack), 32):
        batch = pack.batch(range(start, min(start + 32, len(pack))))
        with torch.inference_mode(), _watched(network, batch, states):
            pair, _ = network(table[batch.ids].float(), batch.types, batch.marks, batch.mask)
        known.append(pair[:, SAME])
    print(f"{name}: the whole network {roc_auc_score(same[PROBED:], torch.cat(known)[PROBED:]):.3f}")
    for number, found in enumerate(states, 1):
        pooled = torch.cat(found).numpy()
        probe = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=2000))
        probe.fit(pooled[:PROBED], same[:PROBED])
        print(
            f"{name}: layer {number} {roc_auc_score(same[PROBED:], probe.decision_function(pooled[PROBED:])):.3f}",
            flush=True,
        )


@contextmanager
def _watched(network: PairNetwork, batch: Batch, states: list[list[Tensor]]) -> Iterator[None]:
    """Keep what the pair's heads would read of each layer."""

    def keep(found: list[Tensor]) -> Callable[[nn.Module, object, Tensor], None]:
        return lambda _module, _given, state: found.append(network.pooled(state, batch.types, batch.marks))

    hooks = [
        layer.register_forward_hook(keep(found)) for layer, found in zip(network.encoder.layers, states, strict=True)
    ]
    yield
    for hook in hooks:
        hook.remove()


def main() -> None:
    """Compare every body, with labels first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="folder of the examples and of the labels")
    parser.add_argument("--bodies", nargs="+", choices=BODIES, default=BODIES)
    parser.add_argument("--limit", type=int, default=700, help="pairs of each set")
    parser.add_argument("--exits", nargs=2, metavar=("NETWORK", "WEIGHTS.pt"))
    given = parser.parse_args()
    if given.exits:
        exits(given.exits[0], Path(given.exits[1]))
        return
    if given.work is None:
        parser.error("--work FOLDER is needed")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    for labels in (True, False):
        for body in given.bodies:
            compare(body, given.work, labels, given.limit)


if __name__ == "__main__":
    main()
