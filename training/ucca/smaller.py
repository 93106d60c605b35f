"""A network of three layers that learns what the shipped one of six says of plain text; it does not ship.

It learns the distributions of all spans over labels, the mix of the last layers' states and, in its second layer, the
states of the shipped network's fourth, which the aligner and the judges read (Hinton, Vinyals and Dean 2015; layers as
in Sanh et al. 2019); from gold trees also labels and remote edges. What it costs and how good it is, beside the shipped
one: ``benchmarks.sema_ucca.smaller``.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from pathlib import Path

import torch
from sema_ucca.conventions import PAPERS
from torch import Tensor, nn

from sema.languages import find_language
from training.data.tables import table
from training.data.text import detokenized
from training.ucca.batches import Batch, Batcher, joint_epoch
from training.ucca.data import Example, ud_examples
from training.ucca.dev_scores import dev_scores
from training.ucca.inventory import Inventories, write_inventories
from training.ucca.learn import Plan, learn, lessons_loss, mixed_precision
from training.ucca.model import Shape, SpanParser
from training.ucca.released import released
from training.ucca.silver import SHORTEST, Tokens, raw_sentences, words_of
from training.ucca.stages import (
    INVENTORY,
    PIECES,
    SPANS,
    UCCA_PIECES,
    base_encoder,
    finish,
    gold_examples,
    ucca_batchers,
    ucca_model,
)

log = logging.getLogger("training.ucca")

TAKEN = (0, 3, 5)
"""The shipped network's layers that the small one's begin as."""
MIDDLE = 2
SMALLER = Plan(
    "smaller", epochs=7, encoder_rate=2.5e-4, head_rate=4e-4, layer_decay=1.0, average=0.995, remote_weight=0.2
)
AN_EPOCH = 42_000
"""Sentences of plain text in an epoch, drawn anew for each."""
LONGEST = 45
MIXED_WEIGHT, MIDDLE_WEIGHT = 2.0, 1.5


def smaller_model(inventories: Inventories) -> SpanParser:
    """The small network, on the base encoder's lowest layers."""
    return ucca_model(inventories, base_encoder(len(TAKEN)), Shape(middle_layer=MIDDLE))


def plain_text() -> list[Tokens]:
    """Distinct sentences: those that silver trees are made of, UD's, CEFR-SP's training part, FEVER's evidence."""
    sentences = dict.fromkeys(raw_sentences())
    sentences.update(dict.fromkeys(example.tokens for example in ud_examples()))
    segmented = find_language("en").parts().segmenter.segment([*_levels(), *_evidence()])
    sentences.update(dict.fromkeys(words for text in segmented for words in text.sentence_words))
    return [tokens for tokens in sentences if SHORTEST <= len(words_of(tokens)) <= LONGEST]


def _levels() -> Iterator[str]:
    return (detokenized(row["sentence"]) for row in table("readability", "cefr_sp_wiki_train.tsv"))


def _evidence() -> list[str]:
    return list(dict.fromkeys(detokenized(row["premise"]) for row in table("entailment", "train", "fever.tsv.gz")))


def smaller_stage(folder: Path) -> None:
    """Learn from the shipped network, then from gold trees alone; leaves ``ucca.pt`` and ``inventory.json``."""
    torch.manual_seed(SMALLER.seed)
    teacher, inventories = released()
    model = smaller_model(inventories)
    begin_as(model, teacher)
    folder.mkdir(parents=True, exist_ok=True)
    write_inventories(folder / INVENTORY, inventories)
    gold, held_out = (ucca_batchers(gold_examples(part), inventories) for part in ("train", "dev"))
    text = [Example(tokens, words_of(tokens), {}) for tokens in plain_text()]
    log.info("%s: %d sentences of plain text", SMALLER.name, len(text))

    def batches(rng: random.Random) -> list[Batch]:
        plain = gold[PAPERS].over(rng.sample(text, min(AN_EPOCH, len(text))))
        chosen = unlabelled(plain, rng)
        chosen += [batch for batcher in gold.values() for batch in batcher.epoch(rng, UCCA_PIECES, SPANS)]
        rng.shuffle(chosen)
        return chosen

    def scores(current: SpanParser) -> dict[str, float]:
        return dev_scores([current], held_out, inventories)

    learn(model, batches, SMALLER, folder, scores, Distillation(teacher))
    finish(folder, folder / f"{SMALLER.name}.pt", smaller_model)


def unlabelled(batcher: Batcher, rng: random.Random) -> list[Batch]:
    """A batcher's sentences once, without what it says of their spans."""
    return [Batch(batch.tensors, {}, batch.words) for batch in joint_epoch([batcher], rng, PIECES, SPANS)]


def begin_as(model: SpanParser, teacher: SpanParser) -> None:
    """Give the small network some of the layers and the heads of the large one."""
    weights, own = teacher.state_dict(), model.state_dict()
    for name in own:
        parts = name.split(".")
        if name.startswith("encoder.encoder.layer."):
            parts[3] = str(TAKEN[int(parts[3])])
        own[name] = weights[".".join(parts)]
    own["mix"] = torch.tensor([-1.0, 0.0, 1.5])  # the first layer says least
    model.load_state_dict(own)


class Distillation:
    """The loss: what the teacher says and, where a batch has lessons, what they say."""

    def __init__(self, teacher: SpanParser) -> None:
        self.teacher = teacher.eval()

    def __call__(self, model: SpanParser, batch: Batch, plan: Plan) -> Tensor:
        """Divergence of spans' distributions (summed over spans, a word), squared distances of states as shares of the
        teacher's variance, and the lessons' losses."""
        with torch.no_grad():
            mixed, middle, hidden = _states(self.teacher, batch)
            wanted = {task: _logs(self.teacher, hidden, task) for task in self.teacher.labels}
        own_mixed, own_middle, own_hidden = _states(model, batch)
        pieces = batch.tensors["mask"].bool()
        loss = MIXED_WEIGHT * distance(own_mixed[pieces], mixed[pieces])
        loss = loss + MIDDLE_WEIGHT * distance(own_middle[pieces], middle[pieces])
        inside = spans_inside(batch)
        for task, logs in wanted.items():
            divergence = (logs.exp() * (logs - _logs(model, own_hidden, task))).sum(-1)
            loss = loss + (divergence * inside).sum() / batch.words
        return loss + lessons_loss(model, own_mixed, own_hidden, batch, plan)


def _states(model: SpanParser, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    with mixed_precision():
        mixed, middle = model.encode(batch.tensors["ids"], batch.tensors["mask"])
        return mixed, middle, model.span_states(mixed, batch.tensors)


def _logs(model: SpanParser, hidden: Tensor, task: str) -> Tensor:
    with mixed_precision():
        scores: Tensor = model.labels[task](hidden)
    return nn.functional.log_softmax(scores.float(), -1)


def distance(states: Tensor, wanted: Tensor) -> Tensor:
    """The squared distance of states (pieces, width) as a share of the variance of those that are wanted."""
    return ((states.float() - wanted.float()) ** 2).mean() / (wanted.float().var() + 1e-6)


def spans_inside(batch: Batch) -> Tensor:
    """Which spans (batch, spans) lie in their sentence, not in its padding: padded words point at position 1."""
    words = 1 + (batch.tensors["first"][:, 1:] > 1).sum(1)
    return batch.tensors["ends"] < words[:, None]
