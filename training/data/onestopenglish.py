"""OneStopEnglish (Vajjala and Lučić 2018, CC BY-SA 4.0): articles at three levels."""

from __future__ import annotations

from sema.datasets.folder import data_folder

LEVELS = ("adv", "int", "ele")
"""The versions of an article, hardest first."""
NO_TEXT = ("intermediate", "elementary", "advanced", "")
"""Lines of the files that are not text: the first line may name the level."""


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
