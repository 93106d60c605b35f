"""The feature group interface: objects that compute documented numbers from analysed items.

A group can be used alone and needs no training. Every value is a finite number:
where a measure is undefined (an empty output, a text without Scenes) it is 0.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from sema.model.item import Item, Need
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text

if TYPE_CHECKING:
    from sema.model.language import Parts

REMEMBERED_TEXTS = 512
"""How many texts' measures a group caches: a source occurs once per system."""


class FeatureGroup(ABC):
    """A group of features.

    Attributes:
        name: the group's name; a feature's full name is ``group.feature``.
        description: one line.
        requires: what items must carry.
        default: whether it is used when no group is named.
        features: what each feature is, by its name inside the group, in the order of the values.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    requires: ClassVar[frozenset[Need]] = frozenset()
    default: ClassVar[bool] = True
    features: ClassVar[Mapping[str, str]]

    @abstractmethod
    def values(self, item: Item) -> Sequence[float]:
        """The features of one item, in the order of ``features``."""

    def bind(self, parts: Parts) -> FeatureGroup:
        """The group for a language: a copy that uses its lexicon; by default the group itself."""
        return self

    @property
    def signature(self) -> str:
        """What determines its numbers besides the item (word lists, models); may be empty."""
        return ""


class TextGroup(FeatureGroup):
    """A group that measures one text on its own: the output's measures, and how they differ from the source's.

    ``measures`` says what each measure is; the features are ``NAME`` (of the output) and ``NAME_change`` (that less the
    source's).
    """

    measures: ClassVar[Mapping[str, str]]

    def __init__(self) -> None:
        self._known: OrderedDict[Text, tuple[Sequence[SceneGraph], tuple[float, ...]]] = OrderedDict()

    def __init_subclass__(cls) -> None:
        if "measures" in cls.__dict__:
            changes = {f"{name}_change": f"{what}: output less source" for name, what in cls.measures.items()}
            cls.features = {**cls.measures, **changes}

    @abstractmethod
    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Sequence[float]:
        """The measures of one text; ``graphs`` are its scene graphs where ``requires`` asks for them, else empty."""

    def values(self, item: Item) -> Sequence[float]:
        """The output's measures, then their differences from the source's."""
        output = self._measured(item.output, item.output_graphs)
        source = self._measured(item.source, item.graphs)
        return [*output, *(after - before for after, before in zip(output, source, strict=True))]

    def _measured(self, text: Text, graphs: Sequence[SceneGraph]) -> tuple[float, ...]:
        found = self._known.get(text)
        if found is None or found[0] != graphs:  # graphs are equal only to themselves
            found = self._known[text] = graphs, tuple(map(float, self.measure(text, graphs)))
            while len(self._known) > REMEMBERED_TEXTS:
                self._known.popitem(last=False)
        return found[1]


def ratio(part: float, whole: float, default: float = 0.0) -> float:
    """``part / whole``; ``default`` where ``whole`` is 0."""
    return part / whole if whole else default


def average(values: Sequence[float], default: float = 0.0) -> float:
    """The arithmetic mean; ``default`` for no values."""
    return math.fsum(values) / len(values) if values else default
