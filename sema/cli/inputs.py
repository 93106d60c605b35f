"""Opens and checks the files that a command's arguments name, builds the scorer, and scores."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sema.cli.common import TokenizedPassages, place_error, progress_bar, readable, settings_of
from sema.errors import InputError, SemaError, UsageError
from sema.files.blocks import BLOCK, BlockSequence

if TYPE_CHECKING:
    from sema.analysis.source import SourceAnalysis
    from sema.analysis.texts import Readable
    from sema.files.scene_formats import SceneFile
    from sema.files.texts import Column
    from sema.files.tsar import Submissions
    from sema.model.links import GivenLinks
    from sema.model.text import Text
    from sema.scoring.engine import Level
    from sema.scoring.inputs import Inputs
    from sema.scoring.results import Report
    from sema.scoring.runs import Run
    from sema.scoring.scorer import Scorer


TSAR_METRICS = ["cefr", "cefr_hit", "cefr_adjacent", "cefr_f1", "cefr_rmse", "meaning"]
"""Default metrics of submissions to the shared task; METEOR too if there are references."""


@dataclass(frozen=True)
class ScoringTask:
    """The files that the arguments name, read, and the scorer for them."""

    scorer: Scorer
    source: Column
    given: Inputs

    def only(self, index: int) -> ScoringTask:
        """The same with a single item.

        Raises:
            InputError: there is no such item.
        """
        last = len(self.given) - 1
        if not 0 <= index <= last:
            raise InputError(f"has no item {index}; its items are numbered from 0 to {last}", file=self.source.path)
        source = replace(self.source, values=[self.source.values[index]], lines=[self.source.lines[index]])
        return replace(self, source=source, given=self.given.part(index, index + 1))


def saved_run(arguments: argparse.Namespace) -> Run | None:
    """The saved run that is named in place of texts, if one is.

    Raises:
        UsageError: neither a run nor texts are named, or both.
    """
    if arguments.run_folder is None:
        if not (arguments.lang and arguments.output):
            raise UsageError("give a saved run, or --lang, -s and -o")
        return None
    if arguments.source or arguments.output:
        raise UsageError("give either a saved run or texts (-s, -o), not both", file=arguments.run_folder)
    from sema.scoring.runs import Run

    return Run(arguments.run_folder)


def read_inputs(arguments: argparse.Namespace) -> ScoringTask:
    """Read the files that the arguments name and make the scorer.

    Raises:
        InputError: a file cannot be read, or the files do not fit together.
    """
    from sema.files.texts import open_column, open_targets, same_length
    from sema.metrics.registry import parse_names
    from sema.scoring.inputs import Inputs
    from sema.scoring.runners import make_runner
    from sema.scoring.scorer import Scorer

    submissions = _submissions(arguments)
    metrics = parse_names(arguments.metrics) if arguments.metrics is not None else None
    if submissions and metrics is None:
        metrics = [*TSAR_METRICS, *(["meteor"] if submissions.references else [])]
    sets = _reference_sets(arguments)
    level: Level = arguments.level or ("passage" if submissions else "sentence")
    scorer = Scorer(
        arguments.lang,
        metrics,
        level=level,
        segment=not (arguments.no_segment or arguments.parse_whole),
        parse_whole=arguments.parse_whole,
        extractor=arguments.extractor,
        aligner=arguments.aligner,
        options=settings_of(arguments, metrics or ()),
        runner=make_runner(arguments.workers, arguments.runner, arguments.address),
        select_references=(len(sets[0]), len(sets[1]), len(sets[2])) if sets else None,
    )
    paths = [path for paths in (sets or arguments.reference) for path in paths]
    references = [open_column(path, "reference") for path in paths]
    if submissions:
        source, outputs = submissions.source, submissions.outputs
        targets: Sequence[Any] | None = submissions.targets
        references = references or submissions.references
    else:
        source = open_column(arguments.source, "source")
        specs = [path for paths in arguments.output for path in paths]
        outputs = [open_column(path, "output") for path in specs]
        found = open_targets([arguments.source, *specs])
        targets = None if found is None else found.values
    same_length([source, *outputs, *references])
    if not source.values:
        raise InputError("has no items; give it one text a line", file=source.path)

    def texts(column: Column, role: str) -> Sequence[Readable]:
        if arguments.tokenized and level == "passage":
            return TokenizedPassages(column, role, scorer.segmenter)
        return readable(column, role, arguments.tokenized)

    sources = texts(source, "source")
    names = _names(outputs)
    given = Inputs(
        sources,
        {name: texts(column, "output") for name, column in zip(names, outputs, strict=True)},
        _reference_rows(references) if references else None,
        _open_scenes(scorer, arguments.scenes, sources) if arguments.scenes else None,
        _open_links(arguments.links, names, source) if arguments.links else None,
        targets,
    )
    return ScoringTask(scorer, source, given)


def _submissions(arguments: argparse.Namespace) -> Submissions | None:
    """The files as submissions to the shared task, where the arguments or their keys say that they are some.

    Raises:
        InputError: there are no originals.
    """
    from sema.files.tsar import is_submission, read_submissions

    outputs = [path for paths in arguments.output for path in paths]
    asked = getattr(arguments, "input_format", None) == "tsar"
    if asked or (arguments.source is None and is_submission(outputs[0])):
        return read_submissions(outputs, arguments.source)
    if arguments.source is None:
        raise UsageError("the originals are missing; name their file with -s")
    return None


def _reference_sets(arguments: argparse.Namespace) -> list[list[str]]:
    """The files of the three sets to select references from; none if that was not asked for."""
    from glob import glob

    from sema.datasets.folder import REFERENCE_SETS, reference_files

    if not arguments.select_references:
        return []
    if arguments.reference:
        raise UsageError("--select-references names all references; leave out -r")
    sets = []
    for given in arguments.select_references:
        if given in REFERENCE_SETS and not Path(given).exists():
            found = [str(path) for path in reference_files(given)]
        else:
            found = sorted(glob(given)) if glob(given) else given.split(",")
        sets.append(found)
    return sets


def _open_links(
    files: list[list[str]], systems: list[str], source: Column
) -> dict[str, Sequence[GivenLinks | InputError]]:
    """Each system's links, from the files in the order of the outputs."""
    from sema.files.links import open_links

    paths = [path for given in files for path in given]
    if len(paths) != len(systems):
        raise UsageError(f"--links names {len(paths)} files for {len(systems)} outputs; give one for each output")
    found = {}
    for name, path in zip(systems, paths, strict=True):
        found[name] = open_links(path)
        if len(found[name]) != len(source.values):
            raise InputError(
                f"has links for {len(found[name])} items but {source.path} has {len(source.values)}; "
                "give every item one line",
                file=path,
            )
    return found


def score_inputs(inputs: ScoringTask, *, keep_items: bool = False) -> Report:
    """Score what was read, with a progress bar; errors of items name their file and line."""
    with progress_bar(
        "scoring", stopped="nothing is kept: with --save RUN it would be, and --resume would go on"
    ) as progress:
        report = inputs.scorer.score(
            **_arguments(inputs), collect_errors=True, keep_items=keep_items, progress=progress
        )
    return _with_places(report, inputs.source)


def _arguments(inputs: ScoringTask) -> dict[str, Any]:
    """What :meth:`sema.Scorer.score` is given."""
    found = dict(vars(inputs.given))
    return {"outputs": found.pop("systems"), **found}


def save_inputs(inputs: ScoringTask, folder: str, *, resume: bool, overwrite: bool = False) -> Run:
    """Score what was read into a run, with a progress bar."""
    from sema.scoring.runs import score_to

    kept = f"they are kept in {folder}: go on with the same command and --resume"
    with progress_bar("scoring", stopped=kept) as progress:
        return score_to(
            folder,
            inputs.scorer,
            **vars(inputs.given),
            resume=resume,
            overwrite=overwrite,
            progress=progress,
            place=lambda error, index: place_error(error, inputs.source, index),
        )


def _names(outputs: list[Column]) -> list[str]:
    """File names as the systems' names; with their folders where two files are called the same."""
    short = [column.name for column in outputs]
    names = short if len(set(short)) == len(short) else [column.path for column in outputs]
    if len(set(names)) < len(names):
        raise UsageError("is given twice as an output; name each file once", file=names[0])
    return names


def _reference_rows(references: list[Column]) -> Sequence[list[str | InputError]]:
    """Each item's references: one from every file, or all of a list in a table's cell."""
    from sema.files.blocks import Mapped

    def joined(*values: str | list[str] | InputError) -> list[str | InputError]:
        return [text for value in values for text in (value if isinstance(value, list) else [value])]

    return Mapped(joined, *(column.values for column in references))


class _SceneRows(BlockSequence["SourceAnalysis | SemaError"]):
    """The sources' Scenes from their files, read as they are asked for."""

    def __init__(self, scorer: Scorer, sources: Sequence[Readable], files: Sequence[SceneFile | None]) -> None:
        super().__init__(len(sources))
        self._scorer, self._sources, self._files = scorer, sources, files

    def _block(self, number: int) -> list[SourceAnalysis | SemaError]:
        from sema.analysis.texts import around_errors

        part = slice(number * BLOCK, (number + 1) * BLOCK)
        texts = around_errors(self._sources[part], self._scorer.engine.analyser.segment)
        return [
            text if isinstance(text, InputError) else self._placed(text, file)
            for text, file in zip(texts, self._files[part], strict=True)
        ]

    def _placed(self, text: Text, file: SceneFile | None) -> SourceAnalysis | SemaError:
        from sema.analysis.placing import place_scenes
        from sema.files.scene_formats import read_scenes

        if file is None:
            return InputError("has no scene file; parse it, or take the item out of every file")
        try:
            return place_scenes(self._scorer.segmenter, read_scenes(*file), text, str(file[0]))
        except SemaError as error:
            return error


def _open_scenes(scorer: Scorer, folder: str, sources: Sequence[Readable]) -> Sequence[SourceAnalysis | SemaError]:
    from sema.files.scene_formats import scene_files

    return _SceneRows(scorer, sources, scene_files(folder, len(sources), scorer.engine.plan.settings))


def _with_places(report: Report, source: Column) -> Report:
    """The same report with file and line in the errors of items."""
    from sema.scoring.columns import ItemColumns
    from sema.scoring.item_scores import ItemScore

    def place(error: SemaError, index: int) -> str:
        return place_error(error, source, index)

    def placed(items: Sequence[ItemScore]) -> Sequence[ItemScore]:
        if isinstance(items, ItemColumns):
            return items.placed(place)
        return [item if item.cause is None else replace(item, error=place(item.cause, item.index)) for item in items]

    systems = [replace(system, items=placed(system.items)) for system in report.systems]
    return replace(report, systems=tuple(systems))
