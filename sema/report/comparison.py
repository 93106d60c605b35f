"""A comparison of systems as tables."""

from __future__ import annotations

from sema.evaluation.comparison import Comparison, SystemPair
from sema.report.tables import Cell, Table, number

SHOWN_ITEMS = 5
SHOWN_SYSTEMS = 3


def comparison_tables(found: Comparison, *, short: bool = False) -> list[Table]:
    """The systems' scores with intervals, and every pair's differences, p-values and wins, or (``short``) their sum."""
    percent = f"{100 * found.confidence:g} %"
    rows = []
    for name, scores in found.systems.items():
        cells: list[Cell | str] = [name]
        for metric in found.metrics:
            estimate = scores[metric]
            text = f"{number(estimate.value)} [{number(estimate.low)}, {number(estimate.high)}]"
            cells.append(Cell(text, strong=found.best(metric) == name))
        rows.append(cells)
    left_out = f", {found.left_out} left out" if found.left_out else ""
    notes = [f"{found.items} items{left_out}; {found.samples} samples, seed {found.seed} | {found.signature}"]
    scores_table = Table(
        f"Scores with {percent} bootstrap intervals (best marked)", ["system", *found.metrics], rows, notes
    )
    return [scores_table, summary_table(found) if short else _pair_table(found, percent)]


def summary_table(found: Comparison) -> Table:
    """For each metric its best system, those that cannot be told from it, and how many pairs can be told apart."""
    level = f"{1 - found.confidence:.2g}"
    rows: list[list[Cell | str]] = []
    for metric in found.metrics:
        pairs = [pair for pair in found.pairs if pair.metric == metric]
        best = found.best(metric)
        near = [
            pair.second if pair.first == best else pair.first
            for pair in pairs
            if best in (pair.first, pair.second) and not _differ(found, pair)
        ]
        shown = ", ".join(near[:SHOWN_SYSTEMS]) + (
            f" and {len(near) - SHOWN_SYSTEMS} more" if len(near) > SHOWN_SYSTEMS else ""
        )
        rows.append([metric, best, shown or "-", f"{sum(_differ(found, pair) for pair in pairs)} of {len(pairs)}"])
    header = ["metric", "best", "not told from it", "pairs that differ"]
    return Table(f"Differences (told apart: both p < {level}, not corrected for the number of pairs)", header, rows)


def _differ(found: Comparison, pair: SystemPair) -> bool:
    return max(pair.difference.p_bootstrap, pair.difference.p_randomization) < 1 - found.confidence


def _pair_table(found: Comparison, percent: str) -> Table:
    header = [
        "metric: first - second",
        "difference",
        percent,
        "p bootstrap",
        "p randomization",
        "wins",
        "losses",
        "ties",
    ]
    rows: list[list[Cell | str]] = []
    for pair in found.pairs:
        gap = pair.difference
        rows.append(
            [
                f"{pair.metric}: {pair.first} - {pair.second}",
                Cell(number(gap.value), strong=_differ(found, pair)),
                f"[{number(gap.low)}, {number(gap.high)}]",
                number(gap.p_bootstrap, 4),
                number(gap.p_randomization, 4),
                str(len(pair.first_wins)),
                str(len(pair.second_wins)),
                str(pair.ties),
            ]
        )
    level = f"{1 - found.confidence:.2g}"
    return Table(f"Differences (marked: both p < {level}, not corrected for the number of pairs)", header, rows)


def item_table(found: Comparison) -> Table:
    """For every pair, the items on which either system is furthest ahead."""

    def items(wins: tuple[tuple[int, float], ...]) -> str:
        return ", ".join(f"{item} (+{gap:.1f})" for item, gap in wins[:SHOWN_ITEMS]) or "-"

    def row(pair: SystemPair) -> list[Cell | str]:
        return [f"{pair.metric}: {pair.first} / {pair.second}", items(pair.first_wins), items(pair.second_wins)]

    header = ["metric: first / second", "first is furthest ahead on items", "second is furthest ahead on items"]
    return Table("Items (numbered from 0)", header, [row(pair) for pair in found.pairs])
