"""Quick figures while training: pieces of units in decoded and gold trees (by UCCA's evaluator: ``benchmarks``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

import torch

from sema_ucca.decode import RemoteScorer, decode_trees
from sema_ucca.training.batches import Batcher
from sema_ucca.training.export import CHOICES
from sema_ucca.training.inventory import Inventory
from sema_ucca.training.model import SpanParser
from sema_ucca.trees import CHAIN, LATER, Tree


@torch.no_grad()
def parse(model: SpanParser, batcher: Batcher, inventory: Inventory) -> list[Tree]:
    """The trees that a model finds for a batcher's examples, in their order."""
    model.eval()
    weights = {name: value.numpy() for name, value in model.remote.state_dict().items()}
    scorer = RemoteScorer(weights, batcher.categories, inventory.remotes)
    trees: dict[int, Tree] = {}
    order = sorted(range(len(batcher.examples)), key=lambda index: batcher.lengths[index])
    for begin in range(0, len(order), 32):
        group = order[begin : begin + 32]
        tensors = batcher.batch(group).tensors
        with torch.autocast("cpu", dtype=torch.bfloat16):
            states, _ = model.encode(tensors["ids"], tensors["mask"])
            scores = model.span_scores(states, tensors, "ucca").float()
            left, right = model.remote_states(states, tensors)
        best = scores[:, :, 1:].topk(min(CHOICES, scores.shape[2] - 1), 2)
        margins = (best.values - scores[:, :, :1]).numpy()
        words = [batcher.examples[index].words for index in group]
        found = decode_trees(margins, best.indices.numpy() + 1, words, inventory.labels)
        found = scorer.add(found, left.float().numpy(), right.float().numpy())
        trees.update(zip(group, found, strict=True))
    return [trees[index] for index in range(len(order))]


def judge(model: SpanParser, batcher: Batcher, inventory: Inventory) -> dict[str, float]:
    """Labelled F1 of units and of remote edges (percent), over all examples."""
    gold = [cast(Tree, example.tree) for example in batcher.examples]
    return tree_scores(parse(model, batcher, inventory), gold)


def tree_scores(found: Sequence[Tree], gold: Sequence[Tree]) -> dict[str, float]:
    """``primary``: F1 of (span, category) over pieces of units; ``remote``: of (child's span, category)."""
    figures = {}
    for name, items in (("primary", _pieces), ("remote", _remote_children)):
        pairs = [(items(one), items(other)) for one, other in zip(found, gold, strict=True)]
        both = sum((one & other).total() for one, other in pairs)
        total = sum(one.total() + other.total() for one, other in pairs)
        figures[name] = round(200 * both / max(1, total), 2)
    return figures


def _pieces(tree: Tree) -> Counter[tuple[int, int, str]]:
    return Counter((*span, part.rstrip(LATER)) for span, label in tree.spans.items() for part in label.split(CHAIN))


def _remote_children(tree: Tree) -> Counter[tuple[int, int, str]]:
    return Counter((edge.child.start, edge.child.end, edge.label) for edge in tree.remotes)
