"""The inputs of a scorer, a column for each kind, and chunks of them: consecutive items, as an engine scores them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import Readable
from sema.errors import InputError, SemaError, UsageError, counted
from sema.metrics.base import Metric
from sema.model.item import Need
from sema.model.language import Language
from sema.model.links import GivenLinks
from sema.model.text import Text
from sema.scoring.letters import LetterCheck

Ids = Sequence[str | None]
"""For each item its id in the caller's data, if it has one."""
Links = Mapping[str, Sequence[GivenLinks | SemaError]]
"""For each system, each item's links."""
Made = TypeVar("Made")


@dataclass(frozen=True)
class Inputs:
    """The items to score (see :meth:`sema.Scorer.score`): each column has an entry for each item; ``systems`` and
    ``links`` have a column for each system."""

    sources: Sequence[Readable]
    systems: Mapping[str, Sequence[Readable]]
    references: Sequence[tuple[str, ...] | InputError] | None = None
    scenes: Sequence[SourceAnalysis | SemaError] | None = field(default=None, repr=False)
    links: Links | None = field(default=None, repr=False)
    targets: Sequence[float | InputError | None] | None = None
    ids: Ids | None = field(default=None, repr=False)
    start: int = 0
    """The number of the first item, in a part of the inputs."""

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def tokenized(self) -> bool:
        """Whether the sources or a system's outputs come with their tokens, by the first text of each."""
        columns = (self.sources, *self.systems.values())
        firsts = (next((text for text in column if not isinstance(text, SemaError)), None) for column in columns)
        return any(isinstance(text, Text) for text in firsts)

    def part(self, start: int, end: int) -> Inputs:
        """The items from ``start`` up to, but not including, ``end``, counted from the first."""
        columns = {column.name: _part(getattr(self, column.name), slice(start, end)) for column in fields(self)}
        return Inputs(**{**columns, "start": self.start + start})

    def only(self, name: str) -> Inputs:
        """The items with a single system."""
        links = None if self.links is None else {name: self.links[name]}
        return replace(self, systems={name: self.systems[name]}, links=links)

    def check(self, metrics: Sequence[Metric], *, selects: bool) -> None:
        """Check that there are items, that every column has one entry for each, and that metrics get what they need.

        With ``selects`` each item's references are divided into sets.
        """
        if not self.sources:
            raise InputError("there are no sources; give one text at least")
        if not self.systems:
            raise InputError("there are no outputs; give one system at least")
        references, targets = self.references, self.targets
        columns: list[tuple[Sequence[Any] | None, str, str]] = [
            *((outputs, "output", f" in {name!r}; give one output") for name, outputs in self.systems.items()),
            (references, "list of references", "; give one"),
            (targets, "target", "; give one level"),
            (self.ids, "id", "; give one"),
            (self.scenes, "list of scenes", "; give one"),
        ]
        for column, thing, remedy in columns:
            if column is not None and len(column) != len(self):
                sizes = f"{counted(len(self), 'source')} but {counted(len(column), thing)}"
                raise InputError(f"{sizes}{remedy} for each source")
        needing = {
            need: ", ".join(metric.name for metric in metrics if need in metric.requires)
            for need in (Need.REFERENCES, Need.TARGET)
        }
        if needing[Need.REFERENCES] and not any(
            isinstance(entry, InputError) or any(map(str.strip, entry)) for entry in references or ()
        ):
            kind = UsageError if references is None else InputError
            raise kind(f"{needing[Need.REFERENCES]} needs references; give some, or leave out what needs them")
        if needing[Need.TARGET] and (targets is None or all(target is None for target in targets)):
            remedy = "set cefr.target=A2, say, or give each item one in a column 'target_cefr'"
            raise InputError(f"{needing[Need.TARGET]} needs a target level; {remedy}")
        if selects and references is None:
            raise InputError("there are no references to select from; give those of all three sets")
        if selects and references and all(isinstance(entry, InputError) for entry in references):
            raise next(entry for entry in references if isinstance(entry, InputError))


def _part(column: Any, part: slice) -> Any:
    """A part of a column, or of each system's column; ``None`` and numbers are returned unchanged."""
    if isinstance(column, Mapping):
        return {name: values[part] for name, values in column.items()}
    return column if column is None or isinstance(column, int) else column[part]


def chunks(
    given: Inputs, size: int, language: Language, numbers: Sequence[int] | None = None, *, words: bool = False
) -> Iterator[Inputs]:
    """The items in chunks of ``size`` (those with ``numbers``, or all); warns of letters of another language.

    With ``words`` metrics read the words of texts and references as they are: it warns of invisible characters, too.
    """
    letters = LetterCheck(language)
    for start in range(0, len(given), size) if numbers is None else [number * size for number in numbers]:
        part = given.part(start, start + size)
        outputs = {f"output of {name!r}": texts for name, texts in part.systems.items()}
        letters.check(start, {"source": part.sources, **outputs})
        if words:
            letters.check_seen(start, {"source": part.sources, **outputs, "references": part.references or ()})
        yield part


def split_on_error(chunk: Inputs, work: Callable[[list[Inputs]], list[list[list[Made]]]]) -> list[list[Made]] | None:
    """The results of ``work`` item by item, or system by system for one item; ``None`` if the chunk is one output."""
    if len(chunk) > 1:
        parts = work([chunk.part(index, index + 1) for index in range(len(chunk))])
        return [[made for system in systems for made in system] for systems in zip(*parts, strict=True)]
    if len(chunk.systems) > 1:
        return [system for part in work(list(map(chunk.only, chunk.systems))) for system in part]
    return None
