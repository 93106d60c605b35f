"""A scene graph as a picture: words below, units above them, categories on the edges, remote edges dashed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import networkx as nx

from sema.display.pictures.svg import FONT_SIZE, clean, element, label, picture, right_to_left, text_width
from sema.model.scene_graph import CATEGORIES, MAIN_RELATIONS, SceneGraph

MARGIN, GAP, LEVEL, TOP, APART = 26.0, 18.0, 62.0, 34.0, 22.0

Node = str | int
Places = Mapping[Node, tuple[float, float]]
Edge = tuple[str, Node, tuple[str, ...], bool]
"""A unit, its child (a unit, or a token's number), the edge's categories, and whether it is remote."""


def tree_svg(graph: SceneGraph, *, styled: bool = True) -> str:
    """Draw a graph of units over tokens; what cannot be reached from the root over primary edges is not drawn.

    Each category has its name as a tooltip. ``styled``: whether the picture contains its own colours
    (:func:`sema.display.pictures.svg.picture`).
    """
    tokens = graph.tokens
    edges: list[Edge] = [(unit, *edge) for unit in graph.units() for edge in graph.edges(unit)]
    places, width, bottom = _layout(tokens, graph.root, edges)
    drawn = [edge for edge in edges if edge[0] in places and edge[1] in places]
    parts = [_edge_line(edge, places) for edge in drawn]
    for node, (x, y) in places.items():
        if isinstance(node, str):
            look = {"r": 5.5, "class_": "scene"} if graph.is_scene(node) else {"r": 4.0}
            parts.append(element("circle", cx=x, cy=y, **look))
    parts += [label(places[index][0], bottom + 20, token) for index, token in enumerate(tokens)]
    parts += [_edge_label(edge, places) for edge in drawn if isinstance(edge[1], str)]
    return picture(width, bottom + 44, f"Scenes of: {' '.join(tokens)}", parts, styled=styled)


def _layout(tokens: Sequence[str], root: str, edges: Sequence[Edge]) -> tuple[Places, float, float]:
    """Each node's place, the picture's width, and the y position of the tokens.

    A unit is one level above its highest child, centred over its children. Arabic words run from right to left.
    """
    graph = nx.DiGraph((parent, child) for parent, child, _, remote in edges if not remote)
    graph.add_node(root)
    middles: dict[Node, float] = {}
    x = MARGIN
    for index, token in enumerate(tokens):
        half = max(text_width(token), FONT_SIZE) / 2
        middles[index] = x + half
        x += 2 * half + GAP
    heights = dict.fromkeys(middles, 0)
    spot = MARGIN + 10
    for unit in nx.dfs_postorder_nodes(graph, root):
        if isinstance(unit, int):
            continue
        below = [child for child in graph[unit] if child in heights]
        heights[unit] = 1 + max((heights[child] for child in below), default=0)
        # An implicit unit has no token below it: it goes next to the unit placed last.
        over = [middles[child] for child in below]
        middles[unit] = spot = (min(over) + max(over)) / 2 if over else spot + 2 * GAP
    width = max(x - GAP, *(middle + MARGIN for middle in middles.values()), 120.0) + MARGIN
    tallest = heights[root]
    for height in range(1, tallest + 1):
        last = float("-inf")
        for unit in sorted((node for node in heights if heights[node] == height), key=middles.__getitem__):
            middles[unit] = last = max(middles[unit], last + APART)
    if right_to_left(tokens):
        middles = {node: width - middle for node, middle in middles.items()}
    places = {node: (middles[node], TOP + (tallest - heights[node]) * LEVEL) for node in middles}
    return places, width, TOP + tallest * LEVEL


def _edge_line(edge: Edge, places: Places) -> str:
    parent, child, _, remote = edge
    (x1, y1), (x2, y2) = places[parent], places[child]
    if remote:
        bend = -34 if x2 >= x1 else 34
        path = f"M{x1:.1f} {y1:.1f}Q{(x1 + x2) / 2 + bend:.1f} {(y1 + y2) / 2 - 30:.1f} {x2:.1f} {y2:.1f}"
        return element("path", d=path, class_="remote")
    if isinstance(child, int):
        y2 += 4
    path = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {(y1 + y2) / 2:.1f} {x2:.1f} {(y1 + y2) / 2:.1f} {x2:.1f} {y2:.1f}"
    return element("path", d=path)


def _edge_label(edge: Edge, places: Places) -> str:
    parent, child, categories, remote = edge
    (x1, y1), (x2, y2) = places[parent], places[child]
    share = 0.5 if remote else 0.66
    x, y = x1 + share * (x2 - x1), y1 + share * (y2 - y1) + 4
    if remote:
        x, y = x + (-17 if x2 >= x1 else 17), y - 15
    spoken = ", ".join(CATEGORIES.get(category, category) for category in categories)
    kind = "halo main" if MAIN_RELATIONS & set(categories) else "halo remote" if remote else "halo"
    text = label(x, y, "|".join(categories) + ("*" if remote else ""), size=12, class_=kind)
    return element("g", element("title", clean(spoken) + (" (remote)" if remote else "")) + text)
