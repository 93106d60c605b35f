"""BLEU and iBLEU, through sacreBLEU (Papineni et al., ACL 2002; Post, WMT 2018; Sun and Zhou, ACL 2012).

An item's BLEU is EASSE's sentence BLEU: floor smoothing with value 0 and effective order. A corpus's is sacreBLEU's own
with its defaults (exponential smoothing), equal to what the ``sacrebleu`` command prints for the same files.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from sema.metrics.base import Item, Need, Row
from sema.metrics.token_metric import TokenizedItem, TokenMetric

if TYPE_CHECKING:
    from sacrebleu.metrics import BLEU

Tokens = tuple[str, ...]
ALPHA = 0.9
"""The weight of adequacy in iBLEU (Xu et al. 2016, formula 1)."""


@lru_cache(maxsize=8192)  # BLEU, iBLEU, FKBLEU and the means share these
def statistics(output: Tokens, references: tuple[Tokens, ...]) -> tuple[int, ...]:
    """BLEU's counts for one item, which add up over a corpus: output length, reference length, matches, totals.

    Ten integers; matches and totals for the orders 1-4. The reference length is that of the closest reference.
    """
    found = _counter().sentence_score(" ".join(output), [" ".join(reference) for reference in references])
    return (found.sys_len, found.ref_len, *found.counts, *found.totals)


def item_bleu(counts: Sequence[float]) -> float:
    """EASSE's sentence BLEU from an item's counts, 0-100."""
    return _compute(counts, "floor", 0.0, effective_order=True)


def corpus_bleu(counts: Sequence[float]) -> float:
    """sacreBLEU's corpus BLEU from summed counts, 0-100."""
    return _compute(counts, "exp", None, effective_order=False)


def item_ibleu(counts: Sequence[float]) -> float:
    """iBLEU of one item from its counts against the references and then against the source.

    As in EASSE's users' published values, BLEU against the source is smoothed exponentially. At most 90, and negative
    for an output that repeats the source and nothing of the references.
    """
    return ALPHA * item_bleu(counts[:10]) - (1 - ALPHA) * corpus_bleu(counts[10:])


def corpus_ibleu(counts: Sequence[float]) -> float:
    """iBLEU of a corpus from summed counts against the references and then against the source."""
    return ALPHA * corpus_bleu(counts[:10]) - (1 - ALPHA) * corpus_bleu(counts[10:])


def both_statistics(item: TokenizedItem) -> tuple[int, ...]:
    """The counts of iBLEU: those against the references, then those against the source."""
    return statistics(item.output, item.references) + statistics(item.output, (item.source,))


@lru_cache(maxsize=1)
def _counter() -> BLEU:
    from sacrebleu.metrics import BLEU

    # The order setting concerns the score, not the counts; sacreBLEU warns about single sentences without it.
    return BLEU(tokenize="none", force=True, effective_order=True)


def _compute(counts: Sequence[float], smoothing: str, value: float | None, *, effective_order: bool) -> float:
    from sacrebleu.metrics import BLEU

    whole = [int(count) for count in counts]
    return float(
        BLEU.compute_bleu(
            whole[2:6], whole[6:10], whole[0], whole[1], smoothing, value, effective_order=effective_order
        ).score
    )


class Bleu(TokenMetric):
    """BLEU against the references."""

    name = "bleu"
    description = "n-gram precision against the references, through sacreBLEU"
    requires = frozenset({Need.REFERENCES})

    @property
    def signature(self) -> str:
        """The tokenizer, how a corpus and how an item is smoothed, and sacreBLEU's version."""
        from sacrebleu import __version__

        return f"{super().signature},smooth=exp,items=floor0+eff{self._options()},sacrebleu={__version__}"

    def _options(self) -> str:
        return ""

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The counts of :func:`statistics`."""
        return [tuple(map(float, statistics(item.output, item.references))) for item in self.tokenize(items)]

    def value(self, row: Row) -> float:
        """Corpus BLEU of summed counts."""
        return corpus_bleu(row)

    def item_value(self, row: Row) -> float:
        """Sentence BLEU of one item's counts."""
        return item_bleu(row)


class Ibleu(Bleu):
    """BLEU against the references less BLEU against the source."""

    name = "ibleu"
    description = "0.9 BLEU against the references - 0.1 BLEU against the source (Sun and Zhou 2012)"
    range = (-10.0, 90.0)

    def _options(self) -> str:
        return f",alpha={ALPHA}"

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The counts against the references, then those against the source."""
        return [tuple(map(float, both_statistics(item))) for item in self.tokenize(items)]

    def value(self, row: Row) -> float:
        """iBLEU of summed counts."""
        return corpus_ibleu(row)

    def item_value(self, row: Row) -> float:
        """iBLEU of one item's counts."""
        return item_ibleu(row)
