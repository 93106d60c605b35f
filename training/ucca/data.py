"""Training data: UD subtrees as labelled spans, UCCA passages as trees, and what the outputs stand for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sema_ucca.trees import CHAIN, LATER, Tree
from sema_ud.conllu import read_sentences
from sema_ud.trees import ROOT, DependencyTree

from sema.datasets.folder import data_folder
from sema.model.text import is_punctuation

Span = tuple[int, int]
LEAST_UCCA_LABEL = 3


class SoftSpans(NamedTuple):
    """An ensemble's judgement of a sentence's spans: each row a span (first and last word) with one of its labels by
    index, null included, (3, rows), and its probability (rows)."""

    places: NDArray[np.int16]
    probabilities: NDArray[np.float32]


@dataclass(frozen=True)
class Example:
    """A sentence to train on: its tokens and the labelled spans over its words (token indexes in ``words``).

    With ``soft``, the spans' labels are learned as those distributions; a span that is not in it is null.
    """

    tokens: tuple[str, ...]
    words: tuple[int, ...]
    spans: dict[Span, str]
    tree: Tree | None = field(default=None)
    soft: SoftSpans | None = field(default=None)


def ud_files() -> list[Path]:
    """The UD English EWT files."""
    return sorted(data_folder("ud", "en_ewt").glob("*.conllu"))


def ud_spans(tree: DependencyTree) -> Example:
    """Every subtree of a dependency tree as a span labelled with its relation, every head inside one with its tag.

    Subtrees that are not contiguous have no span and are left out.
    """
    words = tuple(index for index, token in enumerate(tree.words) if not is_punctuation(token))
    position = {index: place for place, index in enumerate(words)}
    below: list[set[int]] = [set() for _ in tree.words]
    for index in words:
        above = index
        while above != ROOT:
            below[above].add(position[index])
            above = tree.heads[above]
    spans: dict[Span, str] = {}
    for index in words:
        subtree = below[index]
        first, last = min(subtree), max(subtree)
        if last - first + 1 == len(subtree):
            spans[first, last + 1] = tree.relations[index]
        if len(subtree) > 1:
            spans[position[index], position[index] + 1] = "@" + tree.upos[index]
    return Example(tree.words, words, spans)


def ud_examples() -> list[Example]:
    """All of UD EWT but the sentences that are UCCA's dev and test parts (UD's own dev and test reviews)."""
    examples = []
    for path in ud_files():
        for sentence in read_sentences(path):
            held_out = "-train" not in path.name and sentence.identifier.startswith("reviews-")
            example = ud_spans(sentence.tree)
            if not held_out and example.words:
                examples.append(example)
    return examples


def label_inventory(labels: Iterable[str], least: int) -> tuple[str, ...]:
    """The labels seen at least ``least`` times: the null label (an empty string), then the frequent before the rare."""
    return ("", *(label for label, count in Counter(labels).most_common() if count >= least))


@dataclass(frozen=True)
class Inventory:
    """What the network's outputs stand for."""

    labels: tuple[str, ...]
    """Chains of categories a span can have; the first, an empty string, is the null label."""
    categories: tuple[str, ...] = ()
    """Single units' categories, as the classifier of remote edges knows them; the first stands for the root."""
    remotes: tuple[str, ...] = ()
    """Categories of remote edges; the first stands for no edge."""

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Inventory:
        """The inventory of one convention's training examples; what is very rare is left out."""
        labels = label_inventory((label for one in examples for label in one.spans.values()), LEAST_UCCA_LABEL)
        categories = {part.rstrip(LATER): None for label in labels[1:] for part in label.split(CHAIN)}
        remotes = (edge.label for one in examples if one.tree for edge in one.tree.remotes)
        return cls(labels, ("", *categories), label_inventory(remotes, LEAST_UCCA_LABEL))


Inventories = Mapping[str, Inventory]
"""The inventory of each convention."""


def write_inventories(file: Path, inventories: Inventories) -> None:
    """Write them as inference reads them."""
    text = json.dumps({task: asdict(inventory) for task, inventory in inventories.items()}, indent=1)
    file.write_text(text + "\n", encoding="utf-8")


def read_inventories(file: Path) -> dict[str, Inventory]:
    """What :func:`write_inventories` wrote."""
    entries = json.loads(file.read_text(encoding="utf-8"))
    return {task: Inventory(**{name: tuple(of) for name, of in entry.items()}) for task, entry in entries.items()}
