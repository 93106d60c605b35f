"""Correlations with ratings as tables: metrics down, splits of the items across."""

from __future__ import annotations

from sema.evaluation.metaevaluation import MetaEvaluation, MetricResult, Split
from sema.report.tables import Cell, Table, number

COEFFICIENTS = ("pearson", "spearman", "kendall")
ALPHA = 0.05


def correlation_table(found: MetaEvaluation, coefficient: str = "pearson") -> Table:
    """One coefficient with its intervals; marked: the best metrics, which Williams' test cannot tell from the top one.

    Williams' test is on Pearson correlations, so only their table has marks.
    """
    header = ["metric", *(f"{split.name} (N={split.n})" for split in found.splits)]
    rows: list[list[Cell | str]] = []
    for place, metric in enumerate(found.metrics):
        rows.append([metric, *(_cell(split, split.results[place], coefficient) for split in found.splits)])
    notes = list(found.warnings)
    notes += list(
        dict.fromkeys(
            f"{split.name}, {result.metric}: {note}"
            for split in found.splits
            for result in split.results
            if (note := getattr(result, coefficient).note)
        )
    )
    marked = f"; marked: not significantly below the best (Williams, p >= {ALPHA})" if coefficient == "pearson" else ""
    what = f"{coefficient.capitalize()} correlation with {found.rating}"
    title = f"{what}, {100 * found.confidence:g} % intervals, p {found.sides}{marked}"
    return Table(title, header, rows, notes)


def williams_table(found: MetaEvaluation, split: Split) -> Table:
    """Williams' tests between all metrics of a split: p that the row's correlates no better than the column's."""
    rows: list[list[Cell | str]] = []
    for metric, tests in zip(found.metrics, split.williams, strict=False):
        cells = [
            Cell("" if test is None else number(test.p, 3), strong=test is not None and test.p < ALPHA)
            for test in tests
        ]
        rows.append([metric, *cells])
    title = (
        f"Williams' tests, {found.rating}, {split.name} (N={split.n}): "
        f"p that the row's metric correlates no better than the column's; marked: p < {ALPHA}"
    )
    return Table(title, ["metric", *found.metrics], rows, [])


def _cell(split: Split, result: MetricResult, coefficient: str) -> Cell:
    value = getattr(result, coefficient)
    winner = result.metric == split.best or (result.behind is not None and not result.behind.p < ALPHA)
    text = f"{number(value.value, 3)} [{number(value.low, 2)}, {number(value.high, 2)}] p={number(value.p, 3)}"
    return Cell(text, strong=coefficient == "pearson" and winner)
