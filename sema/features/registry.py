"""Feature groups by name, and sets of groups for one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sema.errors import UnknownNameError
from sema.features.base import FeatureGroup
from sema.languages import home_of
from sema.model.item import Item, Need
from sema.options import Settings
from sema.plugins import load

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from sema.model.language import Parts

BUILTIN: Mapping[str, str] = {
    "lengths": "sema.features.lengths:Lengths",
    "meteor": "sema.features.meteor:MeteorFeatures",
    "structure": "sema.features.structure:Structure",
    "alignment": "sema.features.alignment:AlignmentFeatures",
    "scenes": "sema.features.scenes:ScenesKept",
    "meaning": "sema.features.scenes:MeaningKept",
}
"""The groups that any language can have: where each class is, by name, in the order in which they are listed."""


def feature_groups(code: str) -> dict[str, type[FeatureGroup]]:
    """The groups for a language by name: those for any language, then its own."""
    home = home_of(code)
    return {name: load(place) for name, place in {**BUILTIN, **(home.features if home else {})}.items()}


def groups_for(code: str) -> list[str]:
    """The names of a language's default groups."""
    return [name for name, group in feature_groups(code).items() if group.default]


class FeatureSet:
    """A set of feature groups for one language.

    Args:
        groups: names (``sema features --list`` shows them) or groups of your own; by default all of the
            language that need no option.
        parts: the parts of the language whose items are read.
        settings: options of groups, as ``{"hsk.vocabulary": "hsk.xls"}``.

    Raises:
        UnknownNameError: the language has no group of that name.
    """

    def __init__(
        self, parts: Parts, groups: Sequence[str | FeatureGroup] | None = None, settings: Settings | None = None
    ) -> None:
        settings = settings or Settings()
        known = feature_groups(parts.code)
        chosen = groups_for(parts.code) if groups is None else groups
        for name in chosen:
            if isinstance(name, str) and name not in known:
                raise UnknownNameError(f"feature group for language {parts.code!r}", name, list(known))
        made = [settings.build(name, known[name]) if isinstance(name, str) else name for name in chosen]
        self.groups: tuple[FeatureGroup, ...] = tuple(group.bind(parts) for group in made)

    @property
    def factories(self) -> dict[str, type[FeatureGroup]]:
        """The groups' classes by name, as settings address them."""
        return {group.name: type(group) for group in self.groups}

    @property
    def names(self) -> tuple[str, ...]:
        """The features' full names, in the order of the columns."""
        return tuple(f"{group.name}.{name}" for group in self.groups for name in group.features)

    @property
    def descriptions(self) -> dict[str, str]:
        """What each feature is, by full name."""
        return {f"{group.name}.{name}": what for group in self.groups for name, what in group.features.items()}

    @property
    def requires(self) -> frozenset[Need]:
        """What items must carry."""
        return frozenset[Need]().union(*(group.requires for group in self.groups))

    @property
    def signature(self) -> str:
        """What determines the numbers besides the items."""
        return ",".join(f"{group.name}={group.signature}" for group in self.groups if group.signature)

    def table(self, items: Sequence[Item]) -> NDArray[float64]:
        """The features of every item (items, features)."""
        rows = [[value for group in self.groups for value in group.values(item)] for item in items]
        return np.asarray(rows, dtype=np.float64).reshape(len(items), len(self.names))
