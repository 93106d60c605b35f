"""SARI: n-grams added, kept and deleted, against the source and the references (Xu et al., TACL 2016, section 3.1).

Three published computations, and the formulas as printed:

* :func:`sari`, as in EASSE and the authors' Java program: precision and recall over all occurrences of n-grams,
  weighted by the share of references (formulas 5 and 6); additions (formula 4) count once per type. F1 is taken for
  each n-gram order and averaged over the orders 1 to 4.
* The same counts with ``paper``, formula 7 as it stands: precisions and recalls are averaged over the orders, and F1 is
  taken of the averages (EASSE's ``use_paper_version``).
* With ``printed`` too, formulas 4 to 7 to the letter: an n-gram is in a text or not, however often, and ``R'`` is the
  share of the references that have it. In formula 4, both sums of the recall of additions run over the n-grams of the
  output, so it is 1 wherever the output adds anything right; all programs sum over those of the references. No
  published number was computed this way.
* :func:`sari_by_types`, as in the authors' sentence script: keep and delete average a ratio over the n-gram types. It
  gives the paper's worked scores: 0.2683 for OUTPUT-1, and 0.7594 and 0.5890 for "About 95 species are now accepted."
  and "About 95 species are now agreed."; the paper misprints these outputs 2 and 3.

All raise a ``ValueError`` without references. ``docs/VARIANTS.md`` lists the published numbers of each computation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, ClassVar

from sema.metrics.base import Item, Need, Row, f1, ratio, row_mean
from sema.metrics.token_metric import TokenizedItem, TokenizerName, TokenizerOption, TokenMetric
from sema.runtime.caching import remembered

Tokens = Sequence[str]
ORDERS = 4


@dataclass(frozen=True, slots=True)
class SariScore:
    """SARI and its three parts, all 0-100; ``score`` is the mean of the parts."""

    add: float
    keep: float
    delete: float

    @property
    def score(self) -> float:
        """The mean of the three parts."""
        return (self.add + self.keep + self.delete) / 3


def statistics(
    source: Tokens, output: Tokens, references: Sequence[Tokens], *, printed: bool = False
) -> tuple[int, ...]:
    """SARI's counts for one item; their sums over items give the corpus score.

    Returns 36 integers: for each order 1-4 and each of add, keep and delete, the n-grams that output and references
    agree on, those of the output, and those of the references. Counts of keep and delete are summed over the
    references. With ``printed`` an n-gram counts once for each text, and those that the references add count only if
    the output adds them.
    """
    count = len(references)
    counts: list[int] = []
    for in_source, in_output, in_references in _counts_by_order(source, output, references, once=printed):
        added, wanted = in_output.keys() - in_source.keys(), in_references.keys() - in_source.keys()
        right = added & wanted
        counts += (len(right), len(added), len(right if printed else wanted))
        kept = kept_output = kept_references = deleted = deleted_output = deleted_references = 0
        for gram, times in in_source.items():
            total = times * count
            by_output = min(in_output.get(gram, 0) * count, total)
            by_references = min(in_references.get(gram, 0), total)
            kept += min(by_output, by_references)
            kept_output += by_output
            kept_references += by_references
            deleted += total - max(by_output, by_references)
            deleted_output += total - by_output
            deleted_references += total - by_references
        counts += (kept, kept_output, kept_references, deleted, deleted_output, deleted_references)
    return tuple(counts)


def combine(counts: Sequence[float], *, deletion_f1: bool = False, paper: bool = False) -> SariScore:
    """SARI from the (summed) counts of :func:`statistics`.

    Args:
        counts: 36 numbers.
        deletion_f1: deletions count by F1 (EASSE's default) and not by precision (formula 6).
        paper: average precisions and recalls over the orders before F1 is taken (formula 7).
    """
    parts = []
    for operation in range(3):
        triples = [counts[place : place + 3] for place in range(3 * operation, 9 * ORDERS, 9)]
        precisions = [ratio(correct, of_output) for correct, of_output, _ in triples]
        recalls = [ratio(correct, of_references) for correct, _, of_references in triples]
        if operation == 2 and not deletion_f1:
            parts.append(sum(precisions) / ORDERS)
        elif paper:
            parts.append(f1(sum(precisions) / ORDERS, sum(recalls) / ORDERS))
        else:
            parts.append(sum(map(f1, precisions, recalls)) / ORDERS)
    return SariScore(*(100 * part for part in parts))


def sari(
    source: Tokens, output: Tokens, references: Sequence[Tokens], *, deletion_f1: bool = False, paper: bool = False
) -> SariScore:
    """SARI of one item from its tokens, 0-100."""
    return combine(statistics(source, output, references), deletion_f1=deletion_f1, paper=paper)


def sari_by_types(source: Tokens, output: Tokens, references: Sequence[Tokens]) -> SariScore:
    """SARI of one item as in the authors' sentence script, 0-100 (see the module)."""
    count = len(references)
    parts = [0.0, 0.0, 0.0]
    for in_source, in_output, in_references in _counts_by_order(source, output, references):
        added, wanted = in_output.keys() - in_source.keys(), in_references.keys() - in_source.keys()
        parts[0] += f1(ratio(len(added & wanted), len(added)), ratio(len(added & wanted), len(wanted)))
        precision = recall = deletion = 0.0
        kept = deleted = 0
        for gram, times in in_source.items():
            total, by_output, by_references = times * count, in_output.get(gram, 0) * count, in_references.get(gram, 0)
            if by_output:
                kept += 1
                good = min(total, by_output, by_references)
                precision += good / min(total, by_output)
                recall += ratio(good, min(total, by_references))
            if by_output < total:
                deleted += 1
                deletion += max(total - by_output - by_references, 0) / (total - by_output)
        parts[1] += f1(ratio(precision, kept), ratio(recall, len(in_source.keys() & in_references.keys())))
        parts[2] += ratio(deletion, deleted)
    return SariScore(*(100 * part / ORDERS for part in parts))


def _counts_by_order(
    source: Tokens, output: Tokens, references: Sequence[Tokens], *, once: bool = False
) -> zip[tuple[Counter[object], ...]]:
    """For each order the n-grams of the source, of the output, and of all references together."""
    if not references:
        raise ValueError("SARI needs at least one reference")
    texts = ([source], [output], references)
    return zip(*(_counts(tuple(map(tuple, counted)), once) for counted in texts), strict=True)


@remembered  # several systems are scored against the same sources and references
def _counts(texts: tuple[tuple[str, ...], ...], once: bool) -> tuple[Counter[object], ...]:
    """The n-gram counts of texts together, for each order; with ``once`` an n-gram counts once per text."""
    by_order = ((_grams(text, order) for text in texts) for order in range(1, ORDERS + 1))
    return tuple(Counter(chain.from_iterable(map(set, grams) if once else grams)) for grams in by_order)


def _grams(tokens: Tokens, order: int) -> Iterable[object]:
    return tokens if order == 1 else zip(*(tokens[start:] for start in range(order)), strict=False)


class Sari(TokenMetric, name="sari"):
    """n-grams added, kept, deleted (Xu et al. 2016) as EASSE has it.

    Precision of deletions; a corpus's score is that of its summed counts.
    """

    requires = frozenset({Need.REFERENCES})
    one_language = True
    part: ClassVar[str] = "score"
    """The attribute of :class:`SariScore` that is the score."""
    deletion_f1: ClassVar[bool] = False
    paper: ClassVar[bool] = False
    own_tokenizer: ClassVar[TokenizerName | None] = None
    ignores_case: ClassVar[bool] = False

    def __init__(
        self,
        *,
        tokenizer: TokenizerOption = None,
        lowercase: Annotated[bool | None, "ignore case; none: as the variant does"] = None,
    ) -> None:
        super().__init__(
            tokenizer=self.own_tokenizer if tokenizer is None else tokenizer,
            lowercase=self.ignores_case if lowercase is None else lowercase,
        )

    @property
    def signature(self) -> str:
        deletions = "f1" if self.deletion_f1 else "precision"
        return f"{super().signature},del={deletions}{',f1=of-means' if self.paper else ''},corpus=pooled"

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The 36 counts of :func:`statistics`."""
        texts = [(item.source, item.output, item.references) for item in self.tokenize(items)]
        return [tuple(map(float, statistics(*of_item))) for of_item in texts]

    def value(self, row: Row) -> float:
        return float(getattr(combine(row, deletion_f1=self.deletion_f1, paper=self.paper), self.part))


class SariAdd(Sari, name="sari_add"):
    """The F1 of added n-grams in sari."""

    part = "add"


class SariKeep(Sari, name="sari_keep"):
    """The F1 of kept n-grams in sari."""

    part = "keep"


class SariDel(Sari, name="sari_del"):
    """The precision of deleted n-grams in sari."""

    part = "delete"


class SariPaper(Sari, name="sari_paper"):
    """sari by formula 7 of Xu et al. (2016) over counts: F1 of precisions and recalls averaged over n-gram orders."""

    paper = True


class SariEasse(Sari, name="sari_easse"):
    """sari as EASSE prints it by default: lower-cased, F1 for deletions."""

    deletion_f1 = True
    ignores_case = True


class SariMetaeval(Sari, name="sari_metaeval"):
    """sari as in Alva-Manchego et al. (2021): Moses tokens, with case, precision of deletions."""

    own_tokenizer = "moses"


class SariPrinted(Sari, name="sari_printed"):
    """sari by formulas 4-7 of Xu et al. (2016) as printed: n-grams are in a text or not, however often."""

    averaged: ClassVar[str] = "printed"

    def score(self, item: TokenizedItem) -> SariScore:
        """SARI of one item; the corpus's is the mean."""
        return combine(statistics(item.source, item.output, item.references, printed=True), paper=True)

    @property
    def signature(self) -> str:
        return f"{self.tokenizer.signature},by={self.averaged},corpus=mean"

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The score and a count of 1."""
        return [(self.score(item).score, 1.0) for item in self.tokenize(items)]

    def value(self, row: Row) -> float:
        return row_mean(row)


class SariAuthors(SariPrinted, name="sari_authors"):
    """sari as its authors' script and the tables of Xu et al. (2016) have it: by types, lower-cased."""

    averaged = "types"
    ignores_case = True

    def score(self, item: TokenizedItem) -> SariScore:
        return sari_by_types(item.source, item.output, item.references)
