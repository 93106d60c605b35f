"""Trains the pair reader of all languages: ``python -m training.reader --work FOLDER``.

It begins as multilingual-e5-small. A stage goes on from the weights of the one before and reads a part of each kind of
example; a stage whose weights are in the folder is not repeated. Then the graph is exported, and its scale fitted
(:mod:`training.reader.scale`). The English and the Chinese network have trainers of their own.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from sema_reader.e5 import WORD_BYTES, load_e5
from sema_reader.languages import WEIGHTS, all_pieces
from sema_reader.reader import GRAPH, MAX_PIECES
from sema_reader.table import blocks

from training.reader.batches import encode
from training.reader.e5 import LAYERS, parameters
from training.reader.export import export_network
from training.reader.learn import Plan, learn
from training.reader.material import rows
from training.reader.network import PairNetwork, Shape, begin_as
from training.reader.scale import fit_scale

EXAMPLES = "examples.jsonl"
BATCH_PIECES = 3_200


@dataclass(frozen=True)
class Stage:
    """A stage: the seconds that it learns on one core, its highest rate, and for each kind the share of its examples
    that it draws from, or, above 1, how often it reads them."""

    name: str
    seconds: float
    rate: float
    shares: Mapping[str, float]
    seed: int = 5


STAGES = (
    Stage("first", 2700, 1.3e-4, {
        "zh_snli": 1, "zh_judged": 2, "zh_broken": 0.2, "mlqe": 0.11, "cross": 0.3, "nli": 0.17, "paws": 0.5,
        "story": 0.5, "sts": 0.3, "off": 0.12, "people": 0.04, "broken": 0.035, "swipe": 0.1, "story_by": 0.12,
        "zh_broken_by": 0.4, "wice": 1, "mono": 0.1, "fever": 0.06,
    }),
    Stage("second", 1900, 1.1e-4, {
        "zh_snli": 0.8, "zh_judged": 2, "zh_broken": 0.2, "mlqe": 0.08, "cross": 0.25, "nli": 0.1, "paws": 0.4,
        "story": 0.6, "sts": 0.3, "off": 0.12, "people": 0.04, "broken": 0.03, "swipe": 0.08, "story_by": 0.12,
        "zh_broken_by": 0.4, "wice": 1, "mono": 0.05, "fever": 0.03,
    }, seed=8),
    Stage("third", 960, 7e-5, {
        "zh_snli": 0.8, "zh_judged": 2, "zh_broken": 0.2, "mlqe": 0.08, "cross": 0.25, "nli": 0.1, "paws": 0.4,
        "story": 0.6, "sts": 0.3, "off": 0.12, "people": 0.04, "broken": 0.03, "swipe": 0.08, "story_by": 0.12,
        "zh_broken_by": 0.4, "wice": 1, "mono": 0.05, "fever": 0.03,
    }, seed=11),
    Stage("fourth", 7500, 1e-4, {
        "zh_snli": 1, "zh_judged": 2, "zh_broken": 0.35, "mlqe": 0.08, "cross": 0.3, "nli": 0.3, "paws": 1,
        "story": 1, "sts": 0.5, "off": 0.25, "people": 0.07, "broken": 0.06, "among": 0.02, "swipe": 0.1,
        "story_by": 0.3, "zh_broken_by": 0.5, "wice": 1, "mono": 0.1, "fever": 0.08,
    }, seed=23),
)  # fmt: skip


def chosen(found: list[dict[str, Any]], stage: Stage) -> list[dict[str, Any]]:
    """The rows that a stage draws from, groups whole."""
    rng = np.random.default_rng(stage.seed)
    groups: dict[object, bool] = {}
    kept = []
    for number, row in enumerate(found):
        share = stage.shares.get(row["k"], 0)
        if not share:
            continue
        key = row.get("g") or -number - 1
        if key not in groups:
            groups[key] = bool(rng.random() < share)
        if groups[key]:
            kept.append(row)
    return kept


def train(work: Path, device: str) -> PairNetwork:
    """Run the stages that are not done."""
    file = work / EXAMPLES
    if not file.exists():
        lines = [json.dumps(row, ensure_ascii=False) for row in rows(Random(4))]
        file.write_text("\n".join(lines), encoding="utf-8")
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    e5 = load_e5()
    start, count = e5.words
    words = np.fromfile(e5.file, np.uint8, count * WORD_BYTES, offset=start).reshape(count, WORD_BYTES)
    table = torch.from_numpy(blocks(words)).half().to(device)
    network = PairNetwork(Shape(layers=LAYERS))
    begin_as(network, {name: torch.from_numpy(value.copy()) for name, value in parameters(e5)}, range(LAYERS))
    for stage in STAGES:
        weights = work / f"{stage.name}.pt"
        if not weights.exists():
            pairs = encode(all_pieces(), chosen(found, stage)).to(device)
            copies = {kind: max(1.0, share) for kind, share in stage.shares.items()}
            plan = Plan(10**9, stage.rate, BATCH_PIECES, stage.seconds, copies=copies, seed=stage.seed)
            learn(network, table, pairs, plan, weights)
        network.load_state_dict(torch.load(weights, weights_only=True))
    network.cpu()
    return network


def main() -> None:
    """Train, export, fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for examples and checkpoints, to go on from")
    parser.add_argument("--to", type=Path, default=WEIGHTS, help="folder of the weights (default: those that ship)")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    for folder in (arguments.work, arguments.to):
        folder.mkdir(parents=True, exist_ok=True)
    network = train(arguments.work, "cuda" if torch.cuda.is_available() else "cpu")
    export_network(network, arguments.to / GRAPH, MAX_PIECES)
    fit_scale(arguments.to)


if __name__ == "__main__":
    main()
