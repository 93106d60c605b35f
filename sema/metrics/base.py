"""The metric interface: objects that turn analysed items into rows of numbers, and rows into scores.

A row has the numbers of one item, and rows add up: the score of a corpus, of a bootstrap sample or of two merged runs
is the value of the sum of its items' rows. Metrics know neither models nor files. Their options are the keyword
arguments of their constructors (:mod:`sema.options`). Metric objects can be pickled, compare equal if class and
attributes are equal, and are shown as the name with the options that differ from their defaults.
"""

from __future__ import annotations

import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, get_args

from sema.errors import InputError, UnknownNameError
from sema.model.item import Item, Need, has_references
from sema.model.pictures import registered
from sema.options import Option, docstring, options_of

if TYPE_CHECKING:
    from sema.model.language import Parts

ROUNDING = 1e-9
"""The rounding error of sums; scores within it are equal."""
NETWORK_DECIMALS = 4
"""The decimals kept of an item's score (0-100) that a network computes: the last bits of its exponentials and sums
depend on the processor and sometimes on the batch."""
Row = tuple[float, ...]
"""The numbers of one item, or of a sum of items."""

__all__ = ["Item", "MeanMetric", "Metric", "Named", "Need", "Row", "mean", "require_references", "sum_rows"]


class Named:
    """A component with a name; ``class Copied(MeanMetric, name="copied")`` is described by its docstring's first line.

    Attributes:
        name: the name in results and options.
        description: one line for lists of components.
    """

    name: str
    description: str = ""

    def __init_subclass__(cls, *, name: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if name:
            line = docstring(cls).partition("\n")[0].removesuffix(".")
            acronym = not line[1:2].islower()  # "SEMA", "F1" and "n-grams" stay as they are
            cls.name, cls.description = name, line if acronym else line[:1].lower() + line[1:]


class Metric(Named, ABC):
    """A metric.

    Attributes:
        higher_is_better: whether a higher score is a better one (not so for grade levels).
        range: the least and the greatest score.
        requires: what items must carry.
        shows: what :meth:`explain` needs besides.
        whole_sources: whether it is defined only for whole sources, not for the sentences of a passage.
        one_language: whether it compares words of the source with words of the output, which is meaningless across
            languages.
        default: whether it is scored when no metric is named.
        settings_name: another name for its options, shared by a family: ``cefr.target`` reaches ``cefr_hit`` too.
    """

    higher_is_better: bool = True
    range: tuple[float, float] = (0.0, 100.0)
    requires: frozenset[Need] = frozenset()
    shows: frozenset[Need] = frozenset()
    whole_sources: bool = False
    one_language: bool = False
    default: ClassVar[bool] = False
    settings_name: ClassVar[str] = ""
    _given: Mapping[str, object] = {}

    def __new__(cls, *args: Any, **options: Any) -> Self:
        """Remember the given options that differ from their defaults."""
        made = super().__new__(cls)
        with suppress(TypeError):  # the constructor reports it; copying and unpickling pass no arguments
            known = _signature(cls)
            given = known.bind(*args, **options).arguments
            made._given = {
                name: value for name, value in given.items() if not _same(value, known.parameters[name].default)
            }
        return made

    @property
    def full_name(self) -> str:
        """The name with the options that differ from their defaults: ``bleu[smoothing=exp]``."""
        known = _known_options(type(self)) if self._given else {}
        shown = [
            f"{name}={known[name].shown(value) if name in known else value}"
            for name, value in sorted(self._given.items())
        ]
        name = str(getattr(self, "name", type(self).__name__)).partition("[")[0]
        return f"{name}[{','.join(shown)}]" if shown else name

    @abstractmethod
    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The numbers of every item, of one length; an item without a score has zeros (:meth:`value`: NaN)."""

    @abstractmethod
    def value(self, row: Row) -> float:
        """The corpus score of a sum of rows."""

    def item_value(self, row: Row) -> float:
        """The score of a single item; the same as :meth:`value` unless the metric treats short texts differently."""
        return self.value(row)

    def doubt(self, row: Row) -> str:
        """Why an item's score should not be trusted, as the end of a sentence about it; empty if nothing is wrong."""
        return ""

    def bind(self, parts: Parts) -> Metric:
        """The metric for a language: a copy that uses its tokenizer or lexicon; by default the metric itself."""
        return self

    def explain(self, item: Item) -> dict[str, Any]:
        """What explains an item's score, as plain data for the item's evidence.

        The evidence has it under the metric's name if one of its keys is taken.
        """
        return {}

    @property
    def signature(self) -> str:
        """What determines its numbers (tokenizer, options, model), for the result's signature; may be empty."""
        return ""

    def __call__(
        self,
        sources: str | Sequence[str],
        outputs: str | Sequence[str],
        references: str | Sequence[str] | Sequence[Sequence[str]] | None = None,
        *,
        lang: str = "en",
    ) -> float:
        """The corpus score of texts, or the score of one text; :class:`sema.Scorer` scores many metrics in one go."""
        scores: dict[str, float] = registered("Metric.score")(sources, outputs, references, lang=lang, metrics=[self])
        return scores[self.name]

    def corpus(self, rows: Iterable[Row]) -> float:
        """The score over all rows; NaN if there are none."""
        total = sum_rows(rows)
        return in_range(self.value(total), self.range) if total else math.nan

    def __repr__(self) -> str:
        return self.full_name

    def __eq__(self, other: object) -> bool:
        """Metrics of one class with the same attributes are equal."""
        return isinstance(other, Metric) and alike(self, other)

    def __hash__(self) -> int:
        return hash(type(self))


@cache
def _signature(cls: type[Metric]) -> inspect.Signature:
    return inspect.signature(cls)


@cache
def _known_options(cls: type[Metric]) -> Mapping[str, Option]:
    """The class's options; none if its annotations cannot be read at run time."""
    try:
        return options_of(cls)
    except Exception:  # third-party annotations may raise anything
        return {}


def option_values(metric: Metric) -> dict[str, object]:
    """All options of a metric with their values."""
    return {name: option.default for name, option in _known_options(type(metric)).items()} | {**metric._given}


def alike(one: Metric, other: Metric) -> bool:
    """Whether metrics are of one class and have equal attributes; names with the same options are equal."""
    own, others = ({**vars(metric), "name": metric.full_name} for metric in (one, other))
    same = type(one) is type(other) and own.keys() == others.keys()
    return same and all(_same(own[name], others[name]) for name in own)


def _same(one: object, other: object) -> bool:
    """Whether values are equal; false if the comparison fails, as for arrays."""
    try:
        return one is other or bool(one == other)
    except Exception:  # third-party values may raise anything
        return False


def renamed(metric: Metric, name: str) -> Metric:
    """The metric under a name: itself if that is its name, else a copy."""
    if metric.name == name:
        return metric
    copied = copy(metric)
    copied.name = name
    return copied


class MeanMetric(Metric):
    """A metric whose corpus score is the mean of its items' scores.

    ``decimals`` is the number of decimals of an item's score; ``None``: it is not rounded.
    """

    decimals: ClassVar[int | None] = None

    @abstractmethod
    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The score of every item."""

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The score, rounded to ``decimals``, and a count of 1."""
        values = map(number, self.scores(items))
        return [(score if self.decimals is None else round(score, self.decimals), 1.0) for score in values]

    def value(self, row: Row) -> float:
        """The mean; NaN for no items."""
        return row_mean(row)


def number(value: Any) -> float:
    """A metric's result as a float; a ``TypeError`` for text, which ``float`` would parse, and what is not a number."""
    if isinstance(value, str | bytes | bytearray):
        raise TypeError(f"it returns {value!r}, which is not a number")
    return float(value)


def row_mean(row: Row) -> float:
    """The mean from a row of a total and a count; NaN if the count is 0."""
    total, count = row
    return total / count if count else math.nan


def ratio(part: float, whole: float) -> float:
    """``part / whole``; 0 where ``whole`` is 0."""
    return part / whole if whole else 0.0


def f1(precision: float, recall: float) -> float:
    """Their harmonic mean; 0 where one of them is not above 0."""
    return 2 * precision * recall / (precision + recall) if precision > 0 and recall > 0 else 0.0


def in_range(value: float, limits: tuple[float, float]) -> float:
    """The value, or the limit of the range if it differs only by rounding: 100.00000000000004 is 100."""
    return next((limit for limit in limits if abs(value - limit) < ROUNDING), value)


def check_choice(what: str, given: str, choices: Any) -> None:
    """Raise an ``UnknownNameError`` if ``given`` is none of the values of a ``Literal``."""
    if given not in get_args(choices):
        raise UnknownNameError(what, given, list(get_args(choices)))


def require_references(name: str, items: Sequence[Item]) -> None:
    """Raise an ``InputError`` if an item has no reference that is not blank."""
    for index, item in enumerate(items):
        if not has_references(item):
            raise InputError(f"{name} needs a reference, and item {index} has none; give one, or leave the metric out")


def sum_rows(rows: Iterable[Row]) -> Row:
    """The column sums of the rows, exact until they are rounded once; empty for no rows."""
    return tuple(math.fsum(column) for column in zip(*rows, strict=True))


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; NaN for no values."""
    return math.fsum(values) / len(values) if values else math.nan
