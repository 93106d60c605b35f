"""Cells of CSV files that a spreadsheet would run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sema.model.escapes import visible

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a cell begins with that a spreadsheet takes for a formula (or drops, to find one behind it)."""


def harmless(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with a ``'`` before each text that would be a formula, and control characters as escapes.

    A number as text stays one.
    """
    return {name: _cleaned(cell) if isinstance(cell, str) else cell for name, cell in row.items()}


def _cleaned(cell: str) -> str:
    return f"'{visible(cell)}" if _runs(cell) else visible(cell)


def _runs(cell: str) -> bool:
    if not cell.startswith(FORMULA_STARTS):
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return cell[0] not in "+-"
