"""Agreement between raters as tables."""

from __future__ import annotations

from collections.abc import Sequence

from sema.display.tables import Table, number, p_value
from sema.evaluation.significance import Estimate
from sema_raters.agreement import Agreement

AGREEMENT = (
    "ratings", "items", "raters", "ICC(1)", "ICC(1,k)", "simulated raters, rho", "alpha", "equal", "kappa",
    "pairs' rho (p)",
)  # fmt: skip


def means_table(agreements: Sequence[Agreement]) -> Table:
    """The mean rating of each group of items, a column for each column of ratings."""
    means = {(one.group, one.rating): number(one.mean, 3) for one in agreements}
    groups, columns = (list(dict.fromkeys(names)) for names in zip(*means, strict=True))
    rows = [[group, *(means.get((group, column), "-") for column in columns)] for group in groups]
    return Table("Mean ratings", ["items", *columns], rows, ["the mean of the items' means over their raters"])


def agreement_table(agreements: Sequence[Agreement], weights: str) -> Table:
    """A row for each column of ratings and group of items; intervals in brackets."""
    first = agreements[0]
    samples = first.simulated_raters.samples
    notes = [
        f"ICC: one rating, and the mean of an item's ratings, with intervals; alpha: Krippendorff's ({first.scale}).",
        f"simulated raters: one rating against the mean of the others, {samples} times (± deviation).",
        f"equal, kappa ({weights}), rho: means over pairs of raters who share items (p one-sided).",
    ]
    return Table("Agreement between raters", AGREEMENT, [_agreement_row(one) for one in agreements], notes)


def _agreement_row(agreement: Agreement) -> list[str]:
    name = agreement.rating if agreement.group == "all" else f"{agreement.rating}, {agreement.group}"
    pairs = agreement.pairs
    return [
        name,
        str(agreement.items),
        str(agreement.raters),
        _interval(agreement.icc.icc1),
        _interval(agreement.icc.icc1k),
        f"{number(agreement.simulated_raters.rho, 3)} ± {number(agreement.simulated_raters.deviation, 3)}",
        number(agreement.alpha, 3),
        number(pairs.agreement),
        number(pairs.kappa),
        f"{number(pairs.rho)} ({p_value(pairs.p)})",
    ]


def _interval(value: Estimate) -> str:
    return f"{number(value.value, 3)} [{number(value.low)}, {number(value.high)}]"
