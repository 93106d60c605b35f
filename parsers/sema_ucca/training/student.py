"""The student stage: one network learns from what an ensemble made of plain text, and from the gold trees."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import torch
from torch import Tensor

from sema_ucca.training import stages
from sema_ucca.training.batches import Batch
from sema_ucca.training.ensemble import Ensemble
from sema_ucca.training.inventory import Inventory
from sema_ucca.training.judge import judge
from sema_ucca.training.learn import Plan, learn
from sema_ucca.training.silver import raw_sentences, read_silver, write_silver

log = logging.getLogger("sema_ucca.training")

SILVER = "silver.jsonl"
STUDENT = Plan("student", epochs=3, encoder_rate=1.5e-4, head_rate=1e-3, average=0.995, masking=0.05, remote_weight=0.2)
_GENTLE = replace(stages.UCCA, epochs=4, encoder_rate=5e-5, head_rate=3e-4, remote_weight=0.5)
FINISHES = (_GENTLE, replace(_GENTLE, seed=2), replace(_GENTLE, seed=5, epochs=8, encoder_rate=1e-4, head_rate=6e-4))
"""The last lessons, each from the student's weights; what ships is the mean of their weights."""
SILVER_PIECES = 1000


def silver_stage(folder: Path, members: Sequence[Path]) -> None:
    """Have the networks of ``members`` parse the plain text together; leaves ``silver.jsonl`` in ``folder``."""
    trained = [stages.trained(member) for member in members]
    inventory = trained[0][1]
    folder.mkdir(parents=True, exist_ok=True)
    ensemble = Ensemble([model for model, _ in trained], inventory)
    write_silver(folder / SILVER, raw_sentences(), ensemble, stages.ucca_batcher((), inventory))


def student_stage(folder: Path, start: Path, plan: Plan = STUDENT) -> None:
    """Learn silver and gold trees together from the checkpoint ``start``; leaves ``student.pt`` in ``folder``."""
    torch.manual_seed(plan.seed)
    gold = stages.ucca_examples("train")
    inventory = Inventory.of(gold)
    silver = stages.ucca_batcher(read_silver(folder / SILVER), inventory)
    train, held_out = silver.over(gold), silver.over(stages.ucca_examples("dev"))
    model = stages.ucca_model(inventory)
    stages.load_matching(model, torch.load(start, weights_only=True)["averaged"])
    (folder / "inventory.json").write_text(json.dumps(asdict(inventory), indent=1) + "\n", encoding="utf-8")
    log.info("student: %d silver and %d gold sentences", len(silver.examples), len(train.examples))

    def batches(rng: random.Random) -> list[Batch]:
        chosen = silver.epoch(rng, SILVER_PIECES, stages.SPANS) + train.epoch(rng, stages.UCCA_PIECES, stages.SPANS)
        rng.shuffle(chosen)
        return chosen

    learn(model, batches, plan, folder, lambda current: judge([current], held_out, inventory))


def finish_stage(folder: Path) -> None:
    """Learn the gold trees alone once more, gently and several times; leaves the mean of the weights as ``ucca.pt``."""
    states = []
    for number, plan in enumerate(FINISHES):
        own = folder / f"finish{number}"
        stages.ucca_stage(own, folder / f"{STUDENT.name}.pt", plan)
        states.append(torch.load(own / f"{plan.name}.pt", weights_only=True)["averaged"])
    torch.save({"averaged": mean_weights(states)}, folder / f"{stages.UCCA.name}.pt")


def mean_weights(states: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of several networks' numbers, name by name; whole numbers (positions) are the first one's."""
    first = states[0]
    return {
        name: torch.stack([state[name] for state in states]).mean(0) if value.is_floating_point() else value
        for name, value in first.items()
    }
