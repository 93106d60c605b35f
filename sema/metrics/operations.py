"""What a system did to the text, without judging it: splits, deletions, replacements, copies, compression, edits.

Deletions, replacements and splits are those of Alva-Manchego, Scarton and Specia (Computational Linguistics 2021),
section 4.4.2. A source word that is linked to no output word was deleted; one that is linked, but to no word of the
same form, was replaced. A text was split if the output has more sentences. Case is ignored, and punctuation is left
out. Any kind of link counts, hyponymy too: the linked word takes the source word's place. Links are the caller's, or
those of an aligner that the caller chose. By default they are the likely links of the language's most accurate aligner,
whichever aligner matches the Scenes: its labels agree better with human ones
(``python -m benchmarks.metaeval.operations``).

Scores are percentages, except for the negative Levenshtein distances to the source and to the references (Narayan and
Gardent 2016; Sulem et al. 2018, section 6): minus the number of token insertions, deletions and substitutions that turn
one text into the other. ``ld_source`` shows how little a system changes, ``ld_reference`` how close it comes to the
nearest reference. They are at most 0; higher is closer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sema.metrics.base import Item, MeanMetric, Need
from sema.metrics.token_metric import TokenizedItem, TokenMeanMetric
from sema.model.text import canonical, is_punctuation


@dataclass(frozen=True)
class Operations:
    """The source tokens that were deleted and those that were replaced, as indexes, and whether there was a split."""

    words: int
    deletions: tuple[int, ...]
    replacements: tuple[int, ...]
    split: bool


def operations(item: Item) -> Operations:
    """The operations of one item, from its likely links."""
    source = item.source.words
    linked: dict[int, set[str]] = {}
    for sentence, pairs in zip(item.output.sentence_words, item.likely_links, strict=True):
        for place, other in pairs:
            linked.setdefault(place, set()).add(sentence[other].casefold())
    words = [index for index, word in enumerate(source) if not is_punctuation(word)]
    return Operations(
        len(words),
        tuple(index for index in words if index not in linked),
        tuple(index for index in words if index in linked and source[index].casefold() not in linked[index]),
        is_split(item),
    )


def is_split(item: Item) -> bool:
    """Whether the output has more sentences than its source, by the language's own segmenter."""
    return len(item.output.sentences) > len(item.source.sentences)


def select_references(
    done: Operations, splitting: Sequence[str], lexical: Sequence[str], general: Sequence[str]
) -> tuple[str, ...]:
    """One item's references from three sets: those that only split, only reword, or do anything (step 2).

    An output that only splits is scored against the references that only split (HSplit). One that only replaces or
    deletes is scored against those that only reword and those that do anything (TurkCorpus and ASSET). Any other
    output, one without operations too, is scored against those that do anything.
    """
    reworded = bool(done.deletions or done.replacements)
    if done.split and not reworded:
        return tuple(splitting)
    return (*lexical, *general) if reworded and not done.split else tuple(general)


class OperationMetric(MeanMetric):
    """The percentage of the source's words affected by the operation that names the metric; 0 without words."""

    requires = frozenset({Need.LIKELY_LINKS})

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        kind, found = type(self).name, map(operations, items)
        return [100 * len(getattr(done, kind)) / done.words if done.words else 0.0 for done in found]


class Deletions(OperationMetric, name="deletions"):
    """Percentage of the source's words that are linked to nothing in the output."""

    higher_is_better = False


class Replacements(OperationMetric, name="replacements"):
    """Percentage of the source's words that are linked to another word in the output."""

    one_language = True


class Splits(MeanMetric, name="splits"):
    """Share of the outputs with more sentences than their source (100 or 0 for one item)."""

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [100.0 * is_split(item) for item in items]


class Compression(MeanMetric, name="compression"):
    """Length of the output in percent of the source's characters.

    White space around the texts is not counted (as EASSE).
    """

    one_language = True
    higher_is_better = False
    range = (0.0, math.inf)

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        pairs = [[len(canonical(text.raw).strip()) for text in (item.source, item.output)] for item in items]
        return [100 * output / source for source, output in pairs]


class Copied(TokenMeanMetric, name="copied"):
    """Percentage of the output's words that the source has.

    Words count by occurrence; an empty output scores 0.
    """

    one_language = True
    higher_is_better = False

    def _score(self, item: TokenizedItem) -> float:
        if not item.output:
            return 0.0
        return 100 * (Counter(item.output) & Counter(item.source)).total() / len(item.output)


class ExactCopies(TokenMeanMetric, name="exact_copies"):
    """Share of the outputs that repeat their source word for word (100 or 0 for one item)."""

    one_language = True
    higher_is_better = False

    def _score(self, item: TokenizedItem) -> float:
        return 100.0 * (item.source == item.output)


def negative_distance(output: Sequence[str], *others: Sequence[str]) -> float:
    """Minus the number of edits between ``output`` and the nearest of ``others``."""
    from rapidfuzz.distance import Levenshtein

    return -float(min(Levenshtein.distance(output, other) for other in others))


class LdSource(TokenMeanMetric, name="ld_source"):
    """Minus the words edited between source and output."""

    one_language = True
    range = (-math.inf, 0.0)

    def _score(self, item: TokenizedItem) -> float:
        return negative_distance(item.output, item.source)


class LdReference(TokenMeanMetric, name="ld_reference"):
    """Minus the words edited between output and nearest reference."""

    range = (-math.inf, 0.0)
    requires = frozenset({Need.REFERENCES})

    def _score(self, item: TokenizedItem) -> float:
        return negative_distance(item.output, *item.references)
