"""Training data: UD subtrees as labelled spans, UCCA passages as trees, what the outputs stand for, and batches."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from sema_ucca.pieces import PieceTokenizer, all_spans, piece_batch
from sema_ucca.remotes import FEATURE_GROUPS, arrays_of, units_of
from sema_ucca.trees import CHAIN, LATER, Tree
from sema_ud.conllu import read_sentences
from sema_ud.trees import ROOT, DependencyTree
from torch import Tensor

from sema.model.text import is_punctuation
from training.loop import similar_batches
from training.ucca.corpus import ud_files

Span = tuple[int, int]
LEAST_UCCA_LABEL = 3
MAX_WORDS = 160
"""Longer sentences are left out of training: their spans would fill the memory, and there are very few."""
IGNORED = -100
_GROUPS = np.cumsum((0, *FEATURE_GROUPS[:-1]))
"""Where the numbers of each group of a pair's features begin."""


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


class Units(NamedTuple):
    """A gold tree's units: each one's first and last word, its category and that of the unit above it (units); the
    features of pairs (parents, children, 3), numbered through all groups; and their remote edges (parents, children):
    0 for none, :data:`IGNORED` where none is possible."""

    first: Tensor
    last: Tensor
    category: Tensor
    above: Tensor
    features: Tensor
    target: Tensor


class Lesson(NamedTuple):
    """The targets of one task for a batch: distributions of spans over labels (batch, spans, labels; all zero: not
    learned), and the units of each tree, if remote edges are learned from them."""

    spans: Tensor
    units: Sequence[Units]


class Batch(NamedTuple):
    """A batch of sentences, with the targets of one or several tasks."""

    tensors: Mapping[str, Tensor]
    lessons: Mapping[str, Lesson]
    words: int


class Batcher:
    """Turns the examples of one task into batches."""

    def __init__(self, task: str, examples: Sequence[Example], inventory: Inventory, tokenizer: PieceTokenizer) -> None:
        """Remote edges are taught if the inventory has labels for them."""
        self.task, self.tokenizer = task, tokenizer
        self.examples = [example for example in examples if 0 < len(example.words) <= MAX_WORDS]
        self._labels, self._categories, self._remotes = (
            {name: index for index, name in enumerate(names)}
            for names in (inventory.labels, inventory.categories, inventory.remotes)
        )
        self.pieced = [tokenizer.sentence(example.tokens) for example in self.examples]

    def tensors(self, group: Sequence[int]) -> dict[str, Tensor]:
        """The network's input for the examples with these indexes."""
        words = [self.examples[index].words for index in group]
        arrays = piece_batch([self.pieced[index] for index in group], words, self.tokenizer)
        starts, ends = all_spans(arrays["first"].shape[1])
        return {name: torch.from_numpy(array) for name, array in {**arrays, "starts": starts, "ends": ends}.items()}

    def lesson(self, group: Sequence[int]) -> Lesson:
        """The targets of the examples with these indexes."""
        chosen = [self.examples[index] for index in group]
        most = max(len(example.words) for example in chosen)
        target = np.zeros((len(chosen), most, most, len(self._labels)), np.float32)
        for cells, example in zip(target, chosen, strict=True):
            size = len(example.words)
            cells[:size, :size, 0] = 1
            if example.soft is not None:
                starts, ends, labels = example.soft.places
                cells[starts, ends, 0] = 0
                cells[starts, ends, labels] = example.soft.probabilities
                continue
            for (start, end), label in example.spans.items():
                cells[start, end - 1, 0] = 0
                if label in self._labels:
                    cells[start, end - 1, self._labels[label]] = 1
        spans = torch.from_numpy(target[:, *all_spans(most)])
        return Lesson(spans, list(self._units(chosen)) if self._remotes else [])

    def _units(self, chosen: Sequence[Example]) -> Iterator[Units]:
        trees = [example.tree or Tree(example.words, {}) for example in chosen]
        units = [units_of(tree) for tree in trees]
        arrays = arrays_of(units, self._categories)
        ends = np.cumsum([len(one.refs) for one in units])[:-1]
        columns = (np.split(one, ends) for one in (arrays.first, arrays.last, arrays.category, arrays.above))
        for tree, one, *own, features, allowed in zip(
            trees, units, *columns, arrays.features, arrays.allowed, strict=True
        ):
            target = np.where(allowed, 0, IGNORED)
            place = {ref: index for index, ref in enumerate(one.refs)}
            for parent, child, label in tree.remotes:
                pair = place[parent], place[child]
                if allowed[pair]:
                    target[pair] = self._remotes.get(label, IGNORED)
            grouped = np.stack(np.unravel_index(features, FEATURE_GROUPS), -1) + _GROUPS
            yield Units(*map(torch.from_numpy, (*own, grouped, target)))


BatchPlan = tuple[Sequence[Batcher], list[int]]
"""A batch to be made (:func:`joint_batch`): all of an epoch at once would fill the memory."""


def epoch(batchers: Sequence[Batcher], rng: np.random.Generator, pieces: int, spans: int) -> list[BatchPlan]:
    """All examples once, in batches of like length, in random order.

    Several batchers have the same sentences in the same order, with targets of several tasks.
    """
    sizes = [(len(pieced.ids),) for pieced in batchers[0].pieced]
    groups = similar_batches(
        sizes, len(sizes), lambda count, size: count * size[0] <= pieces and count * size[0] ** 2 <= spans * 2, rng
    )
    return [(batchers, group) for group in groups]


def joint_batch(batchers: Sequence[Batcher], group: Sequence[int]) -> Batch:
    """The batch of the examples with these indexes, with the targets of all batchers."""
    words = sum(len(batchers[0].examples[index].words) for index in group)
    return Batch(batchers[0].tensors(group), {one.task: one.lesson(group) for one in batchers}, words)
