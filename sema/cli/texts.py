"""Reads the texts of a command's files, builds its scorer, and scores; an error replaces a text that is unusable."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import ProgressCallback, Readable, around_errors, first_error, placed_text
from sema.cli.arguments import scored
from sema.cli.commands import chosen, settings_of
from sema.cli.messages import progress_bar, to_json, trace, warn
from sema.errors import InputError, SemaError, UsageError, counted
from sema.files.blocks import Blocks, Mapped
from sema.files.ids import ids_of, in_order_of
from sema.files.links import open_links
from sema.files.replacing import replacing
from sema.files.scene_formats import SceneFile, formats_in, read_scenes, scene_files
from sema.files.texts import (
    Column,
    open_column,
    open_outputs,
    open_targets,
    read_column,
    reference_rows,
    refuse_unreadable,
    system_names,
    with_items,
)
from sema.metrics.base import Metric
from sema.model.item import Need
from sema.model.language import Language
from sema.model.links import GivenLinks
from sema.model.text import Segmenter, Text
from sema.options import Settings
from sema.scoring.item_scores import ItemScore
from sema.scoring.letters import LetterCheck
from sema.scoring.results import Report

if TYPE_CHECKING:
    from sema.analysis.text_analyser import TextAnalyser
    from sema.scoring.runs import Run
    from sema.scoring.scorer import Scorer

Value = TypeVar("Value")

STRETCH = 64  # items that commands without a scorer take at a time


def readable(column: Column, role: str, tokenized: bool, segmenter: Segmenter | None = None) -> Sequence[Readable]:
    """A column's texts for a scorer; an unusable text becomes an error with file and line.

    With a ``segmenter`` a tokenized line is a passage, divided into the sentences that it finds. The first blank output
    costs a warning: a system may have failed on it.
    """
    warned = False

    def read(value: object, line: int) -> Readable:
        nonlocal warned
        text = placed_text(value, role, column.path, line)
        if not warned and isinstance(text, str) and not text.strip():
            warned = True
            warn(f"{column.path}:{line}: a blank {role} counts as an empty text (others may be like it)")
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
    """A file of one text or more, and its texts."""
    column = with_items(read_column(path, "source"))
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

    letters, total, size = LetterCheck(language), len(next(iter(texts.values()))), size or STRETCH
    for start in range(0, total, size):
        parts = {role: column[start : start + size] for role, column in texts.items()}
        letters.check(start, parts)
        items = [first_error(*item) or item for item in zip(*parts.values(), strict=True)]
        yield from enumerate(around_errors(items, lambda sound: work(*zip(*sound, strict=True))), start)
        sys.stdout.flush()
        progress(min(start + size, total), total)


class ScoringTask:
    """The files that the arguments name, read, and the scorer for them.

    Attributes:
        texts: the keyword arguments of :meth:`sema.Scorer.score`.
        source: the file of the sources, which places errors.
        sources, lang, ids: as a :class:`sema.Run` has them.
    """

    def __init__(self, scorer: Scorer, source: Column, texts: dict[str, Any]) -> None:
        self.scorer, self.source, self.texts = scorer, source, texts
        self.sources, self.lang = source.values, scorer.language.code
        self.ids: Sequence[str | None] | None = texts.get("ids")

    def report(self) -> Report:
        """Score with a progress bar; errors of items name their file and line."""
        stopped = "nothing is kept: with --save RUN it would be, and --resume would go on"
        with progress_bar("scoring", stopped=stopped) as progress:
            report = self.scorer.score(**self.texts, collect_errors=True, keep_items=False, progress=progress)
        placed = [
            replace(system, items=system.columns(report.metrics).placed(self._place)) for system in report.systems
        ]
        return replace(report, systems=tuple(placed))

    def items(self, doing: str, *, prints: bool = False) -> Iterator[tuple[str, ItemScore]]:
        """Each item of each system with its evidence, chunk by chunk; ``prints``: while the caller prints results."""
        from sema.scoring.engine import Keep

        inputs, done = self.scorer.inputs(**self.texts), 0
        with (
            progress_bar(doing, prints=prints) as progress,
            closing(self.scorer.stream(inputs, keep=Keep.EVIDENCE)) as parts,
        ):
            for part in parts:
                for system, items in zip(inputs.systems, part, strict=True):
                    yield from ((system, item.placed(self._place)) for item in items)
                progress(done := done + len(part[0]), len(inputs))

    def item(self, index: int) -> dict[str, ItemScore]:
        """An item scored by itself, for each system; if it lacks what other items have, the error is its own."""
        from sema.scoring.engine import Keep

        last = len(self.sources) - 1
        if index > last:
            raise InputError(f"has no item {index}; its items are numbered from 0 to {last}", file=self.source.path)
        inputs = self.scorer.inputs(**self.texts)
        with closing(self.scorer.stream(inputs.part(index, index + 1), keep=Keep.ITEMS)) as parts:
            (found,) = parts
        return {
            name: one.placed(lambda error, _: self._place(error, index))
            for name, (one,) in zip(inputs.systems, found, strict=True)
        }

    def save(self, folder: str, *, resume: bool, overwrite: bool) -> Run:
        """Score into a run."""
        from sema.scoring.scorer import CHUNK

        kept = f"they are kept in {folder}: go on with the same command and --resume"
        options: dict[str, Any] = {"resume": resume, "overwrite": overwrite, "place": self._place}
        with progress_bar("scoring", stopped=kept, kept_by=CHUNK[self.scorer.engine.plan.level]) as progress:
            return self.scorer.write(folder, **self.texts, **options, progress=progress)

    def _place(self, error: SemaError, index: int) -> str:
        return place_error(error, self.source, index)


def saved_run(arguments: argparse.Namespace) -> Run | None:
    """The saved run that is named in place of texts and of all that says how they are scored, if one is."""
    if arguments.run_folder is None:
        if not (arguments.lang and arguments.source and arguments.output):
            raise UsageError("give a saved run, or --lang, -s and -o")
        return None
    for names, options, _ in scored(required=False):
        name = options.get("dest", names[-1].lstrip("-").replace("-", "_"))
        if getattr(arguments, name) not in (options.get("default"), False):
            message = f"is a saved run, and {names[-1]} is for texts; leave out either the run or {names[-1]}"
            raise UsageError(message, file=arguments.run_folder)
    from sema.scoring.runs import Run

    return Run(arguments.run_folder)


def read_inputs(
    arguments: argparse.Namespace, metrics: Sequence[str | Metric] | None = None, *, explains: bool = False
) -> ScoringTask:
    """Read the files that the arguments name and make the scorer, by default for the metrics that they name.

    With ``explains`` the items' Scenes and links are shown, too.
    """
    from sema.metrics.registry import parse_names
    from sema.scoring.runners import make_runner
    from sema.scoring.scorer import Scorer

    settings = settings_of(arguments)
    if metrics is None and arguments.metrics is not None:
        metrics = parse_names(arguments.metrics)
    scorer = Scorer(
        arguments.lang,
        metrics,
        segment=not (arguments.no_segment or arguments.parse_whole),
        **chosen(arguments, "level", "parse_whole", "extractor", "aligner"),
        options=settings,
        scene_formats=formats_in(arguments.scenes) if arguments.scenes else None,
        runner=make_runner(arguments.workers, arguments.runner, arguments.address),
    )
    source = with_items(open_column(arguments.source, "source"))
    columns = in_order_of(source, open_outputs(arguments.output))
    references = in_order_of(source, [open_column(path, "reference") for path in arguments.reference])
    targets = open_targets([arguments.source, *arguments.output])
    refuse_unreadable([source, *columns])
    parts = scorer.engine.parts
    own, other = (part.segmenter if arguments.level == "passage" else None for part in (parts.of_sources, parts))
    sources = readable(source, "source", arguments.tokenized, own)
    outputs = {
        name: readable(column, "output", arguments.tokenized, other)
        for name, column in zip(system_names(columns), columns, strict=True)
    }
    texts = {
        "sources": sources,
        "outputs": outputs,
        "references": reference_rows(references) if references else None,
        "scenes": open_scenes(arguments.scenes, sources, settings, scorer.engine.analyser.sources)
        if arguments.scenes
        else None,
        "links": _open_links(arguments.links, list(outputs), source) if arguments.links else None,
        "targets": None if targets is None else in_order_of(source, [targets])[0].values,
        "ids": ids_of(source),
    }
    _warn_of_unread(arguments, scorer, explains)
    return ScoringTask(scorer, source, texts)


def _warn_of_unread(arguments: argparse.Namespace, scorer: Scorer, explains: bool) -> None:
    """Warn of each option that no score depends on, nor with ``explains`` the items' Scenes and links."""
    analyser = scorer.engine.analyser
    reads = {
        "reference": any(Need.REFERENCES in metric.requires for metric in scorer.engine.metrics),
        "links": explains or analyser.uses_links,
        "aligner": explains or analyser.uses_links,
        "extractor": explains or analyser.parses(0) or analyser.parses(1),
    }
    for name, is_read in reads.items():
        if getattr(arguments, name) and not is_read:
            warn(f"--{name} changes no score: none of these metrics reads it; name one that does, or leave it out")
    # With --scenes, the readers of files have options of their own.
    for option in () if arguments.scenes else scorer.engine.unread_options:
        warn(f"--set {option} changes no score: nothing that is scored reads it; choose what does, or leave it out")
    if arguments.no_segment and arguments.level != "passage":
        warn("--no-segment changes no score: it is for --level passage")


def _open_links(paths: list[str], systems: list[str], source: Column) -> dict[str, Sequence[GivenLinks | InputError]]:
    """Each system's links, from the files in the order of the outputs."""
    if len(paths) != len(systems):
        sizes = f"{counted(len(paths), 'file')} for {counted(len(systems), 'output')}"
        raise UsageError(f"--links names {sizes}; give one for each output")
    by_system = {name: open_links(path) for name, path in zip(systems, paths, strict=True)}
    for path, links in zip(paths, by_system.values(), strict=True):
        if len(links) != len(source.values):
            counts = f"{counted(len(links), 'item')} but {source.path} has {len(source.values)}"
            raise InputError(f"has links for {counts}; give every item one line", file=path)
    return by_system
