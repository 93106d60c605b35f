"""Feature groups by name, and a chosen set of them at work for one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, cast

import numpy as np

from sema.errors import UnknownNameError, UsageError
from sema.features.base import FeatureGroup
from sema.model.item import Item, Need
from sema.options import Settings

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from sema.model.language import Parts

BUILTIN: Mapping[str, str] = {
    "lengths": "lengths:Lengths",
    "form": "form:Form",
    "readability": "readability:Readability",
    "lexical": "lexical:Lexical",
    "substitutions": "lexical:Substitutions",
    "language_model": "language_model:LanguageModels",
    "joints": "language_model:Joints",
    "meteor": "meteor:Meteor",
    "structure": "structure:Structure",
    "clauses": "structure:Clauses",
    "alignment": "alignment:Alignment",
    "scenes": "scenes:ScenesKept",
    "meaning": "scenes:MeaningKept",
    "reading": "reading:Reading",
    "hsk": "chinese:HskLevels",
    "characters": "chinese:Characters",
}
"""Module of :mod:`sema.features` and class, by name, in the order in which they are listed."""


def group_class(name: str) -> type[FeatureGroup]:
    """The class of a group.

    Raises:
        UnknownNameError: there is no such group.
    """
    if name not in BUILTIN:
        raise UnknownNameError("feature group", name, list(BUILTIN))
    module, _, found = BUILTIN[name].partition(":")
    return cast("type[FeatureGroup]", getattr(import_module(f"sema.features.{module}"), found))


def groups_for(code: str) -> list[str]:
    """The names of the groups that work for a language without being told anything."""
    return [name for name in BUILTIN if name != "hsk" and group_class(name).suits(code)]


class FeatureSet:
    """Some groups of features at work for one language.

    Args:
        groups: names (``sema features --list`` shows them) or groups of your own; by default all that suit the
            language.
        parts: the parts of the language whose items are read.
        settings: options of groups, as ``{"hsk.vocabulary": "hsk.xls"}``.

    Raises:
        UnknownNameError: there is no group of that name.
        InputError: a group is for another language.
    """

    def __init__(
        self, parts: Parts, groups: Sequence[str | FeatureGroup] | None = None, settings: Settings | None = None
    ) -> None:
        settings = settings or Settings()
        chosen = groups_for(parts.code) if groups is None else groups
        made = [settings.build(name, group_class(name)) if isinstance(name, str) else name for name in chosen]
        for group in made:
            if not group.suits(parts.code):
                known = ", ".join(sorted(group.languages or ()))
                raise UsageError(f"the features {group.name!r} are for {known}, not for {parts.code!r}; leave them out")
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
        """What decides the numbers beside the items."""
        return ",".join(f"{group.name}={group.signature}" for group in self.groups if group.signature)

    def table(self, items: Sequence[Item]) -> NDArray[float64]:
        """The features of every item (items, features)."""
        rows = [[value for group in self.groups for value in group.values(item)] for item in items]
        return np.asarray(rows, dtype=np.float64).reshape(len(items), len(self.names))
