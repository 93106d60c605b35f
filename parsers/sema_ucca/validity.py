"""Scene graphs that obey UCCA's rules, as the ``validation`` of UCCA's toolkit checks them.

The parser's network scores spans one by one, so that a tree may combine units that no annotator would: a Process beside
a State, a Participant without a main relation, a Scene inside a Process. Each unit is one of four kinds by its children
(:data:`ALLOWED`), and each category admits some kinds only. A unit that breaks this is changed as little as its Scenes
allow, from the lowest units up:

* a child that does not belong in its parent's kind gets the category of that kind that is nearest to its own;
* a unit whose kind its category does not admit gets a Center around its content, so that a Scene in it stays a Scene;
  the content of a parallel Scene moves up beside it, and a main relation loses the Scenes inside it;
* a unit without a head that holds one Participant is that Participant; in any other, a child becomes the Center.

A remote edge is kept if it breaks no rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from sema.model.scene_graph import MAIN_RELATIONS, PUNCTUATION, TERMINAL, Node, SceneGraph, Table

Categories = tuple[str, ...]

SCENE, PLAIN, LINKED, BARE, ROOT = "Scene", "plain", "linked Scenes", "bare", "root"
ALLOWED = {
    SCENE: frozenset("PSADTGRF"),
    PLAIN: frozenset("CENQDRF"),
    LINKED: frozenset("HLGRF"),
    BARE: frozenset("DGRF"),
    ROOT: frozenset("HLF"),
}
"""The categories of the children of each kind; a root consists of linked Scenes, and admits fewer."""
INSTEAD = {
    SCENE: {"H": "A", "C": "D", "E": "D", "Q": "D", "L": "R", "N": "R"},
    PLAIN: {"A": "E", "T": "E", "G": "E", "P": "C", "S": "C", "H": "C", "L": "R"},
    LINKED: {"A": "H", "C": "H", "E": "H", "Q": "H", "T": "H", "D": "L", "N": "L"},
    BARE: {"L": "R"},
    ROOT: {"A": "H", "C": "H", "E": "H", "Q": "H", "T": "H", "D": "L", "N": "L", "G": "L", "R": "F"},
}
"""The category that a child gets in place of one that its parent's kind does not admit."""
CLOSED = frozenset("DTLQNF")
"""The categories of units that are plain inside; a main relation has no Scene at any depth."""
NEVER_REMOTE = frozenset("FN")
BESIDE_CONNECTORS = frozenset("EQD")
"""Categories that belong inside the coordinated Centers, not beside their Connector."""
_TOKEN = (TERMINAL,)


def make_valid(table: Table) -> None:
    """Change a table, whose first unit is the root, so that UCCA's toolkit validates it."""
    _Repair(table).run()


def valid_graph(graph: SceneGraph) -> SceneGraph:
    """The graph with its units changed so that UCCA's toolkit validates it, whichever parser made it."""
    marks = graph.punctuation
    table: Table = {graph.root: {}}
    for unit in graph.units():
        table[unit] = {child: (categories, remote) for child, categories, remote in graph.edges(unit)}
    signs = set()
    for children in table.values():
        for child, (categories, _) in children.items():
            if isinstance(child, str) and PUNCTUATION in categories:
                if marks.issuperset(graph.tokens_below(child, punctuation=True)):
                    signs.add(child)
                else:
                    children[child] = (("F",), False)
    repair = _Repair(table)
    for unit in [unit for unit in table if unit not in signs]:
        for token in sorted(marks.intersection(table[unit])):
            repair.replace(unit, token, repair.new({token: (_TOKEN, False)}, BARE), (PUNCTUATION,))
    repair.run()
    return SceneGraph.from_tables(graph.tokens, marks, table, implicit=graph.implicit.intersection(table))


class _Repair:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.root = next(iter(table))
        self.kinds: dict[str, str] = {}
        self.redirected = False
        """Whether a remote edge was redirected to another unit."""
        self.names = (name for number in count(len(table) + 1) if (name := f"1.{number}") not in table)

    def run(self) -> None:
        moved = True
        while moved:
            self.redirected = False
            for unit in self._upwards(self.root):
                self._settle(unit)
            moved = self._drop_remotes() or self.redirected

    def _upwards(self, top: str) -> list[str]:
        """The units below ``top`` over primary edges and ``top`` itself, each after those below it."""
        found = [top]
        for unit in found:
            found += [child for child, _ in self._units(unit)]
        return found[::-1]

    def _units(self, unit: str) -> list[tuple[str, Categories]]:
        """The primary child units other than punctuation."""
        return [
            (child, categories)
            for child, (categories, remote) in self.table[unit].items()
            if isinstance(child, str) and not remote and PUNCTUATION not in categories
        ]

    def _settle(self, unit: str) -> None:
        """Give a unit a kind, and its children categories of that kind and contents that fit."""
        kind = self._kind(unit)
        if unit == self.root:
            if kind is not LINKED and any(
                names not in (("F",), (PUNCTUATION,)) for names, _ in self.table[unit].values()
            ):
                self._wrap(unit, "H", kind)
            kind = ROOT
        self.kinds[unit] = kind
        self._relabel(unit, kind)
        for child, categories in self._units(unit):
            self._fit(unit, child, categories)
        if kind is PLAIN:
            self._coordinate(unit)

    def _kind(self, unit: str) -> str:
        """The kind of a unit by its heads; a unit that needs a head and lacks one gets one."""
        while True:
            categories = {name for names, _ in self.table[unit].values() for name in names}
            units = self._units(unit)
            if categories & MAIN_RELATIONS:
                return SCENE
            if any("H" in names for _, names in units):
                return LINKED
            if "C" in categories:
                return PLAIN
            heads = [child for child, names in units if ALLOWED[BARE].union("L").isdisjoint(names)]
            participants = [child for child, names in units if "A" in names]
            if not heads:
                return BARE
            if heads == participants and len(heads) == 1:
                self._dissolve(unit, heads[0])
                continue
            for child in participants or heads[-1:]:
                self.table[unit][child] = (("C",), False)
            return PLAIN

    def _relabel(self, unit: str, kind: str) -> None:
        """Keep the categories of each child that the kind admits, or give it another; keep only one main relation."""
        allowed, instead = ALLOWED[kind], INSTEAD[kind]
        children = self.table[unit]
        main = self._main(unit) if kind is SCENE else None
        for child, (categories, remote) in list(children.items()):
            if isinstance(child, int):
                if kind in (LINKED, ROOT):
                    self.replace(unit, child, self.new({child: (_TOKEN, False)}, BARE), ("L",))
                continue
            if PUNCTUATION in categories:
                continue
            kept = tuple(name for name in categories if name in allowed)
            if main not in (None, child):
                kept = tuple(name for name in kept if name not in MAIN_RELATIONS)
            if remote and (kept != categories or not NEVER_REMOTE.isdisjoint(kept)):
                del children[child]
            elif kept != categories:
                other = "F" if main is not None and self._is_auxiliary(child) else "D"
                children[child] = (kept or (instead.get(categories[0], other),), False)

    def _main(self, unit: str) -> Node:
        """The child that stays the main relation: preferably not remote, not a mere auxiliary, a Process, the first."""
        found = [
            (remote, self._is_auxiliary(child), "P" not in names, place, child)
            for place, (child, (names, remote)) in enumerate(self.table[unit].items())
            if not MAIN_RELATIONS.isdisjoint(names)
        ]
        return min(found)[-1]

    def _is_auxiliary(self, child: Node) -> bool:
        """Whether a unit has nothing but function words."""
        units = self._units(child) if isinstance(child, str) else []
        return bool(units) and all(names == ("F",) for _, names in units)

    def _fit(self, unit: str, child: str, categories: Categories) -> None:
        """Change a child's content to one that its categories admit."""
        kind, names = self.kinds[child], set(categories)
        if names & MAIN_RELATIONS:
            if not self._is_flat(child):
                self._flatten(child)
        elif "H" in names and kind is LINKED:
            lifted = self._units(child)
            self._dissolve(unit, child)
            self._relabel(unit, self.kinds[unit])
            for one, _ in lifted:
                self._fit(unit, one, self.table[unit][one][0])
        elif (names & CLOSED and kind in (SCENE, LINKED)) or ("G" in names and kind is LINKED):
            self._wrap(child, "C", kind)
            self.kinds[child] = PLAIN
        elif names & CLOSED or "G" in names:
            self._without(child, "DG" if names & CLOSED else "G")

    def _without(self, unit: str, names: str) -> None:
        """Make children of these categories Elaborators, in a unit that does not admit them."""
        found = [child for child, (own, _) in self.table[unit].items() if not set(names).isdisjoint(own)]
        for child in found:
            if self.table[unit][child][1]:
                del self.table[unit][child]
            else:
                self.table[unit][child] = (("E",), False)
        if found:
            self._settle(unit)

    def _flatten(self, main: str) -> None:
        """Take the Scenes out of a main relation: all units in it are plain."""
        inside = self._upwards(main)
        for unit in inside:
            for child, (categories, remote) in list(self.table[unit].items()):
                if remote:
                    del self.table[unit][child]
                elif isinstance(child, str) and PUNCTUATION not in categories:
                    kept = tuple(name for name in categories if name in ALLOWED[PLAIN] and name != "D")
                    self.table[unit][child] = (kept or (INSTEAD[PLAIN].get(categories[0], "E"),), False)
        for unit in inside:
            self._settle(unit)

    def _coordinate(self, unit: str) -> None:
        """Put what elaborates coordinated Centers inside them: no Elaborator stands beside a Connector."""
        children = self.table[unit]
        if not any("N" in names for names, _ in self.table[unit].values()):
            return
        for child, (names, remote) in list(children.items()):
            if isinstance(child, int) or BESIDE_CONNECTORS.isdisjoint(names) or child not in children:
                continue
            center = None if remote or "C" in names else self._nearest_center(unit, child)
            if center is not None:
                pair: dict[Node, tuple[Categories, bool]] = {
                    one: edge for one, edge in children.items() if one in (child, center)
                }
                del children[child]
                self.replace(unit, center, self.new(pair, PLAIN), ("C",))
            elif remote and "C" not in names:
                del children[child]
            else:
                children[child] = (("C",), remote)

    def _nearest_center(self, unit: str, child: str) -> str | None:
        """The next Center, or else the one before, with no Connector between."""
        units = self._units(unit)
        place = [name for name, _ in units].index(child)
        for rest in (units[place + 1 :], units[:place][::-1]):
            for other, names in rest:
                if "C" in names:
                    return other
                if "N" in names:
                    break
        return None

    def new(self, children: dict[Node, tuple[Categories, bool]], kind: str) -> str:
        """A new unit of a kind, with these children."""
        name = next(self.names)
        self.table[name], self.kinds[name] = children, kind
        return name

    def replace(self, unit: str, old: Node, new: str, categories: Categories) -> None:
        """Put a unit in a child's place."""
        edges = list(self.table[unit].items())
        self.table[unit].clear()
        self.table[unit].update((new, (categories, False)) if one[0] == old else one for one in edges)

    def _wrap(self, unit: str, category: str, kind: str) -> None:
        """Put a unit of that category and kind between a unit and its children."""
        inner = self.new(self.table[unit], kind)
        self.table[unit] = {inner: ((category,), False)}
        if category == "H":
            self._settle(inner)

    def _dissolve(self, unit: str, child: str) -> None:
        """Put a child's children in its place; remote edges to it lead to the unit."""
        inner = self.table.pop(child)
        outer: dict[Node, tuple[Categories, bool]] = {}
        for name, edge in self.table[unit].items():
            for one, own in inner.items() if name == child else ((name, edge),):
                if one != unit and (one not in outer or outer[one][1]):
                    outer[one] = own
        self.table[unit] = outer
        for parent, children in self.table.items():
            if child not in children:
                continue
            edge = children.pop(child)
            if parent != unit and unit not in children:
                children[unit] = edge
                self.redirected = True

    def _drop_remotes(self) -> bool:
        """Drop the remote edges that break a rule; returns whether there were any."""
        dropped = False
        remotes = [
            (unit, child, categories)
            for unit, children in self.table.items()
            for child, (categories, remote) in children.items()
            if remote and isinstance(child, str)
        ]
        for unit, child, categories in remotes:
            names, kind = set(categories), self.kinds[child]
            if names & MAIN_RELATIONS:
                good = self._is_flat(child)
            elif names & CLOSED:
                good = kind in (PLAIN, BARE) and not any(set("DG") & set(own) for own, _ in self.table[child].values())
            else:
                good = kind is not LINKED if names & {"H", "G"} else True
            if not good or child == unit or any(below == unit for below, _ in self._below(child)):
                del self.table[unit][child]
                dropped = True
        return dropped

    def _below(self, top: str) -> Iterator[tuple[Node, Categories]]:
        """All children below a unit, over remote edges too."""
        seen, waiting = {top}, [top]
        while waiting:
            for child, (categories, _) in self.table[waiting.pop()].items():
                yield child, categories
                if isinstance(child, str) and child not in seen:
                    seen.add(child)
                    waiting.append(child)

    def _is_flat(self, unit: str) -> bool:
        plain = ALLOWED[PLAIN].union((TERMINAL, PUNCTUATION)) - {"D"}
        return all(plain.issuperset(categories) for _, categories in self._below(unit))
