"""Sema's own objects as notebooks show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sema.display.pictures.pages import in_notebook, item_html, items_html, scores_html
from sema.errors import counted
from sema.model.pictures import Pictured
from sema.scoring.item_scores import ItemScore
from sema.scoring.results import ItemResults, Report, short_signature


def picture_page(shown: Pictured) -> str:
    """A picture in the colours of the notebook's theme."""
    return in_notebook(f'<div style="overflow-x:auto">{shown.to_svg(styled=False)}</div>')


def item_page(shown: ItemScore) -> str:
    """An item's scores and evidence."""
    return in_notebook(_scored(shown, shown.evidence()))


def items_page(shown: ItemResults) -> str:
    """All systems' scores and evidence of an item, side by side where there is room."""
    return in_notebook(items_html([_scored(one, shown.evidence[name], name) for name, one in shown.systems.items()]))


def _scored(shown: ItemScore, evidence: Mapping[str, Any], name: str = "") -> str:
    source, output = ("", "") if shown.item is None else (shown.item.source.raw, shown.item.output.raw)
    return item_html(evidence, shown.scores, name=name, source_text=source, output_text=output)


def report_page(shown: Report) -> str:
    """The corpus scores as a table."""
    better = {name: shown.higher_is_better.get(name, True) for name in shown.metrics}
    systems = [(system.name, system.scores) for system in shown.systems]
    note = f"{counted(shown.items, 'item')} | {short_signature(shown.signature)}"
    return in_notebook(scores_html(systems, better, note=note))
