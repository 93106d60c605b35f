"""Scenes as metrics read them, and one walk over a scene graph that finds them.

Nested units share most of their tokens, and every Scene and Participant needs its tokens. So the tokens of a unit are
the bits of one integer, computed for all units at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

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

Kids = defaultdict[str, list[str]]
"""Child units by their parent."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One Scene as metrics read it: token indexes only.

    ``main_relation`` and each entry of ``participants`` are minimal centers; an empty tuple is an implicit unit. A
    Participant that several edges lead to appears once.
    ``leaves`` are the Scene's tokens, remote ones included and punctuation left out, ascending; ``own_leaves`` are
    those outside its nested Scenes (empty if not computed).
    """

    main_relation: tuple[Center, ...]
    participants: tuple[tuple[Center, ...], ...]
    leaves: tuple[int, ...]
    own_leaves: tuple[int, ...] = field(default=(), compare=False)

    def shifted(self, offset: int) -> Scene:
        """The same Scene with ``offset`` added to every token index."""
        if not offset:
            return self

        def move(center: Center) -> Center:
            return tuple(token + offset for token in center)

        return Scene(
            tuple(map(move, self.main_relation)),
            tuple(tuple(map(move, centers)) for centers in self.participants),
            move(self.leaves),
            move(self.own_leaves),
        )

    @property
    def tokens(self) -> set[int]:
        """All its tokens: its leaves and those of its minimal centers."""
        units = (self.main_relation, *self.participants)
        return {*self.leaves, *(token for centers in units for center in centers for token in center)}

    def to_dict(self) -> dict[str, Any]:
        """The shape that ``sema scenes`` prints."""
        return {
            "main_relation": [list(center) for center in self.main_relation],
            "participants": [[list(center) for center in centers] for centers in self.participants],
            "leaves": list(self.leaves),
        }


class SceneWalk:
    """The result of the walk, valid until the graph changes."""

    def __init__(self, below: Mapping[str, Children], marks: Collection[int], size: int) -> None:
        """``below`` holds the units in the order they were added, ``marks`` the punctuation of ``size`` tokens."""
        self._size = size
        self._below: dict[str, int] = {}
        self._primary: dict[str, int] = {}
        self._known: dict[int, Center] = {}
        self._ordered: dict[str, tuple[str, ...]] = {}
        self._kids, self._primary_kids = Kids(list), Kids(list)
        self._relations, self._parallels, self._centers, self._participants = (Kids(list) for _ in range(4))
        self._roles = (
            (MAIN_RELATIONS, self._relations),
            (frozenset({PARALLEL_SCENE}), self._parallels),
            (frozenset({CENTER}), self._centers),
            (frozenset({PARTICIPANT}), self._participants),
        )
        for unit, children in below.items():
            self._enter(unit, children, marks)
        _spread(self._below, self._kids)
        _spread(self._primary, self._primary_kids)

    def _enter(self, unit: str, children: Children, marks: Collection[int]) -> None:
        """Record a unit's own tokens, and its child units by their role."""
        own = primary = 0
        for child, (categories, remote) in children.items():
            if isinstance(child, int):
                bit = 0 if child in marks else 1 << child
                own |= bit
                primary |= 0 if remote else bit
                continue
            self._kids[unit].append(child)
            if not remote:
                self._primary_kids[unit].append(child)
            for role, kids in self._roles:
                if not role.isdisjoint(categories):  # once, however often the edge repeats a category
                    kids[unit].append(child)
        self._below[unit], self._primary[unit] = own, primary

    def tokens(self, unit: str, *, remote: bool = True) -> Center:
        """The tokens below a unit, ascending, punctuation left out; with ``remote`` those over remote edges too."""
        return self._listed((self._below if remote else self._primary)[unit])

    def _own_tokens(self, unit: str) -> Center:
        """The tokens below a Scene, remote ones included, outside its nested Scenes."""
        own = self._below[unit]
        stack = list(self._primary_kids.get(unit, ()))
        while stack:
            child = stack.pop()
            if child in self._relations:
                own &= ~self._primary[child]
            else:
                stack += self._primary_kids.get(child, ())
        return self._listed(own)

    def _listed(self, mask: int) -> Center:
        known = self._known.get(mask)
        if known is None:
            bits = bin(mask)[:1:-1]  # the lowest first
            known = self._known[mask] = tuple(place for place, bit in enumerate(bits) if bit == "1")
        return known

    def centers(self, units: Iterable[str], seen: set[str]) -> tuple[Center, ...]:
        """The minimal centers of several units together; units in ``seen`` are skipped."""
        own_centers: set[Center] = set()
        stack = list(units)
        while stack:
            unit = stack.pop()
            if unit in seen:  # remote edges join paths and may form cycles
                continue
            seen.add(unit)
            followed = self._relations.get(unit) or self._parallels.get(unit) or self._centers.get(unit)
            if followed:
                stack += followed
            elif self._below[unit]:
                own_centers.add(self.tokens(unit))
        return tuple(sorted(own_centers))

    def scene(self, unit: str) -> Scene:
        """The view of a unit that is a Scene."""
        relation = self.centers(self._relations.get(unit, ()), {unit})
        participants = [self.centers([child], {unit}) for child in self._participants.get(unit, ())]
        return Scene(relation, _once(participants), self.tokens(unit), self._own_tokens(unit))

    def scene_units(self, root: str) -> tuple[str, ...]:
        """The units that have a main relation: by first token of the primary yield, outer before inner."""
        if root not in self._ordered:
            self._ordered[root] = self._scene_units(root)
        return self._ordered[root]

    def _scene_units(self, root: str) -> tuple[str, ...]:
        depths = {root: 0}
        stack = [root]
        while stack:  # over primary edges; a unit has at most one such parent
            unit = stack.pop()
            new = [child for child in self._primary_kids.get(unit, ()) if child not in depths]
            depths.update(dict.fromkeys(new, depths[unit] + 1))
            stack += new

        def order(unit: str) -> tuple[int, int, int]:
            primary = self._primary[unit] or self._below[unit]
            first = (primary & -primary).bit_length() - 1 if primary else self._size
            return first, depths.get(unit, 0), -primary.bit_count()

        return tuple(sorted((unit for unit in self._below if unit in self._relations), key=order))


def _once(participants: list[tuple[Center, ...]]) -> tuple[tuple[Center, ...], ...]:
    """The Participants whose minimal centers are not all another's, as remote edges make them, and implicit ones."""
    sets = [frozenset(centers) for centers in participants]

    def repeated(place: int) -> bool:
        centers = sets[place]
        before, after = sets[:place], sets[place + 1 :]
        return bool(centers) and (any(centers <= one for one in before) or any(centers < one for one in after))

    if len({center for centers in sets for center in centers}) == sum(map(len, sets)):
        return tuple(participants)
    return tuple(centers for place, centers in enumerate(participants) if not repeated(place))


def _spread(tokens: dict[str, int], kids: Kids) -> None:
    """Add to every unit the tokens of its child units.

    Children are mostly added after their parents, so one pass from the last unit back finds nearly all. Remote edges
    may lead anywhere, even in circles, so passes repeat until nothing changes.
    """
    order = [(unit, kids[unit]) for unit in reversed(tokens) if unit in kids]
    changed = True
    while changed:
        changed = False
        for unit, children in order:
            spread = tokens[unit]
            for child in children:
                spread |= tokens[child]
            if spread != tokens[unit]:
                tokens[unit], changed = spread, True
