"""``sema score``: score the outputs of one or more systems."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sema.cli.common import (
    add_language_arguments,
    place_error,
    positive,
    progress_bar,
    readable,
    report_errors,
    same_length,
    settings_of,
)
from sema.errors import InputError, SemaError
from sema.report.visible import to_json

if TYPE_CHECKING:
    from sema.analysis.source import SourceAnalysis
    from sema.analysis.texts import Readable
    from sema.files.texts import Column
    from sema.scoring.results import Report
    from sema.scoring.scorer import Scorer

HELP = """Score simplifications: a table of systems by metrics
Files are UTF-8 text with one item a line, or .jsonl, .csv, .tsv, .parquet (FILE:COLUMN names a column).

examples:
  sema score --lang en -s original.txt -o system.txt
  sema score --lang en -s original.txt -o a.txt -o b.txt -r ref0.txt ref1.txt --metrics sema,samsa,sari,bleu
  sema score --lang zh --level passage -s 原文.txt -o 简化.txt --json --per-item scores.jsonl
  sema score --lang en -s original.txt -o system.txt --scenes ucca_xml/ --explain 0
  sema score --lang en -s test.orig -o system.txt --select-references hsplit turk asset --metrics bleu,sari"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema score``."""
    add_scoring_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    parser.add_argument(
        "--save", metavar="RUN", help="keep everything in the folder RUN, for the other commands to read"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the unfinished run in the folder of --save")
    add_per_item_arguments(parser)
    parser.add_argument(
        "--explain",
        metavar="ITEM",
        type=int,
        action="append",
        default=[],
        help="show the evidence for item number ITEM (from 0)",
    )


def add_per_item_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to write rows; shared with commands that score first."""
    parser.add_argument("--per-item", metavar="FILE", help="write a row for each item to FILE.jsonl, .csv or .parquet")
    parser.add_argument(
        "--raw-cells",
        action="store_true",
        help="leave texts in a .csv file that a spreadsheet would run as formulas (default: a ' before them)",
    )


def add_scoring_arguments(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """The arguments that decide what is scored and how; shared with commands that score first."""
    add_language_arguments(parser, required=required)
    parser.add_argument("-s", "--source", required=required, metavar="SOURCE", help="the original texts")
    parser.add_argument(
        "-o",
        "--output",
        required=required,
        action="append",
        nargs="+",
        metavar="OUTPUT",
        help="a system's outputs; repeat for more",
    )
    parser.add_argument(
        "-r",
        "--reference",
        action="append",
        nargs="+",
        default=[],
        metavar="REFERENCE",
        help="reference simplifications",
    )
    parser.add_argument(
        "--select-references",
        nargs=3,
        metavar=("SPLITTING", "REWORDING", "GENERAL"),
        help="instead of -r: score each output against the references that fit what it did, out of those that only "
        "split, only reword, and do anything; each a list of files with commas, a pattern, or hsplit, turk, asset",
    )
    parser.add_argument(
        "--metrics", metavar="NAMES", help="comma-separated (default: the scene metrics; see `sema metrics`)"
    )
    parser.add_argument("--level", choices=("sentence", "passage"), default="sentence", help="what an item is")
    parser.add_argument(
        "--no-segment",
        action="store_true",
        help="passage level: match all Scenes in one go, not source sentence by sentence (SAMSA needs it)",
    )
    parser.add_argument(
        "--scenes", metavar="DIR", help="read the sources' scenes (UCCA XML, CoNLL-U) instead of parsing"
    )
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes that score in parallel")
    parser.add_argument("--runner", choices=("local", "processes"), help="where to score (default: as --workers says)")
    settings = parser.add_argument_group("settings of single metrics")
    settings.add_argument(
        "--tokenizer", metavar="NAME", help="for BLEU, SARI …: 13a, intl, moses, penn, none, zh, char, words"
    )
    settings.add_argument("--lowercase", action="store_true", help="ignore case in metrics that compare words")
    settings.add_argument("--bertscore-model", metavar="PATH", help="local Hugging Face encoder for bertscore_*")
    settings.add_argument("--hsk", metavar="FILE", help="HSK word list for hsk_* metrics")


def run(arguments: argparse.Namespace) -> int:
    """Score, print, and write what was asked for."""
    if arguments.resume and not arguments.save:
        raise InputError("--resume goes on with a saved run; name its folder with --save")
    inputs = read_inputs(arguments)
    check_per_item(arguments, inputs)
    for index in arguments.explain:
        if not 0 <= index < len(inputs.source.values):
            last = len(inputs.source.values) - 1
            raise InputError(f"--explain {index}: items are numbered from 0 to {last}", file=inputs.source.path)
    report = _save(arguments, inputs) if arguments.save else score_inputs(inputs, keep_items=bool(arguments.explain))
    _show(report, arguments.explain, as_json=arguments.json)
    report_errors([item.error or "" for _, item in report.failed])
    write_per_item(arguments, report)
    return 1 if report.failed else 0


def check_per_item(arguments: argparse.Namespace, inputs: Inputs | None = None) -> None:
    """Refuse, before long work, a file of rows that cannot be written, or that is one of the inputs."""
    if arguments.per_item:
        from sema.files.replacing import refuse_inputs
        from sema.files.writers import check_path

        check_path(arguments.per_item)
        refuse_inputs([arguments.per_item], inputs.files if inputs is not None else ())


def write_per_item(arguments: argparse.Namespace, report: Report) -> None:
    """Write the rows that were asked for; what was printed before stands if that fails."""
    if arguments.per_item:
        from sema.files.writers import write_items

        sys.stdout.flush()
        write_items(report.rows(), report.metrics, arguments.per_item, raw_cells=arguments.raw_cells)


def _show(report: Report, explained: list[int], *, as_json: bool) -> None:
    if as_json:
        result = report.to_dict()
        if explained:
            result["evidence"] = [
                {"system": name, **evidence} for index in explained for name, evidence in report.evidence(index).items()
            ]
        print(to_json(result))
        return
    from sema.report.terminal import print_evidence, print_table

    print_table(report)
    for index in explained:
        for system, (name, evidence) in zip(report.systems, report.evidence(index).items(), strict=True):
            print_evidence(evidence, system.items[index].scores, name)


@dataclass(frozen=True)
class Inputs:
    """The files that the arguments name, read, and the scorer for them."""

    scorer: Scorer
    files: tuple[str, ...]
    source: Column
    sources: list[Readable]
    systems: dict[str, list[Readable]]
    references: list[list[str | InputError]] | None
    scenes: list[SourceAnalysis | SemaError] | None

    def only(self, index: int) -> Inputs:
        """The same with a single item.

        Raises:
            InputError: there is no such item.
        """
        last = len(self.sources) - 1
        if not 0 <= index <= last:
            raise InputError(f"has no item {index}; its items are numbered from 0 to {last}", file=self.source.path)
        return replace(
            self,
            source=replace(self.source, values=self.source.values[index:][:1], lines=self.source.lines[index:][:1]),
            sources=[self.sources[index]],
            systems={name: [texts[index]] for name, texts in self.systems.items()},
            references=None if self.references is None else [self.references[index]],
            scenes=None if self.scenes is None else [self.scenes[index]],
        )


def read_inputs(arguments: argparse.Namespace) -> Inputs:
    """Read the files that the arguments name and make the scorer.

    Raises:
        InputError: a file cannot be read, or the files do not fit together.
    """
    from sema.files.texts import read_column
    from sema.metrics.registry import parse_names
    from sema.scoring.runners import make_runner
    from sema.scoring.scorer import Scorer

    metrics = parse_names(arguments.metrics) if arguments.metrics is not None else None
    sets = _reference_sets(arguments)
    scorer = Scorer(
        arguments.lang,
        metrics,
        level=arguments.level,
        segment=not arguments.no_segment,
        extractor=arguments.extractor,
        aligner=arguments.aligner,
        options=settings_of(arguments, metrics or ()),
        runner=make_runner(arguments.workers, arguments.runner),
        select_references=(len(sets[0]), len(sets[1]), len(sets[2])) if sets else None,
    )
    source = read_column(arguments.source, "source")
    outputs = [read_column(path, "output") for paths in arguments.output for path in paths]
    paths = [path for paths in (sets or arguments.reference) for path in paths]
    references = [read_column(path, "reference") for path in paths]
    same_length([source, *outputs, *references])
    if not source.values:
        raise InputError("has no items; give it one text a line", file=source.path)
    sources = readable(source, "source", arguments.tokenized)
    systems = zip(_names(outputs), outputs, strict=True)
    return Inputs(
        scorer,
        tuple(path for path in (*(column.path for column in (source, *outputs, *references)), arguments.hsk) if path),
        source,
        sources,
        {name: readable(column, "output", arguments.tokenized) for name, column in systems},
        _reference_rows(references, len(source.values)) if references else None,
        _read_scenes(scorer, arguments.scenes, sources) if arguments.scenes else None,
    )


def _reference_sets(arguments: argparse.Namespace) -> list[list[str]]:
    """The files of the three sets to select references from; none if that was not asked for."""
    from glob import glob

    from sema.datasets.references import REFERENCE_SETS, reference_files

    if not arguments.select_references:
        return []
    if arguments.reference:
        raise InputError("--select-references names all references; leave out -r")
    sets = []
    for given in arguments.select_references:
        if given in REFERENCE_SETS and not Path(given).exists():
            found = [str(path) for path in reference_files(given)]
        else:
            found = sorted(glob(given)) if glob(given) else given.split(",")
        sets.append(found)
    return sets


def score_inputs(inputs: Inputs, *, keep_items: bool = False) -> Report:
    """Score what was read, with a progress bar; errors of items name their file and line."""
    with progress_bar("scoring", stopped="nothing is kept, as --save RUN would") as progress:
        report = inputs.scorer.score(
            inputs.sources,
            inputs.systems,
            inputs.references,
            scenes=inputs.scenes,
            collect_errors=True,
            keep_items=keep_items,
            progress=progress,
        )
    return _with_places(report, inputs.source)


def _save(arguments: argparse.Namespace, inputs: Inputs) -> Report:
    from sema.scoring.runs import score_to

    kept = f"they are kept in {arguments.save}: go on with the same command and --resume"
    with progress_bar("scoring", stopped=kept) as progress:
        run = score_to(
            arguments.save,
            inputs.scorer,
            inputs.sources,
            inputs.systems,
            inputs.references,
            scenes=inputs.scenes,
            resume=arguments.resume,
            progress=progress,
        )
    return run.report()


def _names(outputs: list[Column]) -> list[str]:
    """File names as the systems' names; with their folders where two files are called the same."""
    short = [column.name for column in outputs]
    names = short if len(set(short)) == len(short) else [column.path for column in outputs]
    if len(set(names)) < len(names):
        raise InputError("is given twice as an output; name each file once", file=names[0])
    return names


def _reference_rows(references: list[Column], items: int) -> list[list[str | InputError]]:
    """Each item's references: one from every file, or all of a list in a table's cell."""
    rows: list[list[str | InputError]] = [[] for _ in range(items)]
    for column in references:
        for row, value in zip(rows, column.values, strict=True):
            row.extend(value if isinstance(value, list) else [value])
    return rows


def _read_scenes(scorer: Scorer, folder: str, sources: list[Readable]) -> list[SourceAnalysis | SemaError]:
    from sema.analysis.placing import place_scenes
    from sema.files.scene_formats import read_scenes, scene_files

    files = scene_files(folder, len(sources), scorer.engine.plan.settings)
    texts = iter(scorer.engine.analyser.segment([text for text in sources if not isinstance(text, InputError)]))
    found: list[SourceAnalysis | SemaError] = []
    for source, file in zip(sources, files, strict=True):
        try:
            if isinstance(source, InputError):
                raise source
            text = next(texts)
            if file is None:
                raise InputError("has no scene file; parse it, or take the item out of every file")
            found.append(place_scenes(scorer.segmenter, read_scenes(*file), text, str(file[0])))
        except SemaError as error:
            found.append(error)
    return found


def _with_places(report: Report, source: Column) -> Report:
    """The same report with file and line in the errors of items."""
    systems = []
    for system in report.systems:
        items = tuple(
            replace(item, error=place_error(item.cause, source, item.index)) if item.cause is not None else item
            for item in system.items
        )
        systems.append(replace(system, items=items))
    return replace(report, systems=tuple(systems))
