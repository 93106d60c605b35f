"""F1 of the labels of operations (Alva-Manchego, Scarton and Specia 2021, section 4.4.2) by our aligner and segmenter.

    python -m benchmarks.metaeval.operations

The paper's 250 labelled sentences are not public. Here gold deletions and replacements follow from people's word links
by the same definition (MultiMWA, Wikipedia dev and MTRef test). Splits are WikiSplit's: a sentence paired with the text
that people split it into is a split; paired with the next item's unsplit sentence it is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sema_english.aligner import learned_aligner
from sema_english.relations import rule_aligner

from benchmarks.alignment import chinese
from benchmarks.alignment.aligners import load
from benchmarks.overlap import Overlap, overlap
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import simplification
from sema import Item, Text
from sema.analysis.analyser import Analyser
from sema.analysis.pairs import likely_pairs, linked_pairs
from sema.languages import find_language
from sema.metrics.operations import Operations, is_split, operations
from sema.model.item import Need
from sema.model.links import Link, LinkGrid, LinkKind

PEERS = {("deletions, Wikipedia, as scored", "F1"): 0.76, ("replacements, Wikipedia, as scored", "F1"): 0.78,
         ("splits", "F1"): 0.87}  # fmt: skip
SOURCE = "Alva-Manchego et al. (2021), section 4.4.2, 250 sentences of their own"
SETS = {"Wikipedia": "wiki-dev", "MTRef": "mtref-test"}
SPLITS = 1000


def labels(texts: Sequence[tuple[Text, Text]], likely: Iterable[Any]) -> list[Operations]:
    """The operations that follow from the likely links of each pair."""
    return [operations(Item(*pair, likely_links=links)) for pair, links in zip(texts, likely, strict=True)]


def words(limit: int | None) -> None:
    table = Figures("metaeval.operations", "operation, set, aligner", peers=PEERS, peer_source=SOURCE, data="MultiMWA")
    aligners = {"rules": rule_aligner(), "learned": (learned := learned_aligner(threads=1))}
    for title, name in SETS.items():
        pairs, gold = (column[:limit] for column in load(name))
        texts = [(Text.from_sentences([source]), Text.from_sentences([output])) for source, output in pairs]
        drawn = [[Link(i, j, LinkKind.EXACT) for i, j in sorted(links)] for links in gold]
        gold_labels = labels(texts, (linked_pairs([links]) for links in drawn))
        for called, aligner in aligners.items():
            ours = labels(texts, (linked_pairs([list(links)]) for links in aligner.align(pairs)))
            agreement(table, f"{title}, {called}", ours, gold_labels)
        grids = map(LinkGrid.whole, learned.probabilities(pairs))
        agreement(table, f"{title}, as scored", labels(texts, (likely_pairs([grid]) for grid in grids)), gold_labels)


def agreement(table: Figures, title: str, ours: Sequence[Operations], gold: Sequence[Operations]) -> None:
    """Rows for deletions and replacements: agreement of two labellings, word by word."""
    for operation in ("deletions", "replacements"):
        found = overlap(*([getattr(one, operation) for one in side] for side in (ours, gold)))
        table.row(f"{operation}, {title}", found.prf(), n=len(ours))


def chinese_words(limit: int | None) -> None:
    """The same for Chinese, on the pairs of MCTS that were linked by hand: a token is linked where a piece of it is."""
    gold = chinese.load(chinese.LINKS)[:limit]
    parts = find_language("zh").parts()
    pairs = list(zip(*chinese.segment(parts.segmenter, gold), strict=True))
    analyser = Analyser(parts, {Need.LINKS, Need.LINK_WEIGHTS})
    links = analyser.align(pairs)
    weights = analyser.weigh(pairs, links)
    drawn = [chinese.by_tokens(*pair, one.links) for pair, one in zip(pairs, gold, strict=True)]
    by_hand = labels(pairs, map(linked_pairs, drawn))
    table = Figures("metaeval.operations_zh", "operation, aligner", data="MCTS dev, linked by hand")
    agreement(table, "rules", labels(pairs, map(linked_pairs, links)), by_hand)
    agreement(table, "as scored", labels(pairs, map(likely_pairs, weights)), by_hand)


def splits(limit: int | None) -> None:
    sources, halves = (
        simplification(f"wikisplit/wikisplit.valid.untok.{part}")[: limit or SPLITS] for part in ("orig", "split")
    )
    segmenter = find_language("en").parts().segmenter
    cut = segmenter.segment(sources)
    split, whole = (
        sum(is_split(Item(*pair)) for pair in zip(cut, outputs, strict=True))
        for outputs in (segmenter.segment(halves), [*cut[1:], cut[0]])
    )
    found = Overlap(split, split + whole, len(halves))
    table = Figures("metaeval.splits", "operation", peers=PEERS, peer_source=SOURCE, data="WikiSplit valid")
    table.row("splits", found.prf(), n=2 * len(halves))


def main(argv: Sequence[str] | None = None) -> None:
    limit = 5 if CommandLine(__doc__).parse(argv).smoke else None
    words(limit)
    chinese_words(limit)
    splits(limit)


if __name__ == "__main__":
    run(main)
