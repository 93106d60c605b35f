"""Trains the networks that read trees of all languages: ``python -m training.trees parser|cutter --work FOLDER``.

Both start from layers of multilingual-e5-small and are trained on the treebanks of ``ud/multi``, ``ud/en_ewt`` and
Chinese. The parser takes an hour and a quarter of one core, the cutter half an hour. A stopped run resumes from its
last save. ``python -m training.trees.export`` writes the files that ship.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from sema_reader.languages import all_pieces

from training.command import command
from training.e5 import embeddings
from training.kept import kept
from training.trees import cutting, parsing
from training.trees.batches import Inventory, begin, learn, mean_loss
from training.trees.treebanks import learning

TASKS = {"parser": parsing, "cutter": cutting}
RATE = 2e-4


def lessons(work: Path, what: str) -> tuple[Inventory, list[Any], list[Any]]:
    """The classes, and what ``parser`` or ``cutter`` learn from and what is held out, cached in ``work``."""

    def made() -> tuple[Inventory, list[Any], list[Any]]:
        examples, pieces, rng = learning(), all_pieces(), np.random.default_rng(3)
        inventory = Inventory.of(examples[0])
        learned, held_out = (TASKS[what].lessons(some, inventory, pieces, rng) for some in examples)
        return inventory, parsing.weighted(learned, inventory) if what == "parser" else learned, held_out

    return kept(work / f"{what}.rows", made)


@command
def main(what: Literal["parser", "cutter"], *, work: Path) -> None:
    """Train, and print the loss of held-out sentences; ``work`` keeps sentences and checkpoints to go on from."""
    torch.set_num_threads(1)
    work.mkdir(parents=True, exist_ok=True)
    pieces, table, task = all_pieces(), embeddings(), TASKS[what]
    inventory, learned, held_out = lessons(work, what)
    network = begin(task, inventory)
    network = learn(task, network, table, pieces, learned, task.PLAN(task.TOTAL, RATE), work / f"{what}.pt")
    print(f"loss of held-out sentences: {mean_loss(task, network, table, pieces, held_out):.3f}")


if __name__ == "__main__":
    main()
