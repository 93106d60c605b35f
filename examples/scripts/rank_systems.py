"""Rank three systems by meaning, with intervals, and say which differences are significant.

python examples/scripts/rank_systems.py
"""

from pathlib import Path

import sema
from sema.evaluation.clusters import same_sources
from sema.evaluation.comparison import compare

FOLDER = Path(__file__).resolve().parents[1] / "en"
SYSTEMS = ("split", "shortened", "changed")


def lines(name: str) -> list[str]:
    """The texts of a file, one a line."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def main() -> None:
    """Print the systems, the best first, and every difference."""
    sources = lines("original")
    report = sema.Scorer("en", ["meaning", "fkgl"]).score(sources, {name: lines(name) for name in SYSTEMS})
    comparison = compare(report, clusters=same_sources(sources))
    for name in sorted(comparison.systems, key=lambda name: -comparison.systems[name]["meaning"].value):
        score = comparison.systems[name]["meaning"]
        print(f"{name:10} meaning {score.value:5.1f} [{score.low:.1f}, {score.high:.1f}]")
    for pair in comparison.pairs:
        if pair.metric == "meaning":
            p = max(pair.difference.p_bootstrap, pair.difference.p_randomization)
            print(f"{pair.first} - {pair.second}: {pair.difference.value:+.1f}, p = {p:.3f}")


if __name__ == "__main__":
    main()
