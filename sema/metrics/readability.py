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
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from sema.errors import InputError
from sema.metrics import bleu
from sema.metrics.base import Item, MetricOptions, MetricScores, Pooled, Registration
from sema.metrics.function_metric import Compute, register, tokenize, tokenizer_of
from sema.metrics.syllables import count_syllables
from sema.metrics.tokenizers import Tokenizer

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

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


def _english(options: MetricOptions) -> Tokenizer:
    if options.lang.split("-")[0] not in ("en", "ud:en"):
        raise InputError(f"FKGL counts English syllables; leave fkgl and fkbleu out for language {options.lang!r}")
    return tokenizer_of(options, lowercase=True)


def _fkgl(options: MetricOptions) -> tuple[Compute, str]:
    tokenizer = _english(options)

    def compute(items: Sequence[Item]) -> MetricScores:
        rows = tuple(map(statistics, tokenizer.batch([item.output.raw for item in items])))
        return MetricScores.summed(map(fkgl, rows), Pooled(rows, fkgl))

    return compute, tokenizer.signature


def _fkbleu(geometric: bool) -> Callable[[MetricOptions], tuple[Compute, str]]:
    def build(options: MetricOptions) -> tuple[Compute, str]:
        words, lowered = tokenizer_of(options), _english(options)

        def compute(items: Sequence[Item]) -> MetricScores:
            outputs = lowered.batch([item.output.raw for item in items])
            sources = lowered.batch([item.source.raw for item in items])
            rows = tuple(
                bleu.both_statistics(item) + statistics(output) + statistics(source)
                for item, output, source in zip(tokenize(items, words), outputs, sources, strict=True)
            )
            return MetricScores.summed(
                (fkbleu(row, corpus=False, geometric=geometric) for row in rows),
                Pooled(rows, lambda counts: fkbleu(counts, corpus=True, geometric=geometric)),
            )

        return compute, f"{words.signature},form={'gmean' if geometric else 'product'}"

    return build


def registrations() -> dict[str, Registration]:
    """FKGL and both forms of FKBLEU for the registry."""
    return {
        **register("fkgl", "Flesch-Kincaid grade of the output, English only", _fkgl, higher_is_better=False),
        **register(
            "fkbleu", "iBLEU x sigmoid of the grade difference (Xu et al. 2016)", _fkbleu(False), needs_references=True
        ),
        **register(
            "fkbleu_gmean", "fkbleu as a geometric mean instead of a product", _fkbleu(True), needs_references=True
        ),
    }
