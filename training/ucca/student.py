"""The student stage: one network learns from what an ensemble made of plain text, and from the gold trees."""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from training.ucca import stages
from training.ucca.batches import Batch, joint_epoch
from training.ucca.dev_scores import dev_scores
from training.ucca.ensemble import Ensemble
from training.ucca.inventory import write_inventories
from training.ucca.learn import Plan, learn
from training.ucca.silver import raw_sentences, read_silver, write_silver

log = logging.getLogger("training.ucca")

SILVER = "silver.jsonl"
STUDENT = Plan(
    "student", epochs=2, encoder_rate=1.2e-4, head_rate=8e-4, average=0.995, masking=0.05, remote_weight=0.2, frozen=2
)
_GENTLE = replace(stages.UCCA, epochs=2, encoder_rate=5e-5, head_rate=3e-4, remote_weight=0.5)
FINISHES = (_GENTLE, replace(_GENTLE, seed=2))
"""The last lessons, each from the student's weights; what ships is the mean of their weights."""
SILVER_PIECES = 1000


def silver_stage(folder: Path, members: Sequence[Path]) -> None:
    """Have the networks of ``members`` parse the plain text together; leaves ``silver.jsonl`` in ``folder``."""
    trained = [stages.trained(member) for member in members]
    inventories = trained[0][1]
    folder.mkdir(parents=True, exist_ok=True)
    ensemble = Ensemble([model for model, _ in trained], inventories)
    like = stages.ucca_batchers(dict.fromkeys(inventories, ()), inventories)
    write_silver(folder / SILVER, raw_sentences(), ensemble, list(like.values()))


def student_stage(folder: Path, member: Path, plan: Plan = STUDENT) -> None:
    """Learn silver and gold trees together, from the network of ``member`` on; leaves ``student.pt`` in ``folder``."""
    torch.manual_seed(plan.seed)
    gold = stages.gold_examples("train")
    inventories = stages.inventories_of(gold)
    train = stages.ucca_batchers(gold, inventories)
    silver = [batcher.over(read_silver(folder / SILVER, task)) for task, batcher in train.items()]
    held_out = stages.ucca_batchers(stages.gold_examples("dev"), inventories)
    model = stages.ucca_model(inventories)
    stages.load_matching(model, stages.averaged(member / f"{stages.UCCA.name}.pt"))
    write_inventories(folder / stages.INVENTORY, inventories)
    log.info("student: %d silver sentences", len(silver[0].examples))

    def batches(rng: random.Random) -> list[Batch]:
        chosen = joint_epoch(silver, rng, SILVER_PIECES, stages.SPANS) + stages.gold_epoch(train, rng)
        rng.shuffle(chosen)
        return chosen

    learn(model, batches, plan, folder, lambda current: dev_scores([current], held_out, inventories))


def finish_stage(folder: Path) -> None:
    """Learn the gold trees alone once more, gently and several times; leaves the mean of the weights as ``ucca.pt``."""
    states = []
    for number, plan in enumerate(FINISHES):
        own = folder / f"finish{number}"
        stages.ucca_stage(own, folder / f"{STUDENT.name}.pt", plan)
        states.append(stages.averaged(own / f"{plan.name}.pt"))
    torch.save({"averaged": mean_weights(states)}, folder / f"{stages.UCCA.name}.pt")


def mean_weights(states: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of several networks' numbers, name by name; whole numbers (positions) are the first one's."""
    first = states[0]
    return {
        name: torch.stack([state[name] for state in states]).mean(0) if value.is_floating_point() else value
        for name, value in first.items()
    }
