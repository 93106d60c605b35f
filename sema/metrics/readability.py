"""FKGL and FKBLEU: the Flesch-Kincaid grade level, for English, and its product with iBLEU.

FKGL: Kincaid et al. (1975), as EASSE computes it: the text is lower-cased and tokenized, punctuation counts as words
without syllables, and grades below 0 become 0. The grade is a grade, not a percentage, and lower is easier.

FKBLEU: Xu et al. (TACL 2016, formula 3), ``iBLEU x sigmoid(FK(output) - FK(source))``. The paper calls it a geometric
mean and prints a product. ``fkbleu`` is the product, because formula 3 and every published value (EASSE's users') are
products; ``fkbleu_gmean`` is the geometric mean. Mind the published sign: an output with a HIGHER grade than its source
is rewarded. It is kept so that numbers can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Self

from sema.errors import InputError
from sema.metrics import bleu
from sema.metrics.base import Item, Need, Row
from sema.metrics.syllables import count_syllables
from sema.metrics.token_metric import TokenizerOption, TokenMetric, base_code

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    from sema.model.language import Parts

MORE_ABBREVIATIONS = ("u.s", "u.k", "u.n", "e.g", "i.e", "a.m", "p.m", "ph.d", "b.c", "a.d", "d.c", "st", "jr", "co")
"""Beside Moses' nonbreaking prefixes, which sacremoses brings along."""


def statistics(tokens: Sequence[str]) -> tuple[int, int, int]:
    """Words, syllables and sentences of a lower-cased, tokenized English text; they add up over a corpus."""
    text = " ".join(tokens)
    return len(tokens), sum(map(count_syllables, tokens)), count_sentences(text) if text else 0


def fkgl(counts: Sequence[float]) -> float:
    """The Flesch-Kincaid grade from (summed) counts of words, syllables and sentences; 0 for no words."""
    words, syllables, sentences = counts
    if not words or not sentences:
        return 0.0
    return max(0.0, 0.39 * words / sentences + 11.8 * syllables / words - 15.59)


def count_sentences(text: str) -> int:
    """The number of sentences of a tokenized English text, by NLTK's Punkt with a list of abbreviations.

    EASSE's Punkt learned its abbreviations from newspapers; on the 600 Simplicity-DA outputs the counts are the same.
    """
    return sum(1 for _ in _punkt().span_tokenize(text))


def fkbleu(counts: Sequence[float], *, corpus: bool, geometric: bool = False) -> float:
    """FKBLEU from counts: ten against the references, ten against the source, three of the output, three of the source.

    Ranges over -10..90 as a product. As a geometric mean of iBLEU and the sigmoid, both as shares of 1, it is scaled to
    0-100; a negative iBLEU gives 0.
    """
    ibleu = (bleu.corpus_ibleu if corpus else bleu.item_ibleu)(counts[:20])
    difference = fkgl(counts[20:23]) - fkgl(counts[23:26])
    sigmoid = 1 / (1 + math.exp(-difference))
    if geometric:
        return 100 * math.sqrt(max(ibleu, 0.0) / 100 * sigmoid)
    return ibleu * sigmoid


@lru_cache(maxsize=1)
def _punkt() -> PunktSentenceTokenizer:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    from sacremoses import MosesTokenizer

    parameters = PunktParameters()
    prefixes = (prefix.split()[0].lower() for prefix in MosesTokenizer("en").NONBREAKING_PREFIXES)
    parameters.abbrev_types = {*prefixes, *MORE_ABBREVIATIONS}
    return PunktSentenceTokenizer(parameters)


class _EnglishMetric(TokenMetric):
    def bind(self, parts: Parts) -> Self:
        """A copy that cuts words as the language does.

        Raises:
            InputError: the language is not English.
        """
        if base_code(parts.code) != "en":
            raise InputError(f"{self.name} counts English syllables; leave it out for language {parts.code!r}")
        return super().bind(parts)


class Fkgl(_EnglishMetric):
    """The Flesch-Kincaid grade of the output; a corpus's comes from its items' summed counts."""

    name = "fkgl"
    description = "Flesch-Kincaid grade of the output, English only"
    higher_is_better = False
    range = (0.0, math.inf)

    def __init__(self, *, tokenizer: TokenizerOption = None) -> None:
        super().__init__(tokenizer=tokenizer, lowercase=True)

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """Words, syllables and sentences of the outputs."""
        outputs = self.tokenizer.batch([item.output.raw for item in items])
        return [tuple(map(float, statistics(words))) for words in outputs]

    def value(self, row: Row) -> float:
        """The grade of (summed) counts."""
        return fkgl(row)


class Fkbleu(_EnglishMetric):
    """FKBLEU as a product."""

    name = "fkbleu"
    description = "iBLEU x sigmoid of the grade difference (Xu et al. 2016)"
    range = (-10.0, 90.0)
    requires = frozenset({Need.REFERENCES})
    geometric = False

    @property
    def signature(self) -> str:
        """The tokenizer and the form."""
        return f"{super().signature},form={'gmean' if self.geometric else 'product'}"

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The 26 counts of :func:`fkbleu`."""
        lowered = self.tokenizer_for(lowercase=True)
        outputs = lowered.batch([item.output.raw for item in items])
        sources = lowered.batch([item.source.raw for item in items])
        return [
            tuple(map(float, (*bleu.both_statistics(item), *statistics(output), *statistics(source))))
            for item, output, source in zip(self.tokenize(items), outputs, sources, strict=True)
        ]

    def value(self, row: Row) -> float:
        """FKBLEU of summed counts."""
        return fkbleu(row, corpus=True, geometric=self.geometric)

    def item_value(self, row: Row) -> float:
        """FKBLEU of one item's counts."""
        return fkbleu(row, corpus=False, geometric=self.geometric)


class FkbleuGmean(Fkbleu):
    """FKBLEU as a geometric mean."""

    name = "fkbleu_gmean"
    description = "fkbleu as a geometric mean instead of a product"
    range = (0.0, 100 * math.sqrt(bleu.ALPHA))
    geometric = True
