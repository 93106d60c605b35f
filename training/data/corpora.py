"""Word alignments (MultiMWA), sentences with CEFR levels (CEFR-SP, README++), and articles at three levels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sema.datasets.folder import data_folder
from training.data.tables import read_lines, read_table

Words = tuple[str, ...]
Links = frozenset[tuple[int, int]]
LEVELS = ("adv", "int", "ele")
"""The versions of an article, hardest first."""
NO_TEXT = ("intermediate", "elementary", "advanced", "")
"""Lines of the files that are not text: the first line may name the level."""


@dataclass(frozen=True)
class GoldPair:
    """Two tokenized sentences, the links between them (0-based), and the possible links."""

    source: Words
    output: Words
    links: Links
    possible: Links


def read_gold(part: str) -> list[GoldPair]:
    """A part of MultiMWA (Lan, Jiang and Xu, ACL 2021): ``mtref-`` or ``wiki-`` with ``train`` or ``dev``, or
    ``mtref-test``."""
    rows = ([*line.split("\t"), ""] for line in read_lines("alignment", f"{part}.tsv"))  # some lack possible links
    return [GoldPair(tuple(row[1].split()), tuple(row[3].split()), *map(_links, row[7:9])) for row in rows]


def _links(column: str) -> Links:
    return frozenset((int(i), int(j)) for i, _, j in (entry.partition("-") for entry in column.split()))


def read_rated(file: Path) -> tuple[list[str], NDArray[np.float64]]:
    """The texts and levels of a table of CEFR-SP or README++."""
    rows = list(read_table(file))
    if "Rating" in rows[0]:
        # A cell that contains quotes is in quotes itself, with those inside doubled.
        texts = [row["Sentence"].removeprefix('"').removesuffix('"').replace('""', '"') for row in rows]
        return texts, np.array([[float(row["Rating"])] for row in rows])
    return [row["sentence"] for row in rows], np.array(
        [[float(row["annotator_a"]), float(row["annotator_b"])] for row in rows]
    )


def articles() -> dict[str, list[str]]:
    """OneStopEnglish's articles (Vajjala and Lučić 2018, CC BY-SA 4.0) by level, in one order."""
    root = data_folder("simplification", "onestopenglish", "Texts-SeparatedByReadingLevel")
    by_level: dict[str, dict[str, str]] = {}
    for level in LEVELS:
        by_level[level] = {}
        for path in root.joinpath(f"{level.capitalize()}-Txt").glob("*.txt"):
            text = path.read_text(encoding="utf-8-sig", errors="replace")
            lines = [line for line in text.splitlines() if line.strip().lower() not in NO_TEXT]
            by_level[level][path.stem.rpartition("-")[0].strip().lower()] = "\n\n".join(lines)
    common = sorted(set.intersection(*(set(texts) for texts in by_level.values())))
    return {level: [texts[name] for name in common] for level, texts in by_level.items()}


def aligned(name: str) -> tuple[list[str], list[str]]:
    """Sentence pairs of two levels (``ADV-ELE``, ``ADV-INT``, ``ELE-INT``), the harder first.

    A line of stars stands between the pairs of a file.
    """
    path = data_folder("simplification", "onestopenglish", "Sentence-Aligned", f"{name}.txt")
    lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    pairs: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("***"):
            pairs.append([])
        elif line:
            pairs[-1].append(line)
    easier = 0 if name == "ELE-INT" else 1
    whole = [pair for pair in pairs if len(pair) == 2]
    return [pair[1 - easier] for pair in whole], [pair[easier] for pair in whole]
