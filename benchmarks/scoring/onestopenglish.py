"""OneStopEnglish at passage level: 189 advanced articles against their intermediate and elementary versions.

    python benchmarks/scoring/onestopenglish.py

The intermediate text keeps more of the advanced one, so it should score higher.
"""

from __future__ import annotations

import time
from statistics import fmean

import sema
from sema.datasets.folder import data_path

DATA = data_path()
LEVELS = {"adv": "Adv-Txt", "int": "Int-Txt", "ele": "Ele-Txt"}


def articles() -> dict[str, list[str]]:
    """The texts by level, articles in the same order in each; the first line of a file may name its level."""
    root = DATA / "simplification/onestopenglish/Texts-SeparatedByReadingLevel"
    by_level: dict[str, dict[str, str]] = {}
    for level, folder in LEVELS.items():
        by_level[level] = {}
        for path in root.joinpath(folder).glob("*.txt"):
            text = path.read_text(encoding="utf-8-sig", errors="replace")
            lines = [
                line
                for line in text.splitlines()
                if line.strip().lower() not in ("intermediate", "elementary", "advanced", "")
            ]
            by_level[level][path.stem.rpartition("-")[0].strip().lower()] = "\n\n".join(lines)
    common = sorted(set.intersection(*(set(texts) for texts in by_level.values())))
    return {level: [texts[name] for name in common] for level, texts in by_level.items()}


def main() -> None:
    texts = articles()
    count = len(texts["adv"])
    scorer = sema.Scorer("en", level="passage")
    start = time.perf_counter()
    report = scorer.score(texts["adv"], {"Int": texts["int"], "Ele": texts["ele"]})
    seconds = time.perf_counter() - start
    middle, easy = report.systems
    print(f"{count} articles, {seconds:.0f} s\nsignature: {report.signature}\n")
    print("| metric | Adv -> Int | Adv -> Ele | articles with Int above Ele |\n|---|---:|---:|---:|")
    for name in report.metrics:
        higher = sum(a.scores[name] > b.scores[name] for a, b in zip(middle.items, easy.items, strict=True))
        means = [fmean(item.scores[name] for item in system.items) for system in (middle, easy)]
        print(f"| {name} | {means[0]:.2f} | {means[1]:.2f} | {higher} of {count} |")


if __name__ == "__main__":
    main()
