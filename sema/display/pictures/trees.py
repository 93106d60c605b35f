"""A scene graph as a picture: words below, units above them, categories on the edges, remote edges dashed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sema.display.pictures.svg import FONT_SIZE, clean, element, label, picture, text_width

MARGIN, GAP, LEVEL, TOP = 26.0, 18.0, 62.0, 34.0

MAIN = frozenset({"P", "S"})
Node = str | int


@dataclass(frozen=True)
class Edge:
    """An edge from a unit to a unit or a token (``int``); a token's edge has no categories."""

    parent: str
    child: Node
    categories: tuple[str, ...] = ()
    remote: bool = False


def tree_svg(
    tokens: Sequence[str],
    root: str,
    edges: Sequence[Edge],
    *,
    names: Mapping[str, str] | None = None,
    styled: bool = True,
) -> str:
    """Draw a graph of units over tokens.

    Args:
        tokens: the words.
        root: the unit at the top; what cannot be reached from it over primary edges is not drawn.
        edges: all edges, in the order of the children.
        names: what a category's letter stands for, shown when a pointer rests on it.
        styled: whether the picture brings its colours along (:func:`sema.display.pictures.svg.picture`).
    """
    layout = _Layout(tokens, root, edges)
    parts: list[str] = []
    labels: list[str] = []
    bottom = layout.bottom
    for edge in edges:
        if edge.parent not in layout.places or edge.child not in layout.places:
            continue
        parts.append(_edge_line(edge, layout))
        if edge.categories:
            labels.append(_edge_label(edge, layout, names or {}))
    scenes = {edge.parent for edge in edges if MAIN & set(edge.categories) and not edge.remote}
    for node, (x, y) in layout.places.items():
        if isinstance(node, str):
            parts.append(element("circle", cx=x, cy=y, r=5.5 if node in scenes else 4.0, class_=_class(node, scenes)))
    for index, token in enumerate(tokens):
        x, _ = layout.places[index]
        parts.append(label(x, bottom + 20, token))
    return picture(layout.width, bottom + 44, f"Scenes of: {' '.join(tokens)}", [*parts, *labels], styled=styled)


def _class(node: str, scenes: set[str]) -> str:
    return "scene" if node in scenes else ""


class _Layout:
    """The layout: a unit is one level above its highest child, centred over its children."""

    def __init__(self, tokens: Sequence[str], root: str, edges: Sequence[Edge]) -> None:
        self.children: dict[str, list[Node]] = {}
        for edge in edges:
            if not edge.remote:
                self.children.setdefault(edge.parent, []).append(edge.child)
        self.places: dict[Node, tuple[float, float]] = {}
        x = MARGIN
        for index, token in enumerate(tokens):
            half = max(text_width(token), FONT_SIZE) / 2
            self.places[index] = (x + half, 0.0)
            x += 2 * half + GAP
        order = self._bottom_up(root)
        heights: dict[Node, int] = dict.fromkeys(range(len(tokens)), 0)
        spot = MARGIN + 10
        for unit in order:
            below = [child for child in self.children.get(unit, []) if child in heights]
            heights[unit] = 1 + max((heights[child] for child in below), default=0)
            # An implicit unit has no token below it: it goes next to the unit placed last.
            middle = [self.places[child][0] for child in below]
            spot = (min(middle) + max(middle)) / 2 if middle else spot + 2 * GAP
            self.places[unit] = (spot, 0.0)
        tallest = heights.get(root, 1)
        self.bottom = TOP + tallest * LEVEL
        self.width = max(x - GAP, *(place[0] + MARGIN for place in self.places.values()), 120.0) + MARGIN
        for node in self.places:
            self.places[node] = (self.places[node][0], TOP + (tallest - heights[node]) * LEVEL)
        self._part_equals()

    def _bottom_up(self, root: str) -> list[str]:
        """The units below the root, children before parents."""
        order: list[str] = []
        seen: set[str] = set()
        stack: list[tuple[str, bool]] = [(root, False)]
        while stack:
            unit, done = stack.pop()
            if done:
                order.append(unit)
            elif unit not in seen:
                seen.add(unit)
                stack.append((unit, True))
                units = [child for child in self.children.get(unit, []) if isinstance(child, str)]
                stack.extend((child, False) for child in reversed(units))
        return order

    def _part_equals(self) -> None:
        """Separate units of one level that would overlap."""
        rows: dict[float, list[str]] = {}
        for node, (_, y) in self.places.items():
            if isinstance(node, str):
                rows.setdefault(y, []).append(node)
        for y, units in rows.items():
            units.sort(key=lambda unit: self.places[unit][0])
            last = float("-inf")
            for unit in units:
                x = max(self.places[unit][0], last + 22)
                self.places[unit] = (x, y)
                last = x


def _edge_line(edge: Edge, layout: _Layout) -> str:
    (x1, y1), (x2, y2) = layout.places[edge.parent], layout.places[edge.child]
    if edge.remote:
        bend = -34 if x2 >= x1 else 34
        path = f"M{x1:.1f} {y1:.1f}Q{(x1 + x2) / 2 + bend:.1f} {(y1 + y2) / 2 - 30:.1f} {x2:.1f} {y2:.1f}"
        return element("path", d=path, class_="remote")
    if isinstance(edge.child, int):
        y2 += 4
    path = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {(y1 + y2) / 2:.1f} {x2:.1f} {(y1 + y2) / 2:.1f} {x2:.1f} {y2:.1f}"
    return element("path", d=path)


def _edge_label(edge: Edge, layout: _Layout, names: Mapping[str, str]) -> str:
    (x1, y1), (x2, y2) = layout.places[edge.parent], layout.places[edge.child]
    share = 0.5 if edge.remote else 0.66
    x, y = x1 + share * (x2 - x1), y1 + share * (y2 - y1) + 4
    if edge.remote:
        x, y = x + (-17 if x2 >= x1 else 17), y - 15
    shown = "|".join(edge.categories)
    spoken = ", ".join(names.get(category, category) for category in edge.categories)
    kind = "halo main" if MAIN & set(edge.categories) else "halo remote" if edge.remote else "halo"
    text = label(x, y, shown + ("*" if edge.remote else ""), size=12, class_=kind)
    return element("g", element("title", clean(spoken) + (" (remote)" if edge.remote else "")) + text)
