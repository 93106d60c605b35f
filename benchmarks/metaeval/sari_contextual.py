"""SARI with the similarity of contextual vectors in place of n-gram identity.

Proposed by Alva-Manchego, Scarton and Specia (Computational Linguistics 2021, section 5.2), who leave the formula open.
Here an n-gram of one text is in another to the degree of its most similar n-gram there, from 0 to 1; the similarity of
two n-grams is the geometric mean of those of their pieces, in order, by the encoder of the language (as in
``bertscore_p``). With degrees in the place of counts the formulas are SARI's: what is kept and deleted is measured by
the mean degree over the references, what is added by the best. With one reference, no n-gram twice, and similarities of
0 and 1 it is ``sari``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sema.metrics.base import Item, MeanMetric, Need, f1
from sema.metrics.sari import ORDERS, SariScore

if TYPE_CHECKING:
    from sema.model.language import Parts

ROUNDING = 1e-4
"""Degrees this near to 1 are 1: vectors are of single precision."""
Floats: TypeAlias = "NDArray[np.floating]"


def contextual_sari(
    source_output: Floats, source_references: Sequence[Floats], output_references: Sequence[Floats]
) -> SariScore:
    """SARI from similarities between the pieces of texts, each from 0 to 1.

    Args:
        source_output: (pieces of the source, pieces of the output).
        source_references: for each reference (pieces of the source, its pieces).
        output_references: for each reference (pieces of the output, its pieces).

    Raises:
        ValueError: there is no reference.
    """
    if not source_references:
        raise ValueError("SARI needs at least one reference")
    parts = np.zeros(3)
    for order in range(1, ORDERS + 1):
        kept, old = _degrees(source_output, order)
        wanted = np.mean([_degrees(similar, order)[0] for similar in source_references], axis=0)
        found = [_degrees(similar, order) for similar in output_references]
        right = np.max([of_output for of_output, _ in found], axis=0)
        news = [1 - _degrees(similar, order)[1] for similar in source_references]
        met = sum(np.minimum(new, of_reference).sum() for new, (_, of_reference) in zip(news, found, strict=True))
        precision = _share(np.minimum(1 - old, right).sum(), (1 - old).sum())
        both = np.minimum(kept, wanted).sum()
        parts += (
            f1(precision, _share(met, sum(new.sum() for new in news))),
            f1(_share(both, kept.sum()), _share(both, wanted.sum())),
            _share(np.minimum(1 - kept, 1 - wanted).sum(), (1 - kept).sum()),
        )
    return SariScore(*(100 * parts / ORDERS).tolist())


def _degrees(similar: Floats, order: int) -> tuple[Floats, Floats]:
    """To which degree each n-gram of the first text is in the second, and each of the second in the first."""
    rows, columns = (max(0, size - order + 1) for size in similar.shape)
    if not rows or not columns:
        return np.zeros(rows), np.zeros(columns)
    grams = np.prod([similar[at : at + rows, at : at + columns] for at in range(order)], axis=0) ** (1 / order)
    grams[grams > 1 - ROUNDING] = 1  # else the rounding errors of equal n-grams would be shares of almost nothing
    return grams.max(1), grams.max(0)


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole > 0 else 0.0


class SariContextual(MeanMetric, name="sari_contextual"):
    """SARI by the similarity of contextual vectors, for n-grams added, kept, deleted."""

    requires = frozenset({Need.REFERENCES})

    def bind(self, parts: Parts) -> Self:
        """A copy with the language's encoder."""
        bound = copy(self)
        bound._parts = parts
        return bound

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        texts = [(item.source.raw, item.output.raw, *item.references) for item in items]
        known = self._vectors(dict.fromkeys(text for own in texts for text in own))
        found = []
        for source, output, *references in ([known[text] for text in own] for own in texts):
            by_source, by_output = ([self._similar(text, each) for each in references] for text in (source, output))
            found.append(contextual_sari(self._similar(source, output), by_source, by_output).score)
        return found

    def _vectors(self, texts: Iterable[str]) -> dict[str, Floats]:
        """The vectors of each text's pieces; an array without rows for a text without words."""
        known = {}
        for text in texts:
            (segmented,) = self._parts.segmenter.segment([text])
            rows = self._parts.token_encoder.vectors([words for words in segmented.sentence_words if words])
            known[text] = np.concatenate(rows) if rows else np.zeros((0, 0), np.float32)
        return known

    def _similar(self, text: Floats, other: Floats) -> Floats:
        if not len(text) or not len(other):
            return np.zeros((len(text), len(other)), np.float32)
        return self._parts.token_encoder.similarity(np.clip(text @ other.T, -1, 1))
