"""The inputs of a scorer, checked: equal lengths, usable texts, references where a metric needs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self, TypeVar

from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import RawText, Readable, check_text, first_error
from sema.errors import InputError, SemaError, UsageError
from sema.model.levels import parse_level
from sema.model.links import GivenLinks
from sema.model.text import Text

BLANK = Text("", (), ())
References = Sequence[str | InputError | Sequence[str | InputError]]
"""For each item its references, or its only one."""
Targets = Sequence[str | float | InputError | None]
"""For each item the level that its output was to reach: a CEFR name, a number, or ``None``."""
Links = Mapping[str, Sequence[GivenLinks | SemaError]]
"""For each system, each item's links."""


@dataclass(frozen=True)
class Inputs:
    """What is scored together, as :meth:`sema.Scorer.score` describes it: one entry for each item in every column.

    ``systems`` and ``links`` have a column for each system, by its name.
    """

    sources: Sequence[Readable]
    systems: Mapping[str, Sequence[Readable]]
    references: References | None = None
    scenes: Sequence[SourceAnalysis | SemaError] | None = field(default=None, repr=False)
    links: Links | None = field(default=None, repr=False)
    targets: Targets | None = None

    def __len__(self) -> int:
        return len(self.sources)

    def part(self, start: int, end: int) -> Self:
        """The items from number ``start`` to before ``end``."""
        parts = {column.name: _part(getattr(self, column.name), slice(start, end)) for column in fields(self)}
        return replace(self, **parts)

    def check(
        self, needing_references: Sequence[str], needing_targets: Sequence[str], sets: Sequence[int] | None = None
    ) -> None:
        """Check that there are items, that every column has one entry for each, and that metrics get what they need.

        ``needing_references`` and ``needing_targets`` name metrics; ``sets`` are the sizes of the sets that each
        item's references are divided into.
        """
        if not self.sources:
            raise InputError("there are no sources; give one text at least")
        if not self.systems:
            raise InputError("there are no outputs; give one system at least")
        count, references, targets = len(self), self.references, self.targets
        for name, system in self.systems.items():
            if len(system) != count:
                found = f"{len(system)} outputs in {name!r}"
                raise InputError(f"{count} sources but {found}; give one output for each source")
        if references is not None and len(references) != count:
            raise InputError(f"{count} sources but references for {len(references)}; give one entry for each source")
        if needing_references and (references is None or not any(map(_given, references))):
            kind = UsageError if references is None else InputError
            raise kind(f"{', '.join(needing_references)} needs references; give some, or leave out what needs them")
        if targets is not None and len(targets) != count:
            raise InputError(f"{count} sources but {len(targets)} targets; give one level for each source")
        if needing_targets and (targets is None or all(target is None for target in targets)):
            remedy = "set cefr.target=A2, say, or give each item one in a column 'target_cefr'"
            raise InputError(f"{', '.join(needing_targets)} needs a target level; {remedy}")
        if sets is not None:
            _check_reference_sets(references, sets)


def _part(column: Any, part: slice) -> Any:
    """A part of a column, or of each system's column; anything else unchanged."""
    if isinstance(column, Mapping):
        return {name: values[part] for name, values in column.items()}
    return column[part] if isinstance(column, Sequence) else column


def _given(entry: object) -> bool:
    return bool(entry.strip()) if isinstance(entry, str) else bool(entry)


def _check_reference_sets(references: References | None, sizes: Sequence[int]) -> None:
    """Check that each item's references can be divided into sets of these sizes."""
    if references is None:
        raise InputError("there are no references to select from; give those of all three sets")
    for line, entry in enumerate(references, start=1):
        count = 1 if isinstance(entry, str | InputError) else len(entry)
        if count != sum(sizes):
            raise InputError(f"has {count} references, but the sets have {' + '.join(map(str, sizes))}", line=line)


@dataclass(frozen=True, kw_only=True)
class Chunk(Inputs):
    """Consecutive items as an engine scores them; a text that cannot be used is blank, and the item has an error.

    ``start`` is the number of the first item.
    """

    sources: Sequence[RawText]
    systems: Mapping[str, Sequence[RawText]]
    references: Sequence[tuple[str, ...]]
    targets: Sequence[float | None]
    start: int
    errors: Mapping[str, Sequence[SemaError | None]]

    def part(self, start: int, end: int) -> Self:
        """Its items from ``start`` to before ``end``, counted in the chunk."""
        return replace(super().part(start, end), start=self.start + start)

    def only(self, name: str) -> Chunk:
        """The chunk with a single system."""
        links = None if self.links is None else {name: self.links[name]}
        return replace(self, systems={name: self.systems[name]}, errors={name: self.errors[name]}, links=links)


Made = TypeVar("Made")


def apart(chunk: Chunk, work: Callable[[list[Chunk]], list[list[list[Made]]]]) -> list[list[Made]] | None:
    """The results of ``work`` on single items, or on an item's single systems; ``None`` for one output."""
    if len(chunk) > 1:
        parts = work([chunk.part(index, index + 1) for index in range(len(chunk))])
        return [[made for system in systems for made in system] for systems in zip(*parts, strict=True)]
    if len(chunk.systems) > 1:
        return [system for part in work(list(map(chunk.only, chunk.systems))) for system in part]
    return None


def make_chunk(start: int, given: Inputs, needing_references: Sequence[str]) -> Chunk:
    """Check the texts of consecutive items, of which the first is number ``start``."""
    count = len(given)
    lines = range(start + 1, start + 1 + count)
    sources = [check_text(text, "source", line) for text, line in zip(given.sources, lines, strict=True)]
    systems = {
        name: [check_text(text, "output", line) for text, line in zip(texts, lines, strict=True)]
        for name, texts in given.systems.items()
    }
    references = [_references(entry, line) for entry, line in zip(given.references or [()] * count, lines, strict=True)]
    targets = [_target(target, line) for target, line in zip(given.targets or [None] * count, lines, strict=True)]
    broken = [
        first_error(source, found, target) or _missing(found, needing_references, line)
        for source, found, target, line in zip(sources, references, targets, lines, strict=True)
    ]
    return Chunk(
        start=start,
        sources=_usable([error or text for text, error in zip(sources, broken, strict=True)], BLANK),
        systems={name: _usable(texts, BLANK) for name, texts in systems.items()},
        references=_usable(references, ()),
        targets=_usable(targets, None),
        scenes=given.scenes,
        links=given.links,
        errors={
            name: [first_error(error, text) for text, error in zip(texts, broken, strict=True)]
            for name, texts in systems.items()
        },
    )


def _usable(values: Sequence[Any], instead: Any) -> list[Any]:
    return [instead if isinstance(value, SemaError) else value for value in values]


def _references(entry: Any, line: int) -> tuple[str, ...] | InputError:
    """An item's references, or the error of the first that is none."""
    if entry is None:
        return InputError("the references are missing; give a list (it may be empty)", line=line)
    entries = [entry] if isinstance(entry, str | InputError) or not isinstance(entry, Sequence) else entry
    for reference in entries:
        text = reference if isinstance(reference, list | tuple) else check_text(reference, "reference", line)
        if isinstance(text, InputError):
            return text
        if not isinstance(text, str):
            return InputError(f"a reference is a {type(reference).__name__} and no text; give strings", line=line)
    return tuple(entries)


def _missing(references: Any, needing: Sequence[str], line: int) -> InputError | None:
    """The error of an item without a reference, if metrics need one."""
    if not needing or any(text.strip() for text in references):
        return None
    return InputError(f"{', '.join(needing)} needs a reference, and this item has none; give one", line=line)


def _target(given: str | float | InputError | None, line: int) -> float | InputError | None:
    if given is None or isinstance(given, InputError):
        return given
    try:
        return parse_level(given)
    except InputError as error:
        return InputError(f"the target {error.message}", line=line)
