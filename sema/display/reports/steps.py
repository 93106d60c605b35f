"""Scores read in two steps: low BERTScore precision says that outputs are bad; only the others are asked further.

Alva-Manchego, Scarton and Specia (Computational Linguistics 2021), section 5.1, "Interpretation of Automatic Scores".
"""

from __future__ import annotations

import math
from statistics import fmean, median

from sema.display.tables import Cell, Table, number
from sema.scoring.results import Report

FIRST = "bertscore_p"
SECOND = ("sari", "samsa")
"""What tells of the operations, where the first score is not low: of words, and of splitting."""


def steps_table(report: Report) -> Table | None:
    """For each system the share of outputs whose precision is low, and the other metrics' means over the rest.

    The paper names no limit, and an encoder's scores lie in a range of their own: low is what lies below the median of
    all outputs that are compared.

    Returns:
        ``None`` where the first metric or both of the second step are missing, or where no output has scores.
    """
    asked = [name for name in SECOND if name in report.metrics]
    if FIRST not in report.metrics or not asked:
        return None
    scored = {system.name: [item.scores for item in system.items if item.error is None] for system in report.systems}
    precisions = [scores[FIRST] for items in scored.values() for scores in items]
    if not precisions:
        return None
    limit = median(precisions)
    rows: list[list[Cell | str]] = []
    for name, items in scored.items():
        high = [scores for scores in items if scores[FIRST] >= limit]
        low = 100 * (1 - len(high) / len(items)) if items else math.nan
        means = [number(fmean(scores[metric] for scores in high) if high else math.nan) for metric in asked]
        rows.append([name, f"{low:.0f}", str(len(high)), *means])
    header = ["system", f"{FIRST} is low, %", "others", *(f"{name} of the others, mean" for name in asked)]
    note = f"low: below {limit:.2f}, the median of all outputs; a low precision says that an output is bad"
    return Table(f"In two steps: {FIRST}, then {' and '.join(asked)}", header, rows, [note])
