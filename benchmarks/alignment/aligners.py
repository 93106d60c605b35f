"""Aligners against MultiMWA's gold: P, R and F1 of all links, and of those between words that differ.

    python -m benchmarks.alignment.aligners [--sets mtref-test wiki-dev]

Gold: the links of column 8, including phrase links (many to many). Possible links (column 9, MTRef only) are not gold:
predicting one costs precision. Every aligner gives a source token at most one link, which limits recall: `bound` is the
best result under that limit, `learned, all links` is the learned aligner without it (its time covers only the grids,
since the encoder has already read the sentences). To compare another aligner, add a row in `aligners()`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from sema_english.aligner import learned_aligner
from sema_english.relations import rule_aligner

from benchmarks.overlap import overlap
from benchmarks.records import CommandLine, Figures, run
from sema.model.links import Link, LinkKind, Pair
from training.data.corpora import read_gold

Links = set[tuple[int, int]]
Align = Callable[[Sequence[Pair]], Sequence[Sequence[Link]]]
"""The links of each pair."""
OTHERS = "other words "


def identical(pairs: Sequence[Pair]) -> list[list[Link]]:
    """Links of identical words that occur once in each sentence."""
    found = []
    for source, output in pairs:
        shared = {word for word in source if source.count(word) == 1 == output.count(word)}
        found.append([Link(i, output.index(word), LinkKind.EXACT) for i, word in enumerate(source) if word in shared])
    return found


def aligners() -> dict[str, Align]:
    learned = learned_aligner(threads=1)
    return {"identity": identical, "rules": rule_aligner().align, "learned": learned.align,
            "learned, all links": learned.all_links}  # fmt: skip


def load(name: str) -> tuple[list[Pair], list[Links]]:
    gold = read_gold(name)
    return [(one.source, one.output) for one in gold], [set(one.links) for one in gold]


def places(links: Sequence[Sequence[Link]]) -> list[Links]:
    return [{(link.source, link.output) for link in some} for some in links]


def other_words(pairs: Sequence[Pair], links: Sequence[Links]) -> list[Links]:
    """The links between words that differ in more than case, on which aligners differ most."""
    return [
        {(i, j) for i, j in some if source[i].lower() != output[j].lower()}
        for (source, output), some in zip(pairs, links, strict=True)
    ]


def figures(pairs: Sequence[Pair], links: Sequence[Links], gold: Sequence[Links]) -> dict[str, float]:
    """P, R and F1 of all links, then of those between other words."""
    others = overlap(other_words(pairs, links), other_words(pairs, gold))
    return overlap(links, gold).prf() | others.prf(OTHERS)


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--sets", nargs="+", default=["mtref-test", "wiki-dev"])
    arguments = parser.parse(argv)
    rows = aligners()
    for name in arguments.sets:
        pairs, gold = (column[: 10 if arguments.smoke else None] for column in load(name))
        bound = [set({i: (i, j) for i, j in sorted(links)}.values()) for links in gold]
        table = Figures(f"alignment.{name}", "aligner", digits={"ms a pair": 2}, data=f"MultiMWA {name}")
        table.row("bound", figures(pairs, bound, gold) | {"ms a pair": None}, n=len(pairs))
        for title, align in rows.items():
            align(pairs[:20])
            start = time.process_time()
            links = align(pairs)
            spent = 1000 * (time.process_time() - start) / len(pairs)
            table.row(title, figures(pairs, places(links), gold) | {"ms a pair": spent}, n=len(pairs))


if __name__ == "__main__":
    run(main)
