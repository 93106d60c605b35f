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
