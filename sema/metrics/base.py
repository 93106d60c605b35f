"""What a metric is, and the registry that finds metrics by name.

A metric sees finished items and knows neither models nor files. Metrics of other packages register under the
entry-point group ``sema.metrics``: the name is the metric's, the object a callable that takes :class:`MetricOptions`
and returns a :class:`Metric`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Protocol, runtime_checkable

from sema.alignment.base import Link
from sema.errors import InputError, UnknownNameError
from sema.lexicons import Lexicon
from sema.metrics.scene_family import Evidence
from sema.text import Segmenter, Text

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
    """Options that several metrics share; each goes into the signature of the metrics that use it.

    ``segmenter`` and ``lexicon`` give the language's own, for metrics that cut words or ask for synonyms.
    """

    lang: str = "en"
    tokenizer: str | None = None
    lowercase: bool = False
    model: str | None = None
    hsk_vocabulary: str | None = None
    segmenter: Callable[[], Segmenter] | None = None
    lexicon: Callable[[], Lexicon] | None = None


@dataclass(frozen=True)
class Pooled:
    """What a corpus score that is not a mean is made of, so that it can be computed for any sample of the items.

    ``rows`` has a row of numbers an item; ``combine`` turns their (column-wise) sum into the corpus score.
    """

    rows: tuple[tuple[float, ...], ...]
    combine: Callable[[Sequence[float]], float]

    @property
    def score(self) -> float:
        """The corpus score over all rows."""
        return self.combine([math.fsum(column) for column in zip(*self.rows, strict=True)])


@dataclass(frozen=True)
class MetricScores:
    """Per-item scores in the items' order, and the corpus score (a mean unless the metric defines its own)."""

    items: tuple[float, ...]
    corpus: float
    pooled: Pooled | None = field(default=None, repr=False)
    """How the corpus score comes about, where it is not the mean of the items'."""

    @classmethod
    def averaged(cls, items: Iterable[float]) -> MetricScores:
        """Scores whose corpus score is their mean."""
        scores = tuple(items)
        return cls(scores, mean(scores))

    @classmethod
    def summed(cls, items: Iterable[float], pooled: Pooled) -> MetricScores:
        """Scores whose corpus score comes from pooled counts."""
        return cls(tuple(items), pooled.score, pooled)

    def as_pooled(self) -> Pooled:
        """The corpus score as pooled numbers, means included."""
        return self.pooled or Pooled(tuple((score, 1.0) for score in self.items), lambda sums: sums[0] / sums[1])


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
