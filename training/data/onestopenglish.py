"""OneStopEnglish (Vajjala and Lučić 2018, CC BY-SA 4.0): articles at three levels, and pairs of their sentences."""

from __future__ import annotations

from difflib import SequenceMatcher

from sema.datasets.folder import data_folder

LEVELS = ("adv", "int", "ele")
"""The versions of an article, hardest first."""
NO_TEXT = ("intermediate", "elementary", "advanced", "")
"""Lines of the files that are not text: the first line may name the level."""
FILES = (("ADV-ELE", False), ("ADV-INT", False), ("ELE-INT", True))
"""OneStopEnglish's files of sentence pairs, and whether the simpler sentence comes first in them."""
BETWEEN = "*******"
ALIKE = (0.25, 0.95)
"""The range of similarity of source and simplification in words: neither another sentence nor a copy."""
LENGTHS = (0.55, 1.4)
"""The range of the ratio of their lengths in letters: little is omitted, little is explained."""


def articles() -> dict[str, list[str]]:
    """OneStopEnglish's articles by level (``adv``, ``int``, ``ele``), in one order."""
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
