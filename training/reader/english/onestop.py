"""Pairs of sentences that people simplified: OneStopEnglish's three levels."""

from __future__ import annotations

from difflib import SequenceMatcher

from sema.datasets.folder import data_folder

FILES = (("ADV-ELE", False), ("ADV-INT", False), ("ELE-INT", True))
"""OneStopEnglish's files of sentence pairs, and whether the simpler sentence comes first in them."""
BETWEEN = "*******"
ALIKE = (0.25, 0.95)
"""The range of similarity of source and simplification in words: neither another sentence nor a copy."""
LENGTHS = (0.55, 1.4)
"""The range of the ratio of their lengths in letters: little is omitted, little is explained."""


def human_pairs() -> list[tuple[str, str]]:
    """The sentences with their simpler versions, each pair once."""
    pairs: dict[tuple[str, str], None] = {}
    for name, turned in FILES:
        file = data_folder("simplification", "onestopenglish", "Sentence-Aligned") / f"{name}.txt"
        for block in file.read_text(encoding="utf-8-sig").split(BETWEEN):
            lines = [line.strip() for line in block.splitlines() if line.strip()]
            if len(lines) == 2:
                source, good = reversed(lines) if turned else lines
                alike = SequenceMatcher(None, source.lower().split(), good.lower().split()).ratio()
                if ALIKE[0] < alike < ALIKE[1] and LENGTHS[0] < len(good) / len(source) < LENGTHS[1]:
                    pairs[source, good] = None
    return list(pairs)
