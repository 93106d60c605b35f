"""BLEU and iBLEU, through sacreBLEU (Papineni et al., ACL 2002; Post, WMT 2018; Sun and Zhou, ACL 2012).

The smoothing of n-gram orders without a match is an option. ``none``, ``floor``, ``add-k`` and ``exp`` are sacreBLEU's,
with its default values, for corpora and for items (with effective order, as in its sentence BLEU). ``easse``, the
default, is the combination that users of EASSE publish: floor 0 with effective order for items, exponential smoothing
for corpora and, in iBLEU, for every comparison with the source. With ``easse`` or ``exp`` a corpus's score equals that
of the ``sacrebleu`` command for the same files.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Literal

from sema.errors import UsageError
from sema.metrics.base import Item, Need, Row, check_choice, row_mean
from sema.metrics.token_metric import LowercaseOption, TokenizedItem, TokenizerOption, TokenMetric, Tokens
from sema.runtime.caching import remembered

if TYPE_CHECKING:
    from sacrebleu.metrics import BLEU

ALPHA = 0.9
"""The weight of adequacy in iBLEU (Xu et al. 2016, formula 1)."""
Smoothing = Literal["easse", "none", "floor", "add-k", "exp"]
CorpusScore = Literal["pooled", "mean"]
SmoothingOption = Annotated[
    Smoothing, "what stands for n-gram orders without a match; easse: floor 0 for items, else exp"
]
CorpusOption = Annotated[CorpusScore, "a corpus's score: of its summed counts, or the mean of its items'"]
ReferenceLength = Literal["closest", "mean"]
ReferenceLengthOption = Annotated[
    ReferenceLength, "the length that short outputs are measured by: the closest reference's, or the mean, rounded down"
]


@remembered  # BLEU, iBLEU, FKBLEU and the means share these
def statistics(
    output: Tokens, references: tuple[Tokens, ...], reference_length: ReferenceLength = "closest"
) -> tuple[int, ...]:
    """BLEU's counts for one item, which add up over a corpus: output length, reference length, matches, totals.

    Ten integers; matches and totals for the orders 1-4. The reference length is that of the reference whose length is
    closest to the output's, or the mean of their lengths, rounded down.
    """
    counted = _counter().sentence_score(" ".join(output), [" ".join(reference) for reference in references])
    mean = sum(map(len, references)) // max(1, len(references))
    return (
        counted.sys_len,
        counted.ref_len if reference_length == "closest" else mean,
        *counted.counts,
        *counted.totals,
    )


def bleu_score(counts: Sequence[float], smoothing: Smoothing = "easse", *, corpus: bool) -> float:
    """BLEU from the counts of one item, or with ``corpus`` from summed ones, 0-100.

    By default this is EASSE's sentence BLEU for items, and sacreBLEU's own for a corpus.
    """
    from sacrebleu.metrics import BLEU

    method, value = smoothing, None
    if smoothing == "easse":
        method, value = ("exp", None) if corpus else ("floor", 0.0)
    length, reference_length, *ngrams = map(int, counts)
    scored = BLEU.compute_bleu(
        ngrams[:4], ngrams[4:], length, reference_length, method, value, effective_order=not corpus
    )
    return float(scored.score)


def ibleu_score(
    counts: Sequence[float], smoothing: Smoothing = "easse", *, corpus: bool, alpha: float = ALPHA
) -> float:
    """iBLEU from the counts against the references and then against the source, of one item or of a corpus.

    At most ``100 * alpha``; negative for an output that repeats the source and nothing of the references. Under
    ``easse`` an output of fewer than four words has BLEU 0 against the source, because that is corpus BLEU, which needs
    n-grams of all orders; the other smoothings use the orders that the output has.
    """
    to_source = bleu_score(counts[10:], smoothing, corpus=corpus or smoothing == "easse")
    return alpha * bleu_score(counts[:10], smoothing, corpus=corpus) - (1 - alpha) * to_source


def both_statistics(item: TokenizedItem, reference_length: ReferenceLength = "closest") -> tuple[int, ...]:
    """The counts of iBLEU: those against the references, then those against the source."""
    return statistics(item.output, item.references, reference_length) + statistics(item.output, (item.source,))


@lru_cache(maxsize=1)
def _counter() -> BLEU:
    from sacrebleu.metrics import BLEU

    # The order setting concerns the score, not the counts; sacreBLEU warns about single sentences without it.
    return BLEU(tokenize="none", force=True, effective_order=True)


class Bleu(TokenMetric, name="bleu"):
    """n-gram precision against the references, through sacreBLEU.

    The geometric mean of the precisions of one to four words, times a penalty for short outputs (Papineni et al. 2002).
    A corpus's score is that of its summed counts: what the ``sacrebleu`` command prints for the same files.

    Raises:
        UnknownNameError: an option has none of its values.
    """

    requires = frozenset({Need.REFERENCES})
    _alpha: float | None = None
    """The weight of the references; ``None``: the output is not compared with the source."""

    def __init__(
        self,
        *,
        smoothing: SmoothingOption = "easse",
        corpus: CorpusOption = "pooled",
        reference_length: ReferenceLengthOption = "closest",
        tokenizer: TokenizerOption = None,
        lowercase: LowercaseOption = False,
    ) -> None:
        super().__init__(tokenizer=tokenizer, lowercase=lowercase)
        check_choice("smoothing", smoothing, Smoothing)
        check_choice("corpus score", corpus, CorpusScore)
        check_choice("reference length", reference_length, ReferenceLength)
        self._smoothing = smoothing
        self._mean = corpus == "mean"
        self._length = reference_length

    @property
    def signature(self) -> str:
        from sacrebleu import __version__

        smoothing = f"smooth={self._smoothing},items={self._smoothing}+eff"
        if self._smoothing == "easse":
            smoothing = "smooth=exp,items=floor0+eff"
        alpha = "" if self._alpha is None else f",alpha={self._alpha}"
        length = ",length=mean" if self._length == "mean" else ""
        mean = ",corpus=mean" if self._mean else ""
        return f"{super().signature},{smoothing}{alpha}{length}{mean},sacrebleu={__version__}"

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The counts of each item; its score and 1 where a corpus's score is to be the mean."""
        rows = [tuple(map(float, self._counts(item))) for item in self.tokenize(items)]
        return [(self._score(row, corpus=False), 1.0) for row in rows] if self._mean else rows

    def value(self, row: Row) -> float:
        return row_mean(row) if self._mean else self._score(row, corpus=True)

    def item_value(self, row: Row) -> float:
        return row[0] if self._mean else self._score(row, corpus=False)

    def _counts(self, item: TokenizedItem) -> tuple[int, ...]:
        if self._alpha is None:
            return statistics(item.output, item.references, self._length)
        return both_statistics(item, self._length)

    def _score(self, counts: Row, *, corpus: bool) -> float:
        if self._alpha is None:
            return bleu_score(counts, self._smoothing, corpus=corpus)
        return ibleu_score(counts, self._smoothing, corpus=corpus, alpha=self._alpha)


class Ibleu(Bleu, name="ibleu"):
    """alpha BLEU against the references - (1 - alpha) BLEU against the source (Sun and Zhou 2012).

    Raises:
        InputError: ``alpha`` is not between 0 and 1.
    """

    one_language = True
    range = (-10.0, 90.0)

    def __init__(
        self,
        *,
        alpha: Annotated[float, "the weight of the references"] = ALPHA,
        smoothing: SmoothingOption = "easse",
        corpus: CorpusOption = "pooled",
        reference_length: ReferenceLengthOption = "closest",
        tokenizer: TokenizerOption = None,
        lowercase: LowercaseOption = False,
    ) -> None:
        super().__init__(
            smoothing=smoothing,
            corpus=corpus,
            reference_length=reference_length,
            tokenizer=tokenizer,
            lowercase=lowercase,
        )
        if not 0 <= alpha <= 1:
            raise UsageError(f"alpha must be between 0 and 1, not {alpha}")
        self._alpha = alpha
        self.range = (round(-100 * (1 - alpha), 10), round(100 * alpha, 10))
