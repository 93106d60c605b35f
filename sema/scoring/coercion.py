"""Converts what Python callers pass to what the scorer uses: ordered lists of texts, systems by name, integers.

Any ordered container is accepted: lists, tuples, generators, columns of pandas and polars, arrays of NumPy. A table
stands for its columns where columns have a meaning (systems, sets of references). Anything else raises a UsageError.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import Readable
from sema.errors import SemaError, UsageError
from sema.files.blocks import BlockSequence
from sema.metrics.base import Metric
from sema.model.text import Text
from sema.scoring.inputs import Drawn, Inputs, References, Targets, check_links


def coerced(
    sources: object,
    outputs: object,
    references: object = None,
    *,
    scenes: Sequence[SourceAnalysis | SemaError] | None = None,
    links: Mapping[str, Sequence[Drawn]] | Sequence[Drawn] | None = None,
    targets: object = None,
) -> Inputs:
    """The inputs of a scorer from a caller's arguments (described at :meth:`sema.Scorer.score`).

    Raises:
        UsageError: an argument has no order or the wrong type.
        InputError: the links are not those of the systems.
    """
    systems = system_lists(outputs)
    return Inputs(
        text_list(sources, "sources"),
        systems,
        reference_lists(references),
        scenes,
        check_links(links, systems),
        target_list(targets),
    )


def text_list(values: object, what: str) -> Sequence[Readable]:
    """A list of texts.

    Args:
        values: any ordered container.
        what: the name of the argument, for errors.

    Raises:
        UsageError: a single text, a table, something without an order, or no container of texts.
    """
    if isinstance(values, str | bytes | Text):
        raise UsageError(f"{what} is a single text; give a list of texts, or use sema.score() for single ones")
    if _is_table(values):
        raise UsageError(f"{what} is a table; give one of its columns, as in table['source']")
    found = _ordered(values, what, "a list of texts")
    return found if isinstance(found, BlockSequence) else [_sentences(value) for value in found]


def system_lists(outputs: object) -> dict[str, Sequence[Readable]]:
    """Each system's outputs by name; outputs without a name belong to the system ``output``.

    A mapping and a table have a system in each value and column.

    Raises:
        UsageError: there are none, or two have one name.
    """
    if isinstance(outputs, Mapping):
        pairs = [(str(name), texts) for name, texts in outputs.items()]
    elif _is_table(outputs):
        pairs = _columns(outputs, "outputs")
    else:
        return {"output": text_list(outputs, "outputs")}
    if not pairs:
        raise UsageError("there are no outputs; give one system at least")
    systems = {name: text_list(texts, f"the outputs of {name!r}") for name, texts in pairs}
    if len(systems) < len(pairs):
        raise UsageError("two systems have one name; give each a name of its own")
    return systems


def reference_lists(references: object) -> References | None:
    """Each item's references, or its only one; of a table, a cell of each column.

    Raises:
        UsageError: they have no order, or are no list with an entry for each item.
    """
    if references is None:
        return None
    if isinstance(references, str | bytes | Text):
        raise UsageError("references is a single text; give a list with one entry for each source")
    if _is_table(references):
        columns = [_ordered(values, name, "a list") for name, values in _columns(references, "references")]
        return [list(row) for row in zip(*columns, strict=True)]
    found = _ordered(references, "references", "a list with one entry for each source")
    if isinstance(found, BlockSequence):
        return found
    return [_entry(entry, place) for place, entry in enumerate(found)]


def target_list(targets: object) -> Targets | None:
    """Each item's target level; a missing value means no target.

    Raises:
        UsageError: they have no order.
    """
    if targets is None:
        return None
    if isinstance(targets, str | bytes | Text):
        raise UsageError("targets is a single text; give a list with a level for each source, or set cefr.target")
    found = _ordered(targets, "targets", "a list with a level for each source")
    if isinstance(found, BlockSequence):
        return found
    return [None if type(value).__name__ == "NAType" or value != value else value for value in found]


def metric_list(metrics: object) -> list[str | Metric]:
    """Names and objects of metrics, each once.

    Raises:
        UsageError: there are none, something is no metric, or two different metrics have one name.
    """
    if isinstance(metrics, str | Metric):
        example = repr(metrics) if isinstance(metrics, str) else f"{type(metrics).__name__}()"
        raise UsageError(f"metrics is a single one; give a list, as in [{example}]")
    chosen: list[str | Metric] = []
    for metric in _ordered(metrics, "metrics", "a list of names and metrics"):
        if isinstance(metric, type):
            raise UsageError(f"{metric.__name__} is a class; give an object of it, as in [{metric.__name__}()]")
        if not isinstance(metric, str | Metric):
            raise UsageError(f"a metric is {_kind(metric)}; give names, or objects of a subclass of sema.Metric")
        if not isinstance(metric, str) and not isinstance(getattr(metric, "name", None), str):
            raise UsageError(f"the metric {type(metric).__name__} has no name; give its class a name")
        if metric not in chosen:
            chosen.append(metric)
    if not chosen:
        raise UsageError("no metric is named; give one, or leave the argument out for the defaults")
    names = [metric if isinstance(metric, str) else metric.name for metric in chosen]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two metrics are called {twice!r}; give each a name of its own")
    return chosen


def whole_number(value: object, what: str, least: int) -> int:
    """An integer of at least ``least``.

    Raises:
        UsageError: it is not.
    """
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise UsageError(f"{what} must be a whole number, not {value!r}") from None
    if isinstance(value, bool) or number < least:
        raise UsageError(f"{what} must be at least {least}, not {value!r}")
    return number


def _ordered(values: object, what: str, remedy: str) -> Sequence[Any]:
    """The values as a sequence; sequences that read a file lazily are returned unchanged."""
    if isinstance(values, BlockSequence):
        return values
    if isinstance(values, Mapping | Set):
        raise UsageError(f"{what} is {_kind(values)}, which has no order; give {remedy}")
    values = _python(values)
    if not isinstance(values, Iterable) or getattr(values, "ndim", 1) != 1:
        raise UsageError(f"{what} is {_kind(values)}; give {remedy}")
    return values if isinstance(values, list | tuple) else list(values)


def _python(values: Any) -> Any:
    """pyarrow values as Python objects; other values unchanged."""
    return values.to_pylist() if hasattr(values, "to_pylist") else values


def _sentences(value: Any) -> Any:
    """A text unchanged; its sentences, in any ordered container, as a list."""
    if isinstance(value, str | bytes | Sequence | Text | SemaError | Mapping | Set) or not isinstance(value, Iterable):
        return value
    return list(_python(value)) if getattr(value, "ndim", 1) == 1 else value


def _entry(entry: Any, place: int) -> Any:
    if isinstance(entry, Mapping | Set):
        raise UsageError(f"the references of item {place} are {_kind(entry)}, which has no order; give a list")
    return _sentences(entry)


def _is_table(values: object) -> bool:
    return hasattr(values, "columns") and hasattr(values, "shape")


def _columns(table: Any, what: str) -> list[tuple[str, Any]]:
    names = list(getattr(table, "column_names", table.columns))
    if len(set(names)) < len(names):
        raise UsageError(f"{what} has two columns of one name; give each a name of its own")
    return [(str(name), table[name]) for name in names]


def _kind(value: object) -> str:
    name = type(value).__name__
    return "missing" if value is None else f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
