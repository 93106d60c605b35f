"""Reads the texts of a command's files in batches, with progress; an error replaces a text that is unusable."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import ProgressCallback, Readable, around_errors, first_error, placed_text
from sema.cli.messages import to_json, trace
from sema.errors import InputError, SemaError
from sema.files.blocks import Blocks, Mapped
from sema.files.replacing import replacing
from sema.files.scene_formats import SceneFile, read_scenes, scene_files
from sema.files.texts import Column, read_column
from sema.model.language import Language
from sema.model.text import Segmenter, Text
from sema.options import Settings
from sema.scoring.letters import LetterCheck

if TYPE_CHECKING:
    from sema.analysis.analyser import TextAnalyser

Value = TypeVar("Value")

STRETCH = 64  # items that commands without a scorer take at a time


def readable(column: Column, role: str, tokenized: bool, segmenter: Segmenter | None = None) -> Sequence[Readable]:
    """A column's texts for a scorer; an unusable text becomes an error with file and line.

    With a ``segmenter`` a tokenized line is a passage, divided into the sentences that it finds.
    """

    def read(value: object, line: int) -> Readable:
        text = placed_text(value, role, column.path, line)
        if not tokenized or isinstance(text, InputError | Text):
            return text
        return Text.from_tokenized(*([text] if isinstance(text, str) else text))

    texts: Sequence[Readable] = Mapped(read, column.values, column.lines)
    if not tokenized or segmenter is None:
        return texts

    def divided(texts: Sequence[Readable], values: Sequence[object]) -> list[Readable]:
        from sema.analysis.placing import divide_tokens

        lines = [isinstance(text, Text) and isinstance(value, str) for text, value in zip(texts, values, strict=True)]
        whole = [text for text, line in zip(texts, lines, strict=True) if line and isinstance(text, Text)]
        pieces = iter(divide_tokens(segmenter, whole))
        return [next(pieces) if line else text for text, line in zip(texts, lines, strict=True)]

    return Blocks(divided, texts, column.values)


def open_scenes(
    folder: str, sources: Sequence[Readable], settings: Settings, reader: TextAnalyser
) -> Sequence[SourceAnalysis | SemaError]:
    """The sources' Scenes from the files of ``--scenes``, read lazily; ``reader`` segments the sources themselves."""
    from sema.analysis.placing import place_scenes

    def placed(text: Text | SemaError, file: SceneFile | None) -> SourceAnalysis | SemaError:
        if isinstance(text, SemaError):
            return text
        if file is None:
            return InputError("has no scene file; parse it, or take the item out of every file")
        try:
            return place_scenes(read_scenes(*file), text, str(file[0]))
        except SemaError as error:
            return error

    def block(texts: Sequence[Readable], files: Sequence[SceneFile | None]) -> list[SourceAnalysis | SemaError]:
        return list(map(placed, around_errors(texts, reader.segment), files))

    return Blocks(block, sources, scene_files(folder, len(sources), settings))


def usable(values: Iterable[Value | SemaError]) -> list[Value]:
    """The values; if one of them is an error, it is raised."""
    kept = []
    for value in values:
        if isinstance(value, SemaError):
            raise value
        kept.append(value)
    return kept


def read_sources(path: str, tokenized: bool) -> tuple[Column, Sequence[Readable]]:
    """A file and its texts."""
    column = read_column(path, "source")
    return column, readable(column, "source", tokenized)


def write_text(path: str | Path, text: str) -> None:
    """Write a file completely, or leave it unchanged."""
    with replacing(Path(path)) as file:
        file.write(text.encode())


def print_json(value: object) -> None:
    """Print a value as one line of JSON."""
    print(to_json(value))


def place_error(error: SemaError, column: Column, index: int) -> str:
    """The error's text, with the file and line of the item it belongs to unless it names a place itself."""
    trace(error.__cause__)
    if isinstance(error, InputError) and error.file is not None:
        return str(error)
    return str(InputError(getattr(error, "message", str(error)), file=column.path, line=column.lines[index]))


def results(
    texts: Mapping[str, Sequence[Readable]],
    work: Callable[..., Iterable[Any]],
    language: Language,
    progress: ProgressCallback,
    size: int = 0,
) -> Iterator[tuple[int, Any]]:
    """The number of each item, and the result of ``work`` on its texts or the error of the first unusable one.

    ``work`` takes the usable texts of each role, a stretch of ``size`` items at a time (default: :data:`STRETCH`), and
    may give errors of its own. Output is flushed after each stretch, so that first results are seen soon.
    """

    def worked(items: Sequence[Sequence[Any]]) -> Iterable[Any]:
        return work(*zip(*items, strict=True)) if items else ()

    letters, total, size = LetterCheck(language), len(next(iter(texts.values()))), size or STRETCH
    for start in range(0, total, size):
        parts = {role: column[start : start + size] for role, column in texts.items()}
        letters.check(start, parts)
        items = [first_error(*item) or item for item in zip(*parts.values(), strict=True)]
        yield from enumerate(around_errors(items, worked), start)
        sys.stdout.flush()
        progress(min(start + size, total), total)
