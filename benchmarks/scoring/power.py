"""How many items a difference between two systems needs: from the spread of real systems' differences, item by item.

Outputs of three systems for TurkCorpus test, scored with metrics that are means of items. For each metric the standard
deviation of the difference of two systems on one item (the median of the three pairs), and from it the items at which a
paired test with p < 0.05 finds a true difference of 1, 2, 5 or 10 points four times in five.

    python -m benchmarks.scoring.power --limit 100
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist, median

import numpy as np

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import first_lines, simplification
from sema import Scorer

SYSTEMS = ("ACCESS", "DMASS-DCSS", "PBMT-R")
METRICS = ("meaning", "meaning_recall", "sema", "samsa")
GAPS = (1, 2, 5, 10)
LEVEL, POWER = 0.05, 0.8


def needed(spread: float, gap: float, level: float = LEVEL, power: float = POWER) -> int:
    """The items at which a two-sided paired test at ``level`` finds a true mean difference with chance ``power``.

    Args:
        spread: the standard deviation of the differences, item by item.
        gap: the true mean difference.
    """
    normal = NormalDist()
    return int(np.ceil(((normal.inv_cdf(1 - level / 2) + normal.inv_cdf(power)) * spread / gap) ** 2))


def main(argv: Sequence[str] | None = None) -> None:
    """Print the spread and the needed items for each metric."""
    parser = CommandLine(__doc__)
    parser.add_argument("--limit", type=int, default=359, help="items of each system")
    arguments = parser.parse(argv)
    count = 6 if arguments.smoke else arguments.limit
    sources = simplification("turkcorpus/test.truecase.detok.orig")[:count]
    outputs = {name: first_lines(f"system_outputs/turkcorpus/{name}", count) for name in SYSTEMS}
    report = Scorer("en", METRICS).score(sources, outputs, keep_items=False)
    columns = [f"{gap} point{'s' if gap > 1 else ''}" for gap in GAPS]
    figures = Figures(
        "scoring.power", "metric", digits={"spread": 1, **dict.fromkeys(columns, 0)}, data="TurkCorpus test"
    )
    for metric in METRICS:
        values = [system.columns(METRICS).values(metric) for system in report.systems]
        spread = median(float(np.std(first - second, ddof=1)) for first, second in combinations(values, 2))
        counts = dict(zip(columns, (needed(spread, gap) for gap in GAPS), strict=True))
        figures.row(metric, {"spread": spread, **counts}, n=count)


if __name__ == "__main__":
    run(main)
