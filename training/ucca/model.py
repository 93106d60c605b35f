"""The network: a MiniLM encoder, span scores over pairs of word fenceposts, and a classifier of remote edges.

Span scores follow Stern, Andreas and Klein (ACL 2017) and Kitaev and Klein (ACL 2018): every span of words is scored
on its own, and a chart finds the best tree. As in Jiang et al. (SemEval 2019, section 3) the remote edges come from a
classifier over pairs of units of that tree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sema_ucca.remotes import FEATURES
from torch import Tensor, nn

from training.encoder import Encoder
from training.loop import Epochs, learn_in_epochs, precision_of
from training.ucca.data import IGNORED, Batch, BatchPlan, Units, joint_batch

MIXED_LAYERS, MIDDLE_LAYER = 3, 4
"""How many of the encoder's last layers are mixed, and the layer (from 1) whose states the graph offers to others."""
HIDDEN, REMOTE = 384, 128
"""The width of a span's hidden state, and of a unit's state in the classifier of remote edges."""


class RemoteClassifier(nn.Module):
    """Scores ``parent -> child`` remote edges over all pairs of units, a score per label (0 stands for no edge)."""

    def __init__(self, states: int, categories: int, labels: int) -> None:
        super().__init__()
        size = REMOTE
        self.edges = nn.Linear(4 * states, size)
        self.category = nn.Embedding(categories, size)
        self.above = nn.Embedding(categories, size)
        self.parent = nn.Linear(size, size)
        self.child = nn.Linear(size, size)
        self.weight = nn.Parameter(torch.zeros(labels, size))
        self.parent_bias = nn.Linear(size, labels)
        self.child_bias = nn.Linear(size, labels)
        self.feature = nn.Parameter(torch.zeros(FEATURES, labels))
        self.drop = nn.Dropout(0.2)
        nn.init.normal_(self.category.weight, std=0.1)
        nn.init.normal_(self.above.weight, std=0.1)
        nn.init.normal_(self.weight, std=1 / size)
        with torch.no_grad():
            self.parent_bias.bias[0] = 6.0  # nearly all pairs have no edge

    def forward(self, left: Tensor, right: Tensor, units: Units) -> Tensor:
        """Scores (parent, child, label) of a tree's units, from the halves of its words' states (words, size)."""
        state = left[units.first] + right[units.last]
        state = torch.relu(state.float() + self.category(units.category) + self.above(units.above))
        state = self.drop(state)
        scores = torch.einsum("pk,lk,ck->pcl", self.parent(state), self.weight, self.child(state))
        scores = scores + self.parent_bias(state)[:, None] + self.child_bias(state)[None]
        return scores + self.feature[units.features].sum(-2)


class SpanParser(nn.Module):
    """Encoder and span head, shared by all tasks (the conventions or, before them, ``ud``).

    Each task has a label layer of its own, and the conventions a classifier of remote edges each.
    """

    def __init__(
        self, encoder: Encoder, table: Tensor, labels: Mapping[str, int], remotes: Mapping[str, tuple[int, int]]
    ) -> None:
        """``table``: the embeddings of pieces, which are frozen; ``labels``: labels a task, the null label included
        (index 0); ``remotes``: categories and labels of remote edges a task."""
        super().__init__()
        self.encoder = encoder
        self.register_buffer("table", table, persistent=False)
        states = encoder.shape.width
        self.mix = nn.Parameter(torch.zeros(MIXED_LAYERS))
        self.start = nn.Linear(2 * states, HIDDEN)
        self.end = nn.Linear(2 * states, HIDDEN, bias=False)
        self.mean = nn.Linear(states, HIDDEN, bias=False)
        self.norm = nn.LayerNorm(HIDDEN)
        self.drop = nn.Dropout(0.3)
        self.labels = nn.ModuleDict({task: nn.Linear(HIDDEN, count) for task, count in labels.items()})
        self.remotes = nn.ModuleDict({task: RemoteClassifier(states, *sizes) for task, sizes in remotes.items()})

    def embed(self, ids: Tensor) -> Tensor:
        """The embedded pieces (batch, pieces, width)."""
        return self.table[ids]

    def encode(self, words: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Embedded pieces to piece states (batch, pieces, width): the mix of the last layers, and those of the middle
        layer."""
        states = self.encoder.states(words, mask)
        weights = torch.softmax(self.mix, 0)
        mixed = sum(weights[k] * states[k - MIXED_LAYERS] for k in range(MIXED_LAYERS))
        return mixed, states[MIDDLE_LAYER - 1]

    def _fenceposts(self, states: Tensor, batch: Mapping[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """For each word the states around its beginning and around its end (batch, words, 2 * width), and its mean."""
        row = torch.arange(states.shape[0])[:, None]
        first, last = states[row, batch["first"]], states[row, batch["last"]]
        before, after = states[row, batch["first"] - 1], states[row, batch["last"] + 1]
        return torch.cat((before, first), -1), torch.cat((last, after), -1), (first + last) / 2

    def span_states(self, states: Tensor, batch: Mapping[str, Tensor]) -> Tensor:
        """Hidden states (batch, spans, size) of the spans ``starts[k]..ends[k]`` (words, both inclusive)."""
        starts, ends = batch["starts"], batch["ends"]
        begin, end, middle = self._fenceposts(states, batch)
        left, right, word = self.start(begin), self.end(end), self.mean(middle)
        # One product adds up a span's parts: fewer passes over memory than gathering them span by span. A word's
        # three parts stand together, so that padding comes last and leaves the sums as they are.
        place = torch.arange(left.shape[1])
        inside = (place >= starts[:, None]) & (place <= ends[:, None])
        length = (ends - starts + 1).to(left.dtype)[:, None]
        picks = ((place == starts[:, None]).to(left.dtype), (place == ends[:, None]).to(left.dtype), inside / length)
        recipe = torch.stack(picks, -1).flatten(1)
        parts = torch.stack((left, right, word), 2).flatten(1, 2)
        return nn.functional.gelu(self.norm(recipe.to(parts.dtype) @ parts))

    def scores(self, hidden: Tensor, task: str) -> Tensor:
        """Scores (batch, spans, labels) of spans by their hidden states."""
        # The spans of a sentence share a dropout mask: drawing one for each span takes a fifth of the time.
        kept = self.drop(torch.ones_like(hidden[:, :1]))
        return self.labels[task](hidden * kept if self.training else hidden)

    def remote_states(self, states: Tensor, batch: Mapping[str, Tensor], task: str) -> tuple[Tensor, Tensor]:
        """The two halves (batch, words, size) that add up to a unit's state: by its first and by its last word."""
        begin, end, _ = self._fenceposts(states, batch)
        edges = self.remotes[task].edges
        left, right = edges.weight.chunk(2, 1)
        return nn.functional.linear(begin, left, edges.bias), nn.functional.linear(end, right)


MASK, LAST_SPECIAL = 103, 103
"""The id of [MASK] in BERT's vocabulary; all special pieces have this one or a lower one."""


@dataclass(frozen=True)
class Plan(Epochs):
    """One stage of training."""

    encoder_rate: float
    """The highest rate of the encoder's last layer; ``rate`` is that of all above the encoder."""
    layer_decay: float = 0.9
    remote_weight: float = 0.5
    frozen: int = 0
    """Encoder layers, from the lowest, that are not trained (for a network that has learned the task before)."""
    masking: float = 0.0
    """Share of the pieces hidden from the encoder, against overfitting."""


def loss_of(model: SpanParser, batch: Batch, plan: Plan) -> Tensor:
    """Cross-entropy of spans' labels (summed over spans, a word) and remote edges (summed over pairs, a sentence), with
    some of the pieces hidden.

    The losses of a batch's tasks are added up.
    """
    ids = batch.tensors["ids"]
    if plan.masking:
        ids = ids.masked_fill((torch.rand(ids.shape) < plan.masking) & (ids > LAST_SPECIAL), MASK)
    with mixed_precision():
        states, _ = model.encode(model.embed(ids), batch.tensors["mask"])
        hidden = model.span_states(states, batch.tensors)
    loss = torch.zeros(())
    for task, lesson in batch.lessons.items():
        with mixed_precision():
            scores = model.scores(hidden, task).float()
            halves = model.remote_states(states, batch.tensors, task) if lesson.units else ()
        loss = loss - (lesson.spans * torch.log_softmax(scores, -1)).sum() / batch.words
        for *words, units in zip(*halves, lesson.units, strict=True):
            edges = model.remotes[task](*words, units).flatten(0, 1)
            wrong = nn.functional.cross_entropy(edges, units.target.flatten(), ignore_index=IGNORED, reduction="sum")
            loss = loss + plan.remote_weight * wrong / len(states)
    return loss


def mixed_precision() -> Any:
    """Products in bfloat16 where the processor has instructions for them; elsewhere that would only be slower."""
    native = precision_of(torch.device("cpu")) == torch.bfloat16
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=native)


def learn(
    model: SpanParser,
    batches: Callable[[np.random.Generator], Sequence[BatchPlan]],
    plan: Plan,
    folder: Path,
    **options: Any,
) -> SpanParser:
    """The network after a stage (:func:`training.loop.learn_in_epochs`): lower layers learn more slowly, and the
    embeddings of pieces not at all."""
    depth = model.encoder.shape.layers
    rates = {
        f"encoder.layers.{index}.": plan.encoder_rate * plan.layer_decay ** (depth - 1 - index) / plan.rate
        for index in range(plan.frozen, depth)
    }
    for name, value in model.named_parameters():
        value.requires_grad_(not name.startswith("encoder.") or name.startswith(tuple(rates)))
    return learn_in_epochs(
        model,
        batches,
        lambda net, drawn: loss_of(net, joint_batch(*drawn), plan),
        plan,
        folder,
        faster=rates,
        cosine=True,
        **options,
    )
