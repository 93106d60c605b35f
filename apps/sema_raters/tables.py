"""Agreement between raters as tables."""

from __future__ import annotations

from collections.abc import Sequence

from sema.display.tables import Table, number, p_value
from sema.evaluation.significance import Estimate
from sema_raters.agreement import Agreement


def means_table(agreements: Sequence[Agreement]) -> Table:
    """The mean rating of each group of items, a column for each column of ratings."""
    means = {(one.group, one.rating): number(one.mean, 3) for one in agreements}
    groups, columns = (list(dict.fromkeys(names)) for names in zip(*means, strict=True))
    rows = [[group, *(means.get((group, column), "-") for column in columns)] for group in groups]
    return Table("Mean ratings", ["items", *columns], rows, ["the mean of the items' means over their raters"])


def agreement_table(agreements: Sequence[Agreement]) -> Table:
    """A row for each column of ratings and group of items; intervals in brackets."""
    first = agreements[0]
    samples = first.simulated_raters.samples
    notes = [
        f"ICC: one rating, and the mean of an item's ratings, with intervals; alpha: Krippendorff's ({first.scale}).",
        f"simulated raters: one rating against the mean of the others, {samples} times (± deviation).",
        "equal, kappa (quadratic), rho: means over pairs of raters who share items (p one-sided).",
    ]
    rows = [list(_cells(one).values()) for one in agreements]
    return Table("Agreement between raters", list(_cells(first)), rows, notes)


def _cells(one: Agreement) -> dict[str, str]:
    return {
        "ratings": one.rating if one.group == "all" else f"{one.rating}, {one.group}",
        "items": str(one.items),
        "raters": str(one.raters),
        "ICC(1)": _interval(one.icc.icc1),
        "ICC(1,k)": _interval(one.icc.icc1k),
        "simulated raters, rho": f"{number(one.simulated_raters.rho, 3)} ± {number(one.simulated_raters.deviation, 3)}",
        "alpha": number(one.alpha, 3),
        "equal": number(one.pairs.agreement),
        "kappa": number(one.pairs.kappa),
        "pairs' rho (p)": f"{number(one.pairs.rho)} ({p_value(one.pairs.p)})",
    }


def _interval(value: Estimate) -> str:
    return f"{number(value.value, 3)} [{number(value.low)}, {number(value.high)}]"
