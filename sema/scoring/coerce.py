"""The inputs of a scorer, read once from a caller's arguments.

Any ordered container is accepted: lists, tuples, generators, columns of pandas and polars, arrays of NumPy. A table
is read column by column where columns have a meaning (systems, sets of references). Anything else raises a UsageError.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial
from typing import Any, TypedDict, Unpack

from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import Readable, check_text, is_missing
from sema.errors import InputError, SemaError, UsageError, kind_of
from sema.files.blocks import BlockSequence, Mapped
from sema.files.ids import id_text
from sema.metrics.base import Metric
from sema.model.levels import parse_level
from sema.model.links import Alignment, GivenLinks, Pairs
from sema.model.text import Text
from sema.scoring.chunk import Ids, Inputs, Links

References = Sequence[str | InputError | Sequence[str | InputError]]
"""For each item its references, or a single one."""
Targets = Sequence[str | float | InputError | None]
"""For each item the target level of its output: a CEFR name, a number, or ``None``."""
LinkInput = Alignment | Pairs | GivenLinks | SemaError
"""One item's links as callers give them."""


class Columns(TypedDict, total=False):
    """What callers may give beside the texts, an entry for each item (described at :meth:`sema.Scorer.score`)."""

    scenes: Sequence[SourceAnalysis | SemaError] | None
    links: Mapping[str, Sequence[LinkInput]] | Sequence[LinkInput] | None
    targets: Targets | None
    ids: Ids | None


def coerced(
    sources: object,
    outputs: object,
    references: object = None,
    *,
    metrics: Sequence[Metric] | None = None,
    sets: Sequence[int] | None = None,
    **columns: Unpack[Columns],
) -> Inputs:
    """The inputs of a scorer from a caller's arguments; errors replace texts and values that cannot be used.

    They are checked for ``metrics``, if these are given (:meth:`Inputs.check`). ``sets`` are the sizes of the sets that
    each item's references are divided into, if they are.
    """
    links, targets, ids = columns.get("links"), columns.get("targets"), columns.get("ids")
    systems = system_lists(outputs)
    inputs = Inputs(
        _texts(sources, "sources", "source"),
        systems,
        None if references is None else _reference_lists(references, sets),
        columns.get("scenes"),
        None if links is None else _link_lists(links, systems),
        None if targets is None else _each(_target, ordered(targets, "targets", "a list with a level for each source")),
        None if ids is None else _each(_id, ordered(ids, "ids", "a list with an id for each source")),
    )
    if metrics is not None:
        inputs.check(metrics, selects=sets is not None)
    return inputs


def system_lists(outputs: object) -> dict[str, Sequence[Readable]]:
    """Each system's outputs by name: those of a mapping or of a table's columns, else of one called ``output``."""
    if isinstance(outputs, Mapping):
        pairs = [(str(name), texts) for name, texts in outputs.items()]
    elif _is_table(outputs):
        pairs = _columns(outputs)
    else:
        return {"output": _texts(outputs, "outputs", "output")}
    if not pairs:
        raise UsageError("there are no outputs; give one system at least")
    if len(dict(pairs)) < len(pairs):
        raise UsageError("two systems have one name; give each a name of its own")
    return {name: _texts(texts, f"the outputs of {name!r}", "output") for name, texts in pairs}


def _texts(values: object, what: str, role: str) -> Sequence[Readable]:
    """The texts; an error replaces one that is missing or cannot be scored."""
    if _is_table(values):
        raise UsageError(f"{what} is a table; give one of its columns, as in table['source']")
    return _each(partial(_text, role), ordered(values, what, "a list of texts (sema.score() takes single ones)"))


def _text(role: str, text: Any, item: int) -> Readable:
    return check_text(_sentences(text), role, item)


def _reference_lists(references: object, sets: Sequence[int] | None) -> Sequence[tuple[str, ...] | InputError]:
    if _is_table(references):
        columns = [ordered(values, name, "a list") for name, values in _columns(references)]
        entries: Sequence[Any] = list(zip(*columns, strict=True))
    else:
        entries = ordered(references, "references", "a list with one entry for each source")
    return _each(partial(_references, sets), entries)


def _references(sets: Sequence[int] | None, entry: Any, item: int) -> tuple[str, ...] | InputError:
    """An item's references without missing ones, or the error of the first that is not a text or of their number."""
    if isinstance(entry, Mapping | Set):
        raise UsageError(f"the references of item {item} are {kind_of(entry)}, which has no order; give a list")
    entry = _sentences(entry)
    whole = isinstance(entry, str | InputError) or not isinstance(entry, Sequence)
    texts = [text for text in ([entry] if whole else entry) if not is_missing(text)]
    for text in texts:
        checked = text if isinstance(text, list | tuple) else check_text(text, "reference", item)
        if isinstance(checked, InputError):
            return checked
        if not isinstance(checked, str):
            return InputError(f"a reference is {kind_of(text)}; give strings", item=item)
    if sets is not None and len(texts) != sum(sets):
        message = f"has {len(texts)} references, but the sets have {' + '.join(map(str, sets))}"
        return InputError(message, item=item)
    return tuple(texts)


def _target(given: Any, item: int) -> float | InputError | None:
    if is_missing(given) or isinstance(given, InputError):
        return given if isinstance(given, InputError) else None
    try:
        return parse_level(given)
    except InputError as error:
        return InputError(f"the target {error.message}", item=item)


def _id(value: object, item: int) -> str | None:
    return None if is_missing(value) else id_text(value)


def _each(make: Callable[[Any, int], Any], values: Sequence[Any]) -> Sequence[Any]:
    """What ``make`` makes of each value and its number; lazily, where the values are read lazily."""
    if isinstance(values, BlockSequence):
        return Mapped(make, values, range(len(values)))
    return list(map(make, values, range(len(values))))


def _link_lists(
    links: Mapping[str, Sequence[LinkInput]] | Sequence[LinkInput], systems: Mapping[str, Sequence[Any]]
) -> Links:
    """The links of every system, in the systems' order; a sequence belongs to the only system."""
    if not isinstance(links, Mapping):
        if len(systems) != 1:
            raise InputError("links are given for one system; give those of every system, by its name")
        links = dict.fromkeys(systems, links)
    by_name: dict[str, Sequence[GivenLinks | SemaError]] = {}
    for name, outputs in systems.items():
        if name not in links:
            raise InputError(f"there are no links for {name!r}; give every system's, or none")
        if len(links[name]) != len(outputs):
            raise InputError(f"{len(outputs)} outputs but {len(links[name])} sets of links in {name!r}; give one each")
        by_name[name] = Mapped(_given_links, links[name], range(len(outputs)))
    return by_name


def _given_links(links: LinkInput, item: int) -> GivenLinks | SemaError:  # a lambda would not pickle
    if isinstance(links, GivenLinks | SemaError):
        return links
    try:
        pairs = links if isinstance(links, Alignment) else [(operator.index(i), operator.index(j)) for i, j in links]
    except (TypeError, ValueError):
        return InputError("the links must be pairs of token numbers, such as [(0, 0), (1, 2)]", item=item)
    return GivenLinks(pairs, item=item)


def whole_number(value: object, what: str, least: int) -> int:
    """The value as an integer of at least ``least``; ``what`` names it in errors."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise UsageError(f"{what} must be a whole number, not {value!r}") from None
    if isinstance(value, bool) or number < least:
        raise UsageError(f"{what} must be at least {least}, not {value!r}")
    return number


def ordered(values: object, what: str, remedy: str) -> Sequence[Any]:
    """The values as a sequence; sequences that read a file lazily are returned unchanged."""
    if isinstance(values, BlockSequence):
        return values
    if isinstance(values, str | bytes | Text):
        raise UsageError(f"{what} is a single text; give {remedy}")
    if isinstance(values, Mapping | Set):
        raise UsageError(f"{what} is {kind_of(values)}, which has no order; give {remedy}")
    if not isinstance(values, Iterable) or getattr(values, "ndim", 1) != 1:
        raise UsageError(f"{what} is {kind_of(values)}; give {remedy}")
    return values if isinstance(values, list | tuple) else _listed(values)


def _listed(values: Any) -> list[Any]:
    """The values as a list; those of pyarrow as Python objects."""
    return values.to_pylist() if hasattr(values, "to_pylist") else list(values)


def _sentences(value: Any) -> Any:
    """The value; sentences in an ordered container that is no sequence as a list."""
    if isinstance(value, str | bytes | Sequence | Text | SemaError | Mapping | Set) or not isinstance(value, Iterable):
        return value
    return _listed(value) if getattr(value, "ndim", 1) == 1 else value


def _is_table(values: object) -> bool:
    return hasattr(values, "columns") and hasattr(values, "shape")


def _columns(table: Any) -> list[tuple[str, Any]]:
    return [(str(name), table[name]) for name in getattr(table, "column_names", table.columns)]
