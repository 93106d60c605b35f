"""One walk over a scene graph that finds the tokens below each unit, and its heads.

Nested units share most of their tokens, and every Scene and Participant needs them: the tokens of a unit are the bits
of one integer, computed for all units at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

MAIN_RELATIONS = frozenset({"P", "S"})
PARTICIPANT = "A"
CENTER = "C"
PARALLEL_SCENE = "H"

Node = str | int
"""A node of a scene graph: a unit's name, or a token's index."""

Center = tuple[int, ...]
"""A minimal center: the indexes of its non-punctuation tokens, ascending."""

Children = Mapping[Node, tuple[tuple[str, ...], bool]]
"""A unit's children in the order they were added: the categories of each, and whether the edge is remote."""

_NO_UNITS: list[str] = []


@lru_cache(maxsize=4096)
def _roles(categories: tuple[str, ...]) -> tuple[bool, bool, bool, bool]:
    """Whether a child is a main relation, a parallel Scene, a Center, a Participant."""
    return (
        not MAIN_RELATIONS.isdisjoint(categories),
        PARALLEL_SCENE in categories,
        CENTER in categories,
        PARTICIPANT in categories,
    )


class SceneWalk:
    """The result of the walk, valid until the graph changes."""

    __slots__ = (
        "_below", "_centers", "_kids", "_known", "_parallels", "_primary", "_primary_kids", "_size", "participants",
        "relations",
    )  # fmt: skip

    def __init__(self, below: Mapping[str, Children], marks: Collection[int], size: int) -> None:
        """``below`` holds the units in the order they were added, ``marks`` the punctuation of ``size`` tokens."""
        self._size = size
        self._below: dict[str, int] = {}
        self._primary: dict[str, int] = {}
        self._kids: dict[str, list[str]] = {}
        self._primary_kids: dict[str, list[str]] = {}
        self._parallels: dict[str, list[str]] = {}
        self._centers: dict[str, list[str]] = {}
        self._known: dict[int, Center] = {}
        self.relations: dict[str, list[str]] = {}
        self.participants: dict[str, list[str]] = {}
        for unit, children in below.items():
            self._enter(unit, children, marks)
        self._spread(self._below, self._kids)
        self._spread(self._primary, self._primary_kids)

    def _enter(self, unit: str, children: Children, marks: Collection[int]) -> None:
        """Record a unit's own tokens, and its child units by their role."""
        own = primary = 0
        for child, (categories, remote) in children.items():
            if isinstance(child, int):
                if child not in marks:
                    own |= 1 << child
                    primary |= 0 if remote else 1 << child
                continue
            self._kids.setdefault(unit, []).append(child)
            if not remote:
                self._primary_kids.setdefault(unit, []).append(child)
            relation, parallel, center, participant = _roles(categories)
            if relation:
                self.relations.setdefault(unit, []).append(child)
            if parallel:
                self._parallels.setdefault(unit, []).append(child)
            if center:
                self._centers.setdefault(unit, []).append(child)
            if participant:
                self.participants.setdefault(unit, []).append(child)
        self._below[unit], self._primary[unit] = own, primary

    def _spread(self, below: dict[str, int], kids: Mapping[str, list[str]]) -> None:
        """Add to every unit the tokens of its child units.

        Children are mostly added after their parents, so one pass from the last unit back finds nearly all. Remote
        edges may lead anywhere, even in circles, so passes repeat until nothing changes.
        """
        order = [(unit, kids[unit]) for unit in reversed(below) if unit in kids]
        done: set[str] = set()
        again = False
        for unit, children in order:
            for child in children:
                below[unit] |= below[child]
                again = again or (child in kids and child not in done)
            done.add(unit)
        while again:
            again = False
            for unit, children in order:
                found = below[unit]
                for child in children:
                    found |= below[child]
                if found != below[unit]:
                    below[unit], again = found, True

    def tokens(self, unit: str, *, remote: bool = True) -> Center:
        """The tokens below a unit, ascending, punctuation left out; with ``remote`` those over remote edges too."""
        return self._listed((self._below if remote else self._primary)[unit])

    def own_tokens(self, unit: str) -> Center:
        """The tokens below a Scene, remote ones included, outside its nested Scenes."""
        found = self._below[unit]
        stack = list(self._primary_kids.get(unit, _NO_UNITS))
        while stack:
            child = stack.pop()
            if child in self.relations:
                found &= ~self._primary[child]
            else:
                stack += self._primary_kids.get(child, _NO_UNITS)
        return self._listed(found)

    def _listed(self, found: int) -> Center:
        known = self._known.get(found)
        if known is None:
            bits = bin(found)[:1:-1]  # the lowest first
            known = self._known[found] = tuple(place for place, bit in enumerate(bits) if bit == "1")
        return known

    def centers(self, units: Iterable[str], seen: set[str]) -> tuple[Center, ...]:
        """The minimal centers of several units together; units in ``seen`` are skipped."""
        found: set[Center] = set()
        stack = list(units)
        while stack:
            unit = stack.pop()
            if unit in seen:  # remote edges make units meet, and may lead back to where we came from
                continue
            seen.add(unit)
            followed = self.relations.get(unit) or self._parallels.get(unit) or self._centers.get(unit)
            if followed:
                stack += followed
            elif self._below[unit]:
                found.add(self.tokens(unit))
        return tuple(sorted(found))

    def scene_units(self, root: str) -> list[str]:
        """The units that have a main relation: by first token of the primary yield, outer before inner."""
        depth = self._depths(root)

        def order(unit: str) -> tuple[int, int, int]:
            primary = self._primary[unit] or self._below[unit]
            first = (primary & -primary).bit_length() - 1 if primary else self._size
            return first, depth.get(unit, 0), -primary.bit_count()

        return sorted((unit for unit in self._below if unit in self.relations), key=order)

    def _depths(self, root: str) -> dict[str, int]:
        """Each unit's distance from the root over primary edges; a unit has at most one such parent."""
        depths = {root: 0}
        stack = [root]
        while stack:
            unit = stack.pop()
            for child in self._primary_kids.get(unit, _NO_UNITS):
                if child not in depths:
                    depths[child] = depths[unit] + 1
                    stack.append(child)
        return depths
