"""What a metric is, and the registry that finds metrics by name.

A metric sees finished items and knows neither models nor files. Metrics of other packages register under the
entry-point group ``sema.metrics``: the name is the metric's, the object a callable that takes :class:`MetricOptions`
and returns a :class:`Metric`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Protocol, runtime_checkable

from sema.alignment.base import Link
from sema.errors import InputError, UnknownNameError
from sema.metrics.scene_family import Evidence
from sema.text import Text

GROUP = "sema.metrics"


@dataclass(frozen=True)
class Item:
    """One source and output, analysed as far as the metrics asked for need it.

    ``evidence`` has one entry, or one a source sentence at passage level (segmented). ``links[s]`` are the links
    between the source's tokens and output sentence ``s``. Both are empty when no metric needs scenes or alignment.
    """

    source: Text
    output: Text
    references: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    links: tuple[tuple[Link, ...], ...] = ()


@dataclass(frozen=True)
class MetricOptions:
    """Options that several metrics share; each goes into the signature of the metrics that use it."""

    lang: str = "en"
    tokenizer: str | None = None
    lowercase: bool = False
    model: str | None = None
    hsk_vocabulary: str | None = None


@dataclass(frozen=True)
class MetricScores:
    """Per-item scores in the items' order, and the corpus score (a mean unless the metric defines its own)."""

    items: tuple[float, ...]
    corpus: float


@runtime_checkable
class Metric(Protocol):
    """A metric: name, one line of description, what it needs, and a batch scoring method."""

    @property
    def name(self) -> str:
        """The name in results."""
        ...

    @property
    def description(self) -> str:
        """One line for ``sema metrics``."""
        ...

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is a better one (not so for FKGL)."""
        ...

    @property
    def needs_scenes(self) -> bool:
        """Whether items must carry evidence and links."""
        ...

    @property
    def needs_references(self) -> bool:
        """Whether items must carry references."""
        ...

    @property
    def signature(self) -> str:
        """Settings that change the numbers (tokenizer, model …); empty if there are none."""
        ...

    def score(self, items: Sequence[Item]) -> MetricScores:
        """Score every item; called with one item at least."""
        ...


MetricFactory = Callable[[MetricOptions], Metric]


@dataclass(frozen=True)
class Registration:
    """A built-in metric as ``sema metrics`` lists it, built only when asked for."""

    factory: MetricFactory
    description: str
    default: bool = False
    needs_references: bool = False


@dataclass
class Registry:
    """Metrics by name: built-ins, families of parametrised names (``mean:a,b``) and entry points."""

    builtin: dict[str, Registration] = field(default_factory=dict)
    families: dict[str, Callable[[str, Callable[[str], Metric]], Metric]] = field(default_factory=dict)

    def plugins(self) -> Mapping[str, MetricFactory]:
        """The metrics that other installed packages offer, loaded."""
        return {point.name: point.load() for point in entry_points(group=GROUP)}

    def names(self) -> list[str]:
        """All known plain names, built-ins first."""
        return [*self.builtin, *(point.name for point in entry_points(group=GROUP))]

    def create(self, name: str, options: MetricOptions | None = None) -> Metric:
        """Build a metric.

        Raises:
            UnknownNameError: no metric of that name is installed; the nearest known name is offered.
        """
        options = options or MetricOptions()
        family, colon, _ = name.partition(":")
        if colon and family in self.families:
            return self.families[family](name, lambda part: self.create(part, options))
        if name in self.builtin:
            return self.builtin[name].factory(options)
        plugins = self.plugins()
        if name in plugins:
            return plugins[name](options)
        raise UnknownNameError("metric", name, self.names())

    def parse(self, text: str) -> list[str]:
        """Split a comma-separated list of names; a family's name takes the two parts after its colon."""
        parts = [part.strip() for part in text.split(",")]
        names: list[str] = []
        while parts:
            part = parts.pop(0)
            if part.partition(":")[0] in self.families and ":" in part and parts:
                part = f"{part},{parts.pop(0)}"
            if part and part not in names:
                names.append(part)
        if not names:
            raise InputError("no metric is named; see `sema metrics` for the names")
        return names


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; NaN for no values."""
    return sum(values) / len(values) if values else float("nan")
