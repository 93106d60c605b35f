"""Opens and checks the files that a command's arguments name, builds the scorer, and scores."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sema.cli.arguments import scored
from sema.cli.commands import chosen, settings_of
from sema.cli.messages import progress_bar
from sema.cli.texts import open_scenes, place_error, readable
from sema.datasets.folder import REFERENCE_SETS, reference_files
from sema.errors import InputError, SemaError, UsageError, counted
from sema.files.ids import ids_of, in_order_of
from sema.files.links import open_links
from sema.files.scene_formats import formats_in
from sema.files.texts import (
    Column,
    open_column,
    open_outputs,
    open_targets,
    reference_rows,
    refuse_unreadable,
    same_length,
    system_names,
)
from sema.files.tsar import Submissions, is_submission, read_submissions
from sema.model.links import GivenLinks
from sema.scoring.coerce import Inputs, coerced
from sema.scoring.item_scores import ItemScore
from sema.scoring.results import Report

if TYPE_CHECKING:
    from sema.scoring.engine import Level
    from sema.scoring.runs import Run
    from sema.scoring.scorer import Scorer


TSAR_METRICS = ["cefr", "cefr_hit", "cefr_adjacent", "meaning"]
"""Default metrics of submissions to the shared task; METEOR too if there are references."""


@dataclass(frozen=True)
class ScoringTask:
    """The files that the arguments name, read, and the scorer for them."""

    scorer: Scorer
    source: Column
    given: Inputs

    @property
    def sources(self) -> Sequence[Any]:
        """The texts of the sources."""
        return self.given.sources

    @property
    def lang(self) -> str:
        """The language's code."""
        return self.scorer.language.code

    @property
    def ids(self) -> Sequence[str | None] | None:
        """The items' ids, if their file has some."""
        return self.given.ids

    @property
    def _arguments(self) -> dict[str, Any]:
        """The inputs as the scorer takes them."""
        given = dict(vars(self.given))
        return {"outputs": given.pop("systems"), **given}

    def report(self) -> Report:
        """Score with a progress bar; errors of items name their file and line."""
        stopped = "nothing is kept: with --save RUN it would be, and --resume would go on"
        with progress_bar("scoring", stopped=stopped) as progress:
            report = self.scorer.score(**self._arguments, collect_errors=True, keep_items=False, progress=progress)
        placed = [
            replace(system, items=system.columns(report.metrics).placed(self._place)) for system in report.systems
        ]
        return replace(report, systems=tuple(placed))

    def check_item(self, index: int) -> None:
        """Raise an ``InputError`` if there is no item of that number."""
        last = len(self.given) - 1
        if index > last:
            raise InputError(f"has no item {index}; its items are numbered from 0 to {last}", file=self.source.path)

    def item(self, index: int) -> dict[str, ItemScore]:
        """An item scored by itself, for each system; if it lacks what other items have, the error is its own."""
        from sema.scoring.engine import Keep

        self.check_item(index)
        inputs = self.scorer.inputs(**self._arguments)
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
            return self.scorer.write(folder, **self._arguments, **options, progress=progress)

    def _place(self, error: SemaError, index: int) -> str:
        return place_error(error, self.source, index)


def saved_run(arguments: argparse.Namespace) -> Run | None:
    """The saved run that is named in place of texts and of all that says how they are scored, if one is."""
    if arguments.run_folder is None:
        if not (arguments.lang and arguments.output):
            raise UsageError("give a saved run, or --lang, -s and -o")
        return None
    for names, options, _ in scored(required=False):
        name = options.get("dest", names[-1].lstrip("-").replace("-", "_"))
        if getattr(arguments, name) not in (options.get("default"), False):
            told = f"is a saved run, and {names[-1]} is for texts; leave out either the run or {names[-1]}"
            raise UsageError(told, file=arguments.run_folder)
    from sema.scoring.runs import Run

    return Run(arguments.run_folder)


def read_inputs(arguments: argparse.Namespace) -> ScoringTask:
    """Read the files that the arguments name and make the scorer."""
    from sema.metrics.registry import parse_names
    from sema.scoring.runners import make_runner
    from sema.scoring.scorer import Scorer

    submissions = _submissions(arguments)
    metrics = parse_names(arguments.metrics) if arguments.metrics is not None else None
    if submissions and metrics is None:
        metrics = [*TSAR_METRICS, *(["meteor"] if submissions.references else [])]
    sets = _reference_sets(arguments)
    level: Level = arguments.level or ("passage" if submissions else "sentence")
    settings = settings_of(arguments)
    scorer = Scorer(
        arguments.lang,
        metrics,
        level=level,
        segment=not (arguments.no_segment or arguments.parse_whole),
        **chosen(arguments, "parse_whole", "extractor", "aligner"),
        options=settings,
        scene_formats=formats_in(arguments.scenes) if arguments.scenes else None,
        runner=make_runner(arguments.workers, arguments.runner, arguments.address),
        select_references=(len(sets[0]), len(sets[1]), len(sets[2])) if sets else None,
    )
    paths = [path for paths in sets for path in paths] or arguments.reference
    references = [open_column(path, "reference") for path in paths]
    if submissions:
        source, outputs = submissions.source, submissions.outputs
        targets: Sequence[Any] | None = submissions.targets
        references = references or submissions.references
        same_length([source, *outputs, *references])
    else:
        source = open_column(arguments.source, "source")
        outputs = in_order_of(source, open_outputs(arguments.output))
        references = in_order_of(source, references)
        given_targets = open_targets([arguments.source, *arguments.output])
        targets = None if given_targets is None else in_order_of(source, [given_targets])[0].values
    refuse_unreadable([source, *outputs])
    if not source.values:
        raise InputError("has no items; give it one text a line", file=source.path)
    parts = scorer.engine.parts
    own, other = (part.segmenter if level == "passage" else None for part in (parts.of_sources, parts))
    sources = readable(source, "source", arguments.tokenized, own)
    names = system_names(outputs)
    texts = [readable(column, "output", arguments.tokenized, other) for column in outputs]
    scenes = None
    if arguments.scenes:
        scenes = open_scenes(arguments.scenes, sources, settings, scorer.engine.analyser.sources)
    given = coerced(
        sources,
        dict(zip(names, texts, strict=True)),
        reference_rows(references) if references else None,
        scenes=scenes,
        links=_open_links(arguments.links, names, source) if arguments.links else None,
        targets=targets,
        ids=ids_of(source),
    )
    return ScoringTask(scorer, source, given)


def _submissions(arguments: argparse.Namespace) -> Submissions | None:
    """The files as submissions to the shared task; ``None`` if neither the arguments nor their keys say so."""
    asked = getattr(arguments, "input_format", None) == "tsar"
    if asked or (arguments.source is None and is_submission(arguments.output[0])):
        return read_submissions(arguments.output, arguments.source)
    if arguments.source is None:
        raise UsageError("the originals are missing; name their file with -s")
    return None


def _reference_sets(arguments: argparse.Namespace) -> list[list[str]]:
    """The files of the three sets to select references from; none if that was not asked for."""
    if not arguments.select_references:
        return []
    if arguments.reference:
        raise UsageError("--select-references names all references; leave out -r")
    return [
        [str(path) for path in reference_files(given)]
        if given in REFERENCE_SETS and not Path(given).exists()
        else sorted(glob(given)) or given.split(",")
        for given in arguments.select_references
    ]


def _open_links(paths: list[str], systems: list[str], source: Column) -> dict[str, Sequence[GivenLinks | InputError]]:
    """Each system's links, from the files in the order of the outputs."""
    if len(paths) != len(systems):
        raise UsageError(f"--links names {len(paths)} files for {len(systems)} outputs; give one for each output")
    by_system = {name: open_links(path) for name, path in zip(systems, paths, strict=True)}
    for path, links in zip(paths, by_system.values(), strict=True):
        if len(links) != len(source.values):
            counts = f"{counted(len(links), 'item')} but {source.path} has {len(source.values)}"
            raise InputError(f"has links for {counts}; give every item one line", file=path)
    return by_system
