"""Simplification operations by word alignment: deletions, replacements, splits.

Alva-Manchego, Scarton and Specia (Computational Linguistics 2021), section 4.4.2.

A source word that is linked to no output word was deleted; one that is linked, but to no word of the same form, was
replaced. A text was split if the output has more sentences. Case does not make a difference of form; punctuation is
left out. Any kind of link counts, hyponymy too: it says that something stands in the word's place.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sema.metrics.base import Item, MeanMetric, Need
from sema.metrics.structure import is_split
from sema.model.text import is_punctuation


@dataclass(frozen=True)
class Operations:
    """The source tokens that were deleted and those that were replaced, as indexes, and whether there was a split."""

    words: int
    deletions: tuple[int, ...]
    replacements: tuple[int, ...]
    split: bool


class ReferenceChoice(StrEnum):
    """The kinds of reference to score an output against (section 4.4.2, step 2)."""

    SPLITTING = "splitting"
    """Only split: references that only split (HSplit)."""
    LEXICAL = "lexical"
    """Only replaced or deleted: references that paraphrase, and those that do all (TurkCorpus and ASSET)."""
    ALL = "all"
    """Any other combination, and nothing at all: references that do all (ASSET)."""


def operations(item: Item) -> Operations:
    """The operations of one item, from its links."""
    source = item.source.words
    linked: dict[int, set[str]] = {}
    for sentence, links in zip(item.output.sentence_words, item.links, strict=True):
        for link in links:
            linked.setdefault(link.source, set()).add(sentence[link.output].casefold())
    words = [index for index, word in enumerate(source) if not is_punctuation(word)]
    return Operations(
        len(words),
        tuple(index for index in words if index not in linked),
        tuple(index for index in words if index in linked and source[index].casefold() not in linked[index]),
        is_split(item),
    )


def choose_references(done: Operations) -> ReferenceChoice:
    """The kind of reference that fits the operations."""
    reworded = bool(done.deletions or done.replacements)
    if done.split and not reworded:
        return ReferenceChoice.SPLITTING
    return ReferenceChoice.LEXICAL if reworded and not done.split else ReferenceChoice.ALL


def select_references(
    done: Operations, splitting: Sequence[str], lexical: Sequence[str], general: Sequence[str]
) -> tuple[str, ...]:
    """One item's references out of three sets: those that only split, only reword, and do anything."""
    chosen: Mapping[ReferenceChoice, tuple[str, ...]] = {
        ReferenceChoice.SPLITTING: tuple(splitting),
        ReferenceChoice.LEXICAL: (*lexical, *general),
        ReferenceChoice.ALL: tuple(general),
    }
    return chosen[choose_references(done)]


class OperationMetric(MeanMetric):
    """The percentage of the source's words that an operation affected; 0 for a source without words."""

    requires = frozenset({Need.LINKS})

    @abstractmethod
    def affected(self, done: Operations) -> tuple[int, ...]:
        """The source words that count."""

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The percentage of each item."""
        found = map(operations, items)
        return [100 * len(self.affected(done)) / done.words if done.words else 0.0 for done in found]


class Deletions(OperationMetric):
    """Deleted words."""

    name = "deletions"
    description = "percentage of the source's words that are linked to nothing in the output"
    higher_is_better = False

    def affected(self, done: Operations) -> tuple[int, ...]:
        """What was deleted."""
        return done.deletions


class Replacements(OperationMetric):
    """Replaced words."""

    name = "replacements"
    description = "percentage of the source's words that are linked to another word in the output"

    def affected(self, done: Operations) -> tuple[int, ...]:
        """What was replaced."""
        return done.replacements
