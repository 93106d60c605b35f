"""Gold word alignments (MultiMWA: Lan, Jiang and Xu, ACL 2021)."""

from __future__ import annotations

from dataclasses import dataclass

from training.data.tables import read_lines

Words = tuple[str, ...]
Links = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class GoldPair:
    """Two tokenized sentences, the links between them (0-based), and the possible links."""

    source: Words
    output: Words
    links: Links
    possible: Links


def read_gold(part: str) -> list[GoldPair]:
    """A part of the gold data: ``mtref-train``, ``mtref-dev``, ``mtref-test``, ``wiki-train`` or ``wiki-dev``."""
    rows = ([*line.split("\t"), ""] for line in read_lines("alignment", f"{part}.tsv"))  # some lack possible links
    return [GoldPair(tuple(row[1].split()), tuple(row[3].split()), *map(_links, row[7:9])) for row in rows]


def _links(column: str) -> Links:
    return frozenset((int(i), int(j)) for i, _, j in (entry.partition("-") for entry in column.split()))
