"""Published readability formulas for each language, each a linear combination of counts."""

from __future__ import annotations

from sema_ud.readability.table import readability_metrics

__all__ = ["readability_metrics"]
