"""Agreement between raters as a table."""

from __future__ import annotations

from collections.abc import Sequence

from sema.evaluation.agreement import Agreement
from sema.evaluation.significance import Estimate
from sema.report.tables import Cell, Table, number

HEADER = (
    "ratings",
    "items",
    "raters",
    "ICC(1)",
    "ICC(1,k)",
    "simulated raters, rho",
    "alpha",
    "equal",
    "kappa",
    "pairs' rho (p)",
)


def agreement_table(found: Sequence[Agreement], weights: str) -> Table:
    """A row for each column of ratings and group of items; intervals in brackets."""
    first = found[0]
    notes = [
        f"ICC: one rating, and the mean of an item's ratings, with intervals; alpha: Krippendorff's ({first.scale}).",
        f"simulated raters: one rating against the mean of the others, {first.simulated.samples} times (± deviation).",
        f"equal, kappa ({weights}), rho: means over pairs of raters who share items (p one-sided).",
    ]
    return Table("Agreement between raters", HEADER, [_row(one) for one in found], notes)


def _row(found: Agreement) -> list[Cell | str]:
    name = found.rating if found.group == "all" else f"{found.rating}, {found.group}"
    pairs = found.pairs
    return [
        name,
        str(found.items),
        str(found.raters),
        _interval(found.icc.single),
        _interval(found.icc.average),
        f"{number(found.simulated.rho, 3)} ± {number(found.simulated.deviation, 3)}",
        number(found.alpha, 3),
        number(pairs.agreement),
        number(pairs.kappa),
        f"{number(pairs.rho)} ({number(pairs.p, 3)})",
    ]


def _interval(value: Estimate) -> str:
    return f"{number(value.value, 3)} [{number(value.low, 2)}, {number(value.high, 2)}]"
