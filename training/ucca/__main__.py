"""``python -m training.ucca`` trains the English scene parser and writes what ships; ``export`` writes it again.

It learns UD spans, then UCCA trees with remote edges, then text that an ensemble has parsed. A stopped run resumes;
finished stages are read from the folder ``runs``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from sema_reader.minilm import TOKENIZER
from sema_ucca.network import WEIGHTS
from sema_ucca.parser import PAPERS, UCCA2
from sema_ucca.pieces import PieceTokenizer
from torch import Tensor

from training.command import command
from training.kept import kept
from training.minilm import minilm
from training.ucca import data
from training.ucca.corpus import ewt_graphs, tree_of, wiki_graphs
from training.ucca.data import Batcher, BatchPlan, Example, Inventories, Inventory, epoch
from training.ucca.ensemble import distil, raw_sentences
from training.ucca.export import export_all
from training.ucca.model import Plan, SpanParser, learn

INVENTORY = "inventory.json"

PIECES, SPANS = 1000, 8000
UCCA_PIECES = 600
"""Size of a batch: padded pieces and spans; smaller for gold trees, of which there are few."""
UD = Plan("ud", epochs=5, encoder_rate=1.5e-4, rate=1e-3, average=0.99, masking=0.05)
UCCA = Plan("ucca", epochs=4, encoder_rate=1.2e-4, rate=8e-4, average=0.99, masking=0.03, remote_weight=0.2, frozen=2)
STUDENT = replace(UCCA, name="student", epochs=2, average=0.995, masking=0.05)
_GENTLE = replace(UCCA, epochs=2, encoder_rate=5e-5, rate=3e-4, remote_weight=0.5)
FINISHES = (_GENTLE, replace(_GENTLE, seed=2))
"""The last lessons, each from the student's weights; what ships is the mean of their weights."""
MEMBERS = (1, 2)
"""The seeds of the networks that parse plain text for the last one."""
DROP = 0.1
"""The share of the encoder's activations that training drops."""
LEAST_UD_LABEL = 5
REMOTE_OFFSET = 1.25
"""Taken off the score of "no remote edge" in the finished model: evens precision and recall (chosen on EWT dev)."""


def ud_stage(runs: Path) -> None:
    """Learn UD's subtrees as labelled spans; leaves the network in the folder ``ud``."""
    torch.manual_seed(UD.seed)
    examples = data.ud_examples()
    labels = data.label_inventory((label for one in examples for label in one.spans.values()), LEAST_UD_LABEL)
    batcher = Batcher("ud", examples, Inventory(labels), PieceTokenizer(TOKENIZER))
    model = SpanParser(*minilm(DROP), {"ud": len(labels)}, {})
    learn(model, lambda rng: epoch([batcher], rng, PIECES, SPANS), UD, runs / "ud")


@cache
def gold_examples() -> dict[str, list[Example]]:
    """The training sentences that have words: of Wikipedia by the first convention, of EWT by UCCA 2.0.

    Each is cut where its annotation (Wikipedia) or Universal Dependencies (EWT) ends sentences.
    """
    examples = {}
    for task, graphs in ((PAPERS, wiki_graphs("train")), (UCCA2, ewt_graphs("train"))):
        trees = [tree_of(graph) for graph in graphs]
        examples[task] = [Example(g.tokens, t.words, t.spans, t) for g, t in zip(graphs, trees, strict=True) if t.words]
    return examples


def ucca_stage(
    folder: Path, start: Path, plan: Plan = UCCA, silver: Mapping[str, Sequence[Example]] | None = None
) -> None:
    """Learn both conventions' trees and remote edges together, from the averaged weights of a checkpoint; with
    ``silver``, also these examples.

    Leaves ``ucca.pt`` (by the plan's name) and ``inventory.json``.
    """
    torch.manual_seed(plan.seed)
    gold = gold_examples()
    inventories = {task: Inventory.of(examples) for task, examples in gold.items()}
    tokenizer = PieceTokenizer(TOKENIZER)

    train, parsed = (
        [Batcher(task, given[task], own, tokenizer) for task, own in inventories.items()] if given else []
        for given in (gold, silver)
    )
    model = ucca_model(inventories)
    model.load_state_dict(torch.load(start, weights_only=True), strict=False)  # tasks have label layers of their own
    folder.mkdir(parents=True, exist_ok=True)
    data.write_inventories(folder / INVENTORY, inventories)

    def batches(rng: np.random.Generator) -> list[BatchPlan]:
        chosen = epoch(parsed, rng, PIECES, SPANS) if parsed else []
        chosen += [drawn for batcher in train for drawn in epoch([batcher], rng, UCCA_PIECES, SPANS)]
        return [chosen[place] for place in rng.permutation(len(chosen))]

    learn(model, batches, plan, folder)


def ucca_model(inventories: Inventories) -> SpanParser:
    """A network for both conventions, on the base encoder."""
    labels = {task: len(own.labels) for task, own in inventories.items()}
    remotes = {task: (len(own.categories), len(own.remotes)) for task, own in inventories.items()}
    return SpanParser(*minilm(DROP), labels, remotes)


def trained(folder: Path) -> tuple[SpanParser, dict[str, Inventory]]:
    """The network that the last stage left in ``folder``: averaged, precision and recall of edges evened out."""
    inventories = data.read_inventories(folder / INVENTORY)
    model = ucca_model(inventories)
    model.load_state_dict(torch.load(folder / f"{UCCA.name}.pt", weights_only=True))
    with torch.no_grad():
        for task in inventories:
            model.remotes[task].parent_bias.bias[0] -= REMOTE_OFFSET
    return model.eval(), inventories


def silver(runs: Path) -> dict[str, list[Example]]:
    """The plain text as the members parse it together."""
    networks = [trained(runs / f"member{seed}") for seed in MEMBERS]
    return distil([model for model, _ in networks], networks[0][1], raw_sentences())


def train(runs: Path) -> None:
    """Train from the base encoder; a finished stage is read from the folder ``runs``, a stopped one resumes.

    The members learn from what the UD stage leaves and parse plain text together. A student learns from that and gold
    trees together, starting as the first member, then from gold trees alone at a low rate, several times; the mean of
    these weights is ``ucca.pt``.
    """
    ud_stage(runs)
    for seed in MEMBERS:
        ucca_stage(runs / f"member{seed}", runs / "ud" / f"{UD.name}.pt", replace(UCCA, seed=seed, frozen=0))
    parsed = kept(runs / "silver", lambda: silver(runs))
    ucca_stage(runs, runs / f"member{MEMBERS[0]}" / f"{UCCA.name}.pt", STUDENT, parsed)
    states = []
    for number, plan in enumerate(FINISHES):
        own = runs / f"finish{number}"
        ucca_stage(own, runs / f"{STUDENT.name}.pt", plan)
        states.append(torch.load(own / f"{plan.name}.pt", weights_only=True))
    torch.save(mean_weights(states), runs / f"{UCCA.name}.pt")


def mean_weights(states: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of several networks' weights, name by name."""
    return {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}


@command
def main(
    stage: Literal["all", "export"], runs: Path = Path("runs/english"), weights: Path = WEIGHTS, fp32: bool = False,
    threads: int = 2,
) -> None:  # fmt: skip
    """Train with files in ``runs``, and export; ``fp32`` adds the exact graph."""
    torch.set_num_threads(threads)
    if stage == "all":
        train(runs)
    export_all(*trained(runs), weights, fp32=fp32)


if __name__ == "__main__":
    main()
