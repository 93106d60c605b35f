"""The inputs of a scorer, checked: equal lengths, usable texts, references where a metric needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import RawText, Readable, check_text
from sema.errors import InputError, SemaError, UsageError
from sema.files.blocks import Mapped
from sema.model.levels import parse_level
from sema.model.links import Alignment, GivenLinks, Pairs
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
    """What is scored together.

    Attributes:
        sources: one text for each item.
        systems: each system's outputs by its name, one text for each item.
        references: for each item its references, or its only one.
        scenes: analyses of the sources that were read from elsewhere.
        links: each system's links that were given instead of found.
        targets: for each item the level that its output was to reach.
    """

    sources: Sequence[Readable]
    systems: Mapping[str, Sequence[Readable]]
    references: References | None = None
    scenes: Sequence[SourceAnalysis | SemaError] | None = None
    links: Links | None = None
    targets: Targets | None = None

    def __len__(self) -> int:
        return len(self.sources)

    def part(self, start: int, end: int) -> Inputs:
        """The items from number ``start`` to before ``end``."""
        return Inputs(
            self.sources[start:end],
            {name: outputs[start:end] for name, outputs in self.systems.items()},
            None if self.references is None else self.references[start:end],
            None if self.scenes is None else self.scenes[start:end],
            None if self.links is None else {name: links[start:end] for name, links in self.links.items()},
            None if self.targets is None else self.targets[start:end],
        )

    def check(
        self, needing_references: Sequence[str], needing_targets: Sequence[str], sets: Sequence[int] | None = None
    ) -> None:
        """Check that every part has one entry per item.

        Args:
            needing_references: metrics that need references.
            needing_targets: metrics that need target levels.
            sets: the sizes of the sets that each item's references are divided into.

        Raises:
            InputError: there is no item, lengths differ, or a metric lacks something that it needs.
        """
        if not self.sources:
            raise InputError("there are no sources; give one text at least")
        if not self.systems:
            raise InputError("there are no outputs; give one system at least")
        count, references, targets = len(self), self.references, self.targets
        for name, system in self.systems.items():
            if len(system) != count:
                raise InputError(
                    f"{count} sources but {len(system)} outputs in {name!r}; give one output for each source"
                )
        if references is not None and len(references) != count:
            raise InputError(f"{count} sources but references for {len(references)}; give one entry for each source")
        if needing_references and (references is None or not any(map(_given, references))):
            kind = UsageError if references is None else InputError
            raise kind(f"{', '.join(needing_references)} needs references; give some, or leave out what needs them")
        if targets is not None and len(targets) != count:
            raise InputError(f"{count} sources but {len(targets)} targets; give one level for each source")
        if needing_targets and (targets is None or all(target is None for target in targets)):
            raise InputError(
                f"{', '.join(needing_targets)} needs a target level; set cefr.target=A2, say, or give each item one in "
                "a column 'target_cefr'"
            )
        if sets is not None:
            _check_reference_sets(references, sets)


def _check_reference_sets(references: References | None, sizes: Sequence[int]) -> None:
    """Check that each item's references can be divided into sets of these sizes."""
    if references is None:
        raise InputError("there are no references to select from; give those of all three sets")
    for line, entry in enumerate(references, start=1):
        count = 1 if isinstance(entry, str | InputError) else len(entry)
        if count != sum(sizes):
            raise InputError(f"has {count} references, but the sets have {' + '.join(map(str, sizes))}", line=line)


@dataclass(frozen=True)
class Chunk:
    """Consecutive items as an engine scores them; a text that cannot be used is blank and has an error.

    Attributes:
        start: the number of its first item.
        sources: one text for each item.
        outputs: for each system, one text for each item.
        references: for each item its references.
        errors: for each system and item, what is wrong with its texts.
        scenes: analyses of the sources that were read from elsewhere.
        links: for each system, each item's links that were given instead of found.
        targets: for each item the level that its output was to reach, if any.
    """

    start: int
    sources: Sequence[RawText]
    outputs: Sequence[Sequence[RawText]]
    references: Sequence[tuple[str, ...]]
    errors: Sequence[Sequence[SemaError | None]]
    scenes: Sequence[SourceAnalysis | SemaError] | None = field(default=None, repr=False)
    links: Sequence[Sequence[GivenLinks | SemaError]] | None = field(default=None, repr=False)
    targets: Sequence[float | None] | None = None

    def __len__(self) -> int:
        return len(self.sources)

    def part(self, start: int, end: int) -> Chunk:
        """Its items from ``start`` to before ``end``, counted in the chunk."""
        return Chunk(
            self.start + start,
            self.sources[start:end],
            [system[start:end] for system in self.outputs],
            self.references[start:end],
            [system[start:end] for system in self.errors],
            None if self.scenes is None else self.scenes[start:end],
            None if self.links is None else [system[start:end] for system in self.links],
            None if self.targets is None else self.targets[start:end],
        )

    def items(self) -> Iterator[Chunk]:
        """One chunk for each item."""
        return (self.part(index, index + 1) for index in range(len(self)))

    def systems(self) -> Iterator[Chunk]:
        """One chunk for each system."""
        for place, (output, errors) in enumerate(zip(self.outputs, self.errors, strict=True)):
            links = None if self.links is None else [self.links[place]]
            yield replace(self, outputs=[output], errors=[errors], links=links)


Made = TypeVar("Made")


def apart(chunk: Chunk, work: Callable[[list[Chunk]], list[list[list[Made]]]]) -> list[list[Made]] | None:
    """The results of ``work`` on single items, or on an item's single systems; ``None`` for one output."""
    if len(chunk) > 1:
        parts = work(list(chunk.items()))
        return [[made for system in systems for made in system] for systems in zip(*parts, strict=True)]
    if len(chunk.outputs) > 1:
        return [system for part in work(list(chunk.systems())) for system in part]
    return None


Drawn = Alignment | Pairs | GivenLinks | SemaError
"""One item's links as callers give them."""


def check_links(
    links: Mapping[str, Sequence[Drawn]] | Sequence[Drawn] | None, systems: Mapping[str, Sequence[Readable]]
) -> Links | None:
    """The links of every system, in the systems' order; a sequence is that of the only system.

    Raises:
        InputError: a system has none, or not one entry for each of its outputs.
    """
    if links is None:
        return None
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
        found[name] = Mapped(_drawn, links[name], range(1, len(outputs) + 1))
    return found


def _drawn(links: Drawn, line: int) -> GivenLinks | SemaError:
    return links if isinstance(links, GivenLinks | SemaError) else GivenLinks(links, line=line)


def _given(entry: object) -> bool:
    return bool(entry.strip()) if isinstance(entry, str) else bool(entry)


def make_chunk(start: int, given: Inputs, needing_references: Sequence[str]) -> Chunk:
    """Check the texts of consecutive items, of which the first is number ``start``."""
    lines = range(start + 1, start + 1 + len(given))
    checked = [check_text(text, "source", line) for text, line in zip(given.sources, lines, strict=True)]
    outputs = [
        [check_text(text, "output", line) for text, line in zip(system, lines, strict=True)]
        for system in given.systems.values()
    ]
    kept: list[tuple[str, ...]] = []
    broken: list[SemaError | None] = []
    levels: list[float | None] = []
    for index, line in enumerate(lines):
        found = () if given.references is None else _references(given.references[index], line)
        target = None if given.targets is None else _target(given.targets[index], line)
        error = _error(checked[index]) or _error(found) or _error(target)
        usable = () if isinstance(found, InputError) else found
        if error is None and needing_references and not any(text.strip() for text in usable):
            message = f"{', '.join(needing_references)} needs a reference, and this item has none; give one"
            error = InputError(message, line=line)
        kept.append(usable)
        levels.append(None if isinstance(target, InputError) else target)
        broken.append(error)
    return Chunk(
        start,
        [BLANK if error or isinstance(text, InputError) else text for text, error in zip(checked, broken, strict=True)],
        [[BLANK if isinstance(text, InputError) else text for text in system] for system in outputs],
        kept,
        [[error or _error(text) for text, error in zip(system, broken, strict=True)] for system in outputs],
        given.scenes,
        None if given.links is None else list(given.links.values()),
        None if given.targets is None else levels,
    )


def _target(given: str | float | InputError | None, line: int) -> float | InputError | None:
    if given is None or isinstance(given, InputError):
        return given
    try:
        return parse_level(given)
    except InputError as error:
        return InputError(f"the target {error.message}", line=line)


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


def _error(text: object) -> SemaError | None:
    return text if isinstance(text, SemaError) else None
