"""What the network's outputs stand for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from sema_ucca.trees import CHAIN, LATER

from training.ucca.data import Example, label_inventory

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
        """The inventory of one convention's training examples; what is very rare is left out."""
        labels = label_inventory(examples, LEAST_UCCA_LABEL)
        categories = {part.rstrip(LATER): None for label in labels[1:] for part in label.split(CHAIN)}
        counts = Counter(edge.label for example in examples if example.tree for edge in example.tree.remotes)
        remotes = [label for label, count in counts.most_common() if count >= LEAST_UCCA_LABEL]
        return cls(tuple(labels), ("", *categories), ("", *remotes))


Inventories = Mapping[str, Inventory]
"""The inventory of each convention."""


def write_inventories(file: Path, inventories: Inventories) -> None:
    """Write them as inference reads them."""
    text = json.dumps({task: asdict(inventory) for task, inventory in inventories.items()}, indent=1)
    file.write_text(text + "\n", encoding="utf-8")


def read_inventories(file: Path) -> dict[str, Inventory]:
    """What :func:`write_inventories` wrote."""
    entries = json.loads(file.read_text(encoding="utf-8"))
    return {
        task: Inventory(*(tuple(entry[name]) for name in ("labels", "categories", "remotes")))
        for task, entry in entries.items()
    }
