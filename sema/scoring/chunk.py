"""Chunks: consecutive items, as an engine scores them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

from sema.analysis.texts import RawText, first_error
from sema.errors import SemaError
from sema.model.item import Need
from sema.model.language import Language
from sema.model.text import Text
from sema.scoring.coerce import Inputs
from sema.scoring.letters import LetterCheck

BLANK = Text("", (), ())
_PARTIAL = Need.REFERENCES, Need.TARGET
Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class Chunk(Inputs):
    """Items from number ``start`` on; an unusable text is replaced by a blank, and its item has an error.

    ``invalid`` has the errors of each item's references and target (:attr:`sema.model.item.Item.invalid`).
    """

    sources: Sequence[RawText]
    systems: Mapping[str, Sequence[RawText]]
    references: Sequence[tuple[str, ...]]
    targets: Sequence[float | None]
    start: int
    errors: Mapping[str, Sequence[SemaError | None]]
    invalid: Sequence[Mapping[Need, SemaError]]

    def part(self, start: int, end: int) -> Self:
        """The items from ``start`` up to, but not including, ``end``, counted from the first of the chunk."""
        return replace(super().part(start, end), start=self.start + start)

    def only(self, name: str) -> Chunk:
        """The chunk with a single system."""
        links = None if self.links is None else {name: self.links[name]}
        return replace(self, systems={name: self.systems[name]}, errors={name: self.errors[name]}, links=links)


def split_on_error(chunk: Chunk, work: Callable[[list[Chunk]], list[list[list[Made]]]]) -> list[list[Made]] | None:
    """The results of ``work`` item by item, or system by system for one item; ``None`` if the chunk is one output."""
    if len(chunk) > 1:
        parts = work([chunk.part(index, index + 1) for index in range(len(chunk))])
        return [[made for system in systems for made in system] for systems in zip(*parts, strict=True)]
    if len(chunk.systems) > 1:
        return [system for part in work(list(map(chunk.only, chunk.systems))) for system in part]
    return None


def make_chunk(start: int, given: Inputs) -> Chunk:
    """The chunk of consecutive items, the first of which is number ``start``."""
    references = given.references or [()] * len(given)
    targets = given.targets or [None] * len(given)
    return Chunk(
        start=start,
        sources=_usable(given.sources, BLANK),
        systems={name: _usable(texts, BLANK) for name, texts in given.systems.items()},
        references=_usable(references, ()),
        targets=_usable(targets, None),
        scenes=given.scenes,
        links=given.links,
        errors={
            name: [first_error(*texts) for texts in zip(given.sources, outputs, strict=True)]
            for name, outputs in given.systems.items()
        },
        invalid=[
            {need: value for need, value in zip(_PARTIAL, values, strict=True) if isinstance(value, SemaError)}
            for values in zip(references, targets, strict=True)
        ],
    )


def _usable(values: Sequence[Any], instead: Any) -> list[Any]:
    return [instead if isinstance(value, SemaError) else value for value in values]


def chunks(given: Inputs, size: int, language: Language, numbers: Sequence[int] | None = None) -> Iterator[Chunk]:
    """The items in chunks of ``size`` (those with ``numbers``, or all); warns of letters of another language."""
    letters = LetterCheck(language)
    for start in range(0, len(given), size) if numbers is None else [number * size for number in numbers]:
        part = given.part(start, start + size)
        outputs = {f"output of {name!r}": texts for name, texts in part.systems.items()}
        letters.check(start, {"source": part.sources, **outputs})
        yield make_chunk(start, part)
