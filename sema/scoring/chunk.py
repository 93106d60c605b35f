"""Chunks: consecutive items, as an engine scores them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from sema.model.language import Language
from sema.scoring.coerce import Inputs
from sema.scoring.letters import LetterCheck

Made = TypeVar("Made")


def chunks(given: Inputs, size: int, language: Language, numbers: Sequence[int] | None = None) -> Iterator[Inputs]:
    """The items in chunks of ``size`` (those with ``numbers``, or all); warns of letters of another language."""
    letters = LetterCheck(language)
    for start in range(0, len(given), size) if numbers is None else [number * size for number in numbers]:
        part = given.part(start, start + size)
        outputs = {f"output of {name!r}": texts for name, texts in part.systems.items()}
        letters.check(start, {"source": part.sources, **outputs})
        yield part


def split_on_error(chunk: Inputs, work: Callable[[list[Inputs]], list[list[list[Made]]]]) -> list[list[Made]] | None:
    """The results of ``work`` item by item, or system by system for one item; ``None`` if the chunk is one output."""
    if len(chunk) > 1:
        parts = work([chunk.part(index, index + 1) for index in range(len(chunk))])
        return [[made for system in systems for made in system] for systems in zip(*parts, strict=True)]
    if len(chunk.systems) > 1:
        return [system for part in work(list(map(chunk.only, chunk.systems))) for system in part]
    return None
