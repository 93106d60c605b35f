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
from sema.errors import InputError, SemaError, UsageError
from sema.files.blocks import BlockSequence, Mapped
from sema.metrics.base import Metric
from sema.model.links import Alignment, GivenLinks, Pairs
from sema.model.text import Text
from sema.scoring.inputs import Inputs, Links, References, Targets

Drawn = Alignment | Pairs | GivenLinks | SemaError
"""One item's links as callers give them."""


def coerced(
    sources: object,
    outputs: object,
    references: object = None,
    *,
    scenes: Sequence[SourceAnalysis | SemaError] | None = None,
    links: Mapping[str, Sequence[Drawn]] | Sequence[Drawn] | None = None,
    targets: object = None,
) -> Inputs:
    """The inputs of a scorer from a caller's arguments (described at :meth:`sema.Scorer.score`)."""
    systems = system_lists(outputs)
    return Inputs(
        _text_list(sources, "sources"),
        systems,
        None if references is None else _reference_lists(references),
        scenes,
        None if links is None else _link_lists(links, systems),
        None if targets is None else _target_list(targets),
    )


def system_lists(outputs: object) -> dict[str, Sequence[Readable]]:
    """Each system's outputs by name: a mapping and a table have a system in each value and column.

    Outputs without a name belong to the system ``output``.
    """
    if isinstance(outputs, Mapping):
        pairs = [(str(name), texts) for name, texts in outputs.items()]
    elif _is_table(outputs):
        pairs = _columns(outputs, "outputs")
    else:
        return {"output": _text_list(outputs, "outputs")}
    if not pairs:
        raise UsageError("there are no outputs; give one system at least")
    systems = {name: _text_list(texts, f"the outputs of {name!r}") for name, texts in pairs}
    if len(systems) < len(pairs):
        raise UsageError("two systems have one name; give each a name of its own")
    return systems


def _text_list(values: object, what: str) -> Sequence[Readable]:
    if _is_table(values):
        raise UsageError(f"{what} is a table; give one of its columns, as in table['source']")
    found = _ordered(values, what, "a list of texts", "use sema.score() for single ones")
    return found if isinstance(found, BlockSequence) else [_sentences(value) for value in found]


def _reference_lists(references: object) -> References:
    """Each item's references, or its only one; of a table, a cell of each column."""
    if _is_table(references):
        columns = [_ordered(values, name, "a list") for name, values in _columns(references, "references")]
        return [list(row) for row in zip(*columns, strict=True)]
    found = _ordered(references, "references", "a list with one entry for each source")
    if isinstance(found, BlockSequence):
        return found
    for place, entry in enumerate(found):
        if isinstance(entry, Mapping | Set):
            raise UsageError(f"the references of item {place} are {_kind(entry)}, which has no order; give a list")
    return [_sentences(entry) for entry in found]


def _link_lists(links: Mapping[str, Sequence[Drawn]] | Sequence[Drawn], systems: Mapping[str, Sequence[Any]]) -> Links:
    """The links of every system, in the systems' order; a sequence is that of the only system."""
    if not isinstance(links, Mapping):
        if len(systems) != 1:
            raise InputError("links are given for one system; give those of every system, by its name")
        links = dict.fromkeys(systems, links)
    found: dict[str, Sequence[GivenLinks | SemaError]] = {}
    for name, outputs in systems.items():
        if name not in links:
            raise InputError(f"there are no links for {name!r}; give every system's, or none")
        if len(links[name]) != len(outputs):
            raise InputError(f"{len(outputs)} outputs but {len(links[name])} sets of links in {name!r}; give one each")
        found[name] = Mapped(_given_links, links[name], range(1, len(outputs) + 1))
    return found


def _given_links(links: Drawn, line: int) -> GivenLinks | SemaError:
    return links if isinstance(links, GivenLinks | SemaError) else GivenLinks(links, line=line)


def _target_list(targets: object) -> Targets:
    """Each item's target level; a missing value means no target."""
    found = _ordered(targets, "targets", "a list with a level for each source", "set cefr.target")
    if isinstance(found, BlockSequence):
        return found
    return [None if type(value).__name__ == "NAType" or value != value else value for value in found]


def metric_list(metrics: object) -> list[str | Metric]:
    """Names and objects of metrics, each once."""
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
    """The value as an integer of at least ``least``; ``what`` names it in errors."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise UsageError(f"{what} must be a whole number, not {value!r}") from None
    if isinstance(value, bool) or number < least:
        raise UsageError(f"{what} must be at least {least}, not {value!r}")
    return number


def _ordered(values: object, what: str, remedy: str, other_remedy: str = "") -> Sequence[Any]:
    """The values as a sequence; sequences that read a file lazily are returned unchanged."""
    if isinstance(values, BlockSequence):
        return values
    if isinstance(values, str | bytes | Text):
        raise UsageError(f"{what} is a single text; give {remedy}{other_remedy and f', or {other_remedy}'}")
    if isinstance(values, Mapping | Set):
        raise UsageError(f"{what} is {_kind(values)}, which has no order; give {remedy}")
    if not isinstance(values, Iterable) or getattr(values, "ndim", 1) != 1:
        raise UsageError(f"{what} is {_kind(values)}; give {remedy}")
    return values if isinstance(values, list | tuple) else _listed(values)


def _listed(values: Any) -> list[Any]:
    """The values as a list; those of pyarrow as Python objects."""
    return values.to_pylist() if hasattr(values, "to_pylist") else list(values)


def _sentences(value: Any) -> Any:
    """A text unchanged; its sentences, in any ordered container, as a list."""
    if isinstance(value, str | bytes | Sequence | Text | SemaError | Mapping | Set) or not isinstance(value, Iterable):
        return value
    return _listed(value) if getattr(value, "ndim", 1) == 1 else value


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
