"""Feature groups: documented numbers from analysed items, groups by name, and sets of groups for one language.

A group can be used alone and needs no training. Every value is a finite number: where a measure is undefined (an empty
output, a text without Scenes) it is 0.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from sema.errors import UnknownNameError
from sema.languages import home_of
from sema.metrics.base import Named
from sema.metrics.base import ratio as ratio
from sema.model.item import Item, Need, guarded
from sema.model.scene_graph import SceneGraph
from sema.model.text import Signed, Text
from sema.options import docstring
from sema.plugins import load
from sema.runtime.caching import remembered
from sema.runtime.forks import cached_property

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from sema.model.language import Parts
    from sema.model.lexicon import WordTable

BUILTIN: Mapping[str, str] = {
    "lengths": "sema.features.wording:Lengths",
    "meteor": "sema.features.wording:MeteorFeatures",
    "structure": "sema.features.scenes:Structure",
    "alignment": "sema.features.alignment:AlignmentFeatures",
    "scenes": "sema.features.scenes:ScenesKept",
    "meaning": "sema.features.scenes:MeaningKept",
}
"""The groups that any language can have: where each class is, by name, in the order in which they are listed."""


class FeatureGroup(Named, ABC):
    """A group of features; a feature's full name is ``group.feature``.

    The docstring of a group ends with the section ``Features:``, a line for each feature: ``name: what it is``.

    Attributes:
        requires: what items must carry.
        features: what each feature is, by its name inside the group, from the docstring.
        used: what :meth:`uses` returned for the language; ``None`` in a group that is not bound.
    """

    requires: ClassVar[frozenset[Need]] = frozenset()
    features: ClassVar[Mapping[str, str]]
    used: Any = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if listed := docstring(cls).partition("\nFeatures:\n")[2]:
            rows = (line.strip().partition(": ") for line in listed.splitlines())
            cls.features = {name: what for name, _, what in rows}

    @abstractmethod
    def values(self, item: Item) -> Mapping[str, float]:
        """The features of one item by name, one for each that ``features`` declares."""

    def uses(self, parts: Parts) -> Signed | None:
        """What it reads besides the items, of a language's parts (its lexicon, say); by default nothing."""
        return None

    def bind(self, parts: Parts) -> Self:
        """A copy for a language."""
        bound = copy(self)
        bound.used = self.uses(parts)
        return bound

    @property
    def signature(self) -> str:
        """What determines its numbers besides the item (word lists, models); may be empty."""
        return "" if self.used is None else str(self.used.signature)


class TextGroup(FeatureGroup):
    """A group that measures one text on its own: the output's measures, and how they differ from the source's.

    Its docstring lists the ``measures``; the features are ``NAME`` (of the output) and ``NAME_change`` (that less the
    source's).
    """

    measures: ClassVar[Mapping[str, str]]

    @cached_property
    def _measured(self) -> Callable[[Text, Sequence[SceneGraph]], Mapping[str, float]]:
        return remembered(self.measure)

    def __getstate__(self) -> dict[str, Any]:
        """The attributes without the cache, which cannot be pickled and belongs to this object, not to a copy."""
        return {name: value for name, value in vars(self).items() if name != "_measured"}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "features" in vars(cls):
            cls.measures = cls.features
            changes = {f"{name}_change": f"{what}: output less source" for name, what in cls.measures.items()}
            cls.features = {**cls.measures, **changes}

    @abstractmethod
    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Mapping[str, float]:
        """The measures of one text by name; ``graphs`` are its scene graphs if ``requires`` asks for them."""

    def values(self, item: Item) -> Mapping[str, float]:
        output = self._measured(item.output, item.output_graphs if Need.OUTPUT_SCENES in self.requires else ())
        source = self._measured(item.source, item.graphs if Need.GRAPHS in self.requires else ())
        return {**output, **{f"{name}_change": value - source[name] for name, value in output.items()}}


def listed_words(parts: Parts) -> WordTable | None:
    """The word frequencies and function words of a language's home, if it lists some."""
    home = home_of(parts.code)
    return home.parts().words if home else None


def average(values: Sequence[float], default: float = 0.0) -> float:
    """The arithmetic mean; ``default`` for no values."""
    return math.fsum(values) / len(values) if values else default


def worst_fifth(values: Iterable[float]) -> float:
    """The mean of the lowest fifth of some values, at least of one; 0 for no values."""
    ordered = sorted(values)
    return average(ordered[: max(1, len(ordered) // 5)])


def feature_groups(code: str) -> dict[str, type[FeatureGroup]]:
    """The groups for a language by name: those for any language, then its own."""
    home = home_of(code)
    return {name: load(place) for name, place in {**BUILTIN, **(home.features if home else {})}.items()}


class FeatureSet:
    """A set of feature groups for one language.

    Args:
        groups: names (``sema features --list`` shows them) or groups of your own; by default all of the
            language.
        parts: the parts of the language whose items are read.

    Attributes:
        descriptions: what each feature is, by full name.
        names: the features' full names, in the order of the columns.
        requires: what items must carry.

    Raises:
        UnknownNameError: the language has no group of that name.
    """

    def __init__(self, parts: Parts, groups: Sequence[str | FeatureGroup] | None = None) -> None:
        known = feature_groups(parts.code)
        made = []
        for group in known if groups is None else groups:
            if isinstance(group, str) and group not in known:
                raise UnknownNameError("feature group", group, list(known), of=f"for language {parts.code!r}")
            made.append(known[group]() if isinstance(group, str) else group)
        self.groups: tuple[FeatureGroup, ...] = tuple(group.bind(parts) for group in made)
        self.descriptions = {
            f"{group.name}.{name}": what for group in self.groups for name, what in group.features.items()
        }
        self.names = tuple(self.descriptions)
        self.requires = frozenset[Need]().union(*(group.requires for group in self.groups))

    @property
    def signature(self) -> str:
        """What determines the numbers besides the items."""
        return ",".join(f"{group.name}={group.signature}" for group in self.groups if group.signature)

    def table(self, items: Sequence[Item]) -> NDArray[float64]:
        """The features of every item (items, features); raises as :func:`group_table` does."""
        none = np.zeros((len(items), 0))
        return np.concatenate([none, *(group_table(group, items) for group in self.groups)], 1)


def group_table(group: FeatureGroup, items: Sequence[Item]) -> NDArray[float64]:
    """A group's features of every item (items, features); an error if it reads or gives what it does not declare."""
    rows = [_in_order(group, item) for item in guarded(items, group.requires, f"the feature group {group.name}")]
    return np.asarray(rows, dtype=np.float64).reshape(len(items), len(group.features))


def _in_order(group: FeatureGroup, item: Item) -> list[float]:
    values = group.values(item)
    if differing := sorted(values.keys() ^ group.features.keys()):
        raise TypeError(f"the feature group {group.name} declares other features than it gives: {', '.join(differing)}")
    return [values[name] for name in group.features]
