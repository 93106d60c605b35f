"""Pictures of sema's own objects, as their ``to_svg`` and notebooks show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sema.display.pictures.arcs import alignment_svg
from sema.display.pictures.pages import in_notebook, item_html, items_html, scores_html
from sema.display.pictures.trees import Edge, tree_svg
from sema.errors import counted
from sema.model.links import Alignment
from sema.model.pictures import Pictured
from sema.model.scene_graph import CATEGORIES, SceneGraph
from sema.model.text import is_punctuation
from sema.scoring.item_scores import ItemScore
from sema.scoring.results import ItemResults, Report, short_signature


def alignment_picture(shown: Alignment, *, styled: bool = True) -> str:
    """The links as arcs; punctuation is not marked as lost."""
    words = {*shown.source, *(word for sentence in shown.sentences for word in sentence)}
    unmarked = {word for word in words if is_punctuation(word)}
    return alignment_svg(shown.source, shown.sentences, shown.links, unmarked=unmarked, styled=styled)


def graph_picture(shown: SceneGraph, *, styled: bool = True) -> str:
    """The graph as a tree with dashed remote edges."""
    edges = [
        Edge(unit, child, () if isinstance(child, int) else categories, remote)
        for unit in shown.units()
        for child, categories, remote in shown.edges(unit)
    ]
    return tree_svg(shown.tokens, shown.root, edges, names=CATEGORIES, styled=styled)


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
