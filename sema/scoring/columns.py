"""Scored items stored as columns of numbers: a few hundred bytes per item, turned into objects on demand."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

from sema.errors import InputError, SemaError
from sema.metrics.base import Row
from sema.scoring.item_scores import ItemScore

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


class ItemColumns(Sequence[ItemScore]):
    """One system's items without evidence; equal to any sequence of the same items.

    Args:
        metrics: names of the metrics, in the order of results.
        items: the first items.
    """

    def __init__(self, metrics: Sequence[str], items: Iterable[ItemScore] = ()) -> None:
        self.metrics = tuple(metrics)
        self._count = 0
        self._scores = {name: array("d") for name in self.metrics}
        self._rows = {name: array("d") for name in self.metrics}
        self._widths: dict[str, int] = {}
        self._errors: dict[int, str] = {}
        self._causes: dict[int, SemaError] = {}
        self.extend(items)

    def extend(self, items: Iterable[ItemScore]) -> None:
        """Append items; they are numbered in order of arrival.

        Raises:
            InputError: a metric's rows have different lengths.
        """
        for item in items:
            if item.error is not None:
                self._errors[self._count] = item.error
                if item.cause is not None:
                    self._causes[self._count] = item.cause
            for name in self.metrics:
                self._scores[name].append(math.nan if item.error is not None else item.scores[name])
                self._extend_rows(name, None if item.error is not None else item.rows[name])
            self._count += 1

    def _extend_rows(self, name: str, row: Row | None) -> None:
        """Append a row, or zeros for an item without scores: they add nothing to a sum."""
        if row is not None and name not in self._widths:
            self._widths[name] = len(row)
            self._rows[name].extend([0.0] * (len(row) * self._count))
        width = self._widths.get(name, 0)
        if row is not None and len(row) != width:
            raise InputError(f"{name} gives rows of {width} and of {len(row)} numbers; mend the metric")
        self._rows[name].extend([0.0] * width if row is None else row)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> ItemScore: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[ItemScore, ...]: ...

    def __getitem__(self, index: int | slice) -> ItemScore | tuple[ItemScore, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(self._count)))
        place = index + self._count if index < 0 else index
        if not 0 <= place < self._count:
            raise IndexError(index)
        if place in self._errors:
            return ItemScore(place, {}, {}, self._errors[place], self._causes.get(place))
        scores = {name: self._scores[name][place] for name in self.metrics}
        return ItemScore(place, scores, {name: self._row(name, place) for name in self.metrics})

    def _row(self, name: str, place: int) -> Row:
        width = self._widths[name]
        return tuple(self._rows[name][place * width : (place + 1) * width])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(mine == its for mine, its in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{self._count} items>"

    @property
    def failed(self) -> list[ItemScore]:
        """The items that could not be scored."""
        return [self[place] for place in self._errors]

    def placed(self, place: Callable[[SemaError, int], str]) -> ItemColumns:
        """A copy whose error texts are ``place(error, item number)``."""
        found = ItemColumns(self.metrics)
        found.__dict__.update(self.__dict__)
        found._errors = {
            index: place(self._causes[index], index) if index in self._causes else text
            for index, text in self._errors.items()
        }
        return found

    def sums(self, name: str) -> Row:
        """The sum of a metric's rows, exact before it is rounded once; empty where no item could be scored."""
        rows, width = self._rows[name], self._widths.get(name, 0)
        return tuple(math.fsum(rows[column::width]) for column in range(width))

    def values(self, name: str) -> NDArray[float64]:
        """A metric's scores (items); NaN for an item without."""
        import numpy as np

        return np.array(self._scores[name])

    def table(self, name: str) -> NDArray[float64]:
        """A metric's rows (items, their width); zeros for an item without."""
        import numpy as np

        return np.array(self._rows[name]).reshape(self._count, self._widths.get(name, 0))

    def usable(self) -> NDArray[Any]:
        """Whether each item could be scored."""
        import numpy as np

        found = np.ones(self._count, dtype=bool)
        found[list(self._errors)] = False
        return found


def exact_parts(values: Sequence[float]) -> list[float]:
    """The exact sum as a short list of floats; such lists can be added further without rounding.

    Sums of chunks therefore give the same corpus score, to the last bit, as all rows at once.
    """
    parts: list[float] = []
    rest = math.fsum(values)
    while rest:
        parts.append(rest)
        if not math.isfinite(rest):
            break
        rest = math.fsum([*values, *(-part for part in parts)])
    return parts
