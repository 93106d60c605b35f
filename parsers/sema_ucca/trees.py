"""Scene graphs as constituency trees over words.

A chart parser finds trees, and a scene graph is more than a tree. The tree of a graph

* covers only the words: punctuation is left out, and put back under the lowest unit around it that has units below;
* names a unit by its categories (``A``, ``A|S`` for two, in alphabetical order);
* joins a unit and an only child of the same yield in one label (``H+P``), from the outside in;
* cuts a discontinuous unit in pieces; a later piece is marked (``C*``) and, on the way back, rejoined with the nearest
  earlier sibling of the same categories (``C**``: with the one before that, and so on);
* leaves out implicit units, which have no words, and lists remote edges beside the tree, by their units.

After Jiang et al. (SemEval 2019, section 3), except for the treatment of discontinuity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from sema.model.scene_graph import PUNCTUATION, TERMINAL, Node, SceneGraph
from sema_ucca.validity import make_valid

CHAIN = "+"
TOGETHER = "|"
LATER = "*"


class UnitRef(NamedTuple):
    """A unit of a tree: the span of its first piece (words, half-open) and its place in that span's chain."""

    start: int
    end: int
    level: int


class RemoteEdge(NamedTuple):
    """A remote edge between two units of a tree, with its categories as a label (``A``, ``A|S``)."""

    parent: UnitRef
    child: UnitRef
    label: str


@dataclass(frozen=True)
class Tree:
    """A labelled constituency tree: ``spans`` maps word spans to labels; ``words`` gives each word's token index."""

    words: tuple[int, ...]
    spans: dict[tuple[int, int], str]
    remotes: tuple[RemoteEdge, ...] = ()


Children = dict[Node, tuple[tuple[str, ...], bool]]
_TOKEN = ((TERMINAL,), False)
_MARK = ((PUNCTUATION,), False)


class Label(NamedTuple):
    """One unit's part of a label: its categories, and which earlier sibling it is a later piece of (0: none)."""

    name: str
    categories: tuple[str, ...]
    rank: int


@lru_cache(maxsize=4096)
def chain(label: str) -> tuple[Label, ...]:
    """The units of a span's label, from the outside in."""
    labels = []
    for part in label.split(CHAIN):
        name = part.rstrip(LATER)
        labels.append(Label(name, tuple(name.split(TOGETHER)), len(part) - len(name)))
    return tuple(labels)


@lru_cache(maxsize=1024)
def _name(number: int) -> str:
    return f"1.{number}"


def graph_of(tokens: Sequence[str], tree: Tree, *, valid: bool = False) -> SceneGraph:
    """The scene graph of a tree over a sentence's tokens; tokens that are not among its words are punctuation.

    With ``valid`` its units are changed until they obey UCCA's rules (:mod:`sema_ucca.validity`).
    """
    root = _name(1)
    below: dict[str, Children] = {root: {}}
    spans = sorted((start, -end, label) for (start, end), label in tree.spans.items())
    units: dict[tuple[int, int, int], str] = {}
    home = [root] * len(tokens)  # the lowest unit around a token
    high = [root] * len(tokens)  # the lowest one that has units below it
    stack: list[tuple[int, str]] = []
    for index, (start, minus, label) in enumerate(spans):
        end = -minus
        while stack and stack[-1][0] <= start:
            stack.pop()
        unit = stack[-1][1] if stack else root
        for level, part in enumerate(chain(label)):
            unit = units[start, end, level] = _piece(below, unit, part)
        stack.append((end, unit))
        first, last = tree.words[start], tree.words[end - 1] + 1
        home[first:last] = [unit] * (last - first)
        if index + 1 < len(spans) and spans[index + 1][0] < end:
            high[first:last] = [unit] * (last - first)
    words = set(tree.words)
    marks = [token for token in range(len(tokens)) if token not in words]
    for token in range(len(tokens)):
        if token in words:
            below[home[token]][token] = _TOKEN
        else:
            mark = _name(len(below) + 1)
            below[mark] = {token: _TOKEN}
            below[high[token]][mark] = _MARK
    for parent, child, label in tree.remotes:
        above, unit = units[parent], units[child]
        if above != unit and unit not in below[above]:
            below[above][unit] = (tuple(label.split(TOGETHER)), True)
    if valid:
        make_valid(below)
    return SceneGraph.from_tables(tokens, marks, below)


def _piece(below: dict[str, Children], parent: str, label: Label) -> str:
    """The unit that a label stands for: a new child, or the earlier sibling that a later piece belongs to."""
    siblings = below[parent]
    if label.rank:
        earlier = [child for child, (categories, _) in siblings.items() if categories == label.categories]
        if earlier:
            return str(earlier[-min(label.rank, len(earlier))])
    unit = _name(len(below) + 1)
    below[unit] = {}
    siblings[unit] = (label.categories, False)
    return unit
