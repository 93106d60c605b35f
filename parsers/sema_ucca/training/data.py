"""Training data: UD subtrees as labelled spans, UCCA passages as trees, and batches of either."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sema.errors import ResourceError
from sema.model.text import is_punctuation
from sema_ucca.trees import Tree

Span = tuple[int, int]


class SoftSpan(NamedTuple):
    """What an ensemble thinks of a span (half-open, words): labels by index, null too, and their probabilities."""

    start: int
    end: int
    labels: tuple[int, ...]
    probabilities: tuple[float, ...]


@dataclass(frozen=True)
class Example:
    """A sentence to train on: its tokens and the labelled spans over its words (token indexes in ``words``).

    With ``soft``, the spans' labels are learned as those distributions; a span that is not in it is surely null.
    """

    tokens: tuple[str, ...]
    words: tuple[int, ...]
    spans: dict[Span, str]
    tree: Tree | None = field(default=None)
    soft: tuple[SoftSpan, ...] | None = field(default=None)


def data_folder() -> Path:
    """Where the corpora are: ``SEMA_DATA``, by default ``../shared/data`` beside the project."""
    folder = Path(os.environ.get("SEMA_DATA") or Path(__file__).parents[4] / "shared" / "data")
    if not (folder / "ucca").is_dir():
        raise ResourceError(f"no training data in {folder}: name its folder in SEMA_DATA")
    return folder


@dataclass(frozen=True)
class Sentence:
    """One sentence of a CoNLL-U file: its id and its basic tree (``heads`` are 0-based, -1 for the root)."""

    identifier: str
    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]


def read_conllu(path: Path) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file, syntactic words only."""
    identifier, rows = "", []
    for line in (*path.read_text(encoding="utf-8").split("\n"), ""):
        if line.startswith("# sent_id = "):
            identifier = line.partition("= ")[2].strip()
        elif line and line[0] != "#":
            row = line.split("\t")
            if row[0].isdigit():
                rows.append(row)
        elif not line and rows:
            yield Sentence(
                identifier,
                tuple(row[1] for row in rows),
                tuple(row[3] for row in rows),
                tuple(int(row[6]) - 1 for row in rows),
                tuple(row[7] for row in rows),
            )
            rows = []


def ud_files() -> list[Path]:
    """The UD English EWT files."""
    return sorted((data_folder() / "ud" / "en_ewt").glob("*.conllu"))


def ud_spans(sentence: Sentence) -> Example:
    """Every subtree of a dependency tree as a span labelled with its relation, every head inside one with its tag.

    Subtrees that are not contiguous have no span and are left out.
    """
    words = tuple(index for index, token in enumerate(sentence.tokens) if not is_punctuation(token))
    position = {index: place for place, index in enumerate(words)}
    below: list[set[int]] = [{position[index]} if index in position else set() for index in range(len(sentence.tokens))]
    for index in range(len(sentence.tokens)):
        head, steps = sentence.heads[index], 0
        while head >= 0 and index in position and steps < len(sentence.tokens):
            below[head].add(position[index])
            head, steps = sentence.heads[head], steps + 1
    spans: dict[Span, str] = {}
    for index in words:
        subtree = below[index]
        first, last = min(subtree), max(subtree)
        if last - first + 1 == len(subtree):
            spans[first, last + 1] = sentence.relations[index]
        if len(subtree) > 1:
            spans[position[index], position[index] + 1] = "@" + sentence.tags[index]
    return Example(sentence.tokens, words, spans)


def ud_examples() -> list[Example]:
    """All of UD EWT but the sentences that are UCCA's dev and test parts (UD's own dev and test reviews)."""
    examples = []
    for path in ud_files():
        for sentence in read_conllu(path):
            held_out = "-train" not in path.name and sentence.identifier.startswith("reviews-")
            example = ud_spans(sentence)
            if not held_out and example.words:
                examples.append(example)
    return examples


def label_inventory(examples: Iterable[Example], least: int) -> list[str]:
    """The labels seen at least ``least`` times: the null label (an empty string), then the frequent before the rare."""
    counts = Counter(label for example in examples for label in example.spans.values())
    return ["", *(label for label, count in counts.most_common() if count >= least)]


def bucketed(lengths: Sequence[int], pieces: int, spans: int, order: Sequence[int]) -> list[list[int]]:
    """Batches of indexes of like length, each within a number of padded pieces and of spans.

    ``order`` is the (shuffled) order in which equals follow each other.
    """
    batches: list[list[int]] = []
    current: list[int] = []
    for index in sorted(order, key=lambda i: lengths[i]):
        length = lengths[index]
        size = len(current) + 1
        if current and (size * length > pieces or size * length * length > spans * 2):
            batches.append(current)
            current = []
        current.append(index)
    if current:
        batches.append(current)
    return batches
