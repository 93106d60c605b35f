"""What the network's outputs stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sema_ucca.training.data import Example, label_inventory
from sema_ucca.trees import CHAIN, LATER

LEAST_UCCA_LABEL = 3


@dataclass(frozen=True)
class Inventory:
    """What the network's outputs stand for."""

    labels: tuple[str, ...]
    """Chains of categories a span can have; the first, an empty string, is the null label."""
    categories: tuple[str, ...]
    """Single units' categories, as the classifier of remote edges knows them; the first stands for the root."""
    remotes: tuple[str, ...]
    """Categories of remote edges; the first stands for no edge."""

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Inventory:
        """The inventory of training examples; what is very rare is left out."""
        labels = label_inventory(examples, LEAST_UCCA_LABEL)
        categories = {part.rstrip(LATER): None for label in labels[1:] for part in label.split(CHAIN)}
        counts = Counter(edge.label for example in examples if example.tree for edge in example.tree.remotes)
        remotes = [label for label, count in counts.most_common() if count >= LEAST_UCCA_LABEL]
        return cls(tuple(labels), ("", *categories), ("", *remotes))
