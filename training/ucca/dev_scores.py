"""Quick figures while training, over pieces of units; ``benchmarks`` has the figures of UCCA's evaluator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from sema_ucca.trees import CHAIN, LATER, Tree

from training.ucca.batches import Batcher
from training.ucca.ensemble import Ensemble
from training.ucca.inventory import Inventories
from training.ucca.model import SpanParser


def dev_scores(
    models: Sequence[SpanParser], batchers: Mapping[str, Batcher], inventories: Inventories
) -> dict[str, float]:
    """Labelled F1 of units and of remote edges (percent) of the models' joint judgement, by task, over all examples."""
    ensemble = Ensemble(models, inventories)
    figures = {}
    for task, batcher in batchers.items():
        gold = [cast(Tree, example.tree) for example in batcher.examples]
        scores = tree_scores(ensemble.parse(batcher), gold)
        figures.update({f"{task} {name}": value for name, value in scores.items()})
    return figures


def tree_scores(trees: Sequence[Tree], gold: Sequence[Tree]) -> dict[str, float]:
    """``primary``: F1 of (span, category) over pieces of units; ``remote``: of (child's span, category)."""
    figures = {}
    for name, items in (("primary", _pieces), ("remote", _remote_children)):
        pairs = [(items(one), items(other)) for one, other in zip(trees, gold, strict=True)]
        both = sum((one & other).total() for one, other in pairs)
        total = sum(one.total() + other.total() for one, other in pairs)
        figures[name] = round(200 * both / max(1, total), 2)
    return figures


def _pieces(tree: Tree) -> Counter[tuple[int, int, str]]:
    return Counter((*span, part.rstrip(LATER)) for span, label in tree.spans.items() for part in label.split(CHAIN))


def _remote_children(tree: Tree) -> Counter[tuple[int, int, str]]:
    return Counter((edge.child.start, edge.child.end, edge.label) for edge in tree.remotes)
