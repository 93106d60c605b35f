"""``sema score``: score the outputs of one or more systems."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from sema.cli.common import (
    add_language_arguments,
    place_error,
    positive,
    progress_bar,
    readable,
    report_errors,
    run_options,
    same_length,
)
from sema.errors import InputError, SemaError

if TYPE_CHECKING:
    from sema.analysis.analyser import Readable, SourceAnalysis
    from sema.files.texts import Column
    from sema.scoring.results import Report
    from sema.scoring.scorer import Scorer

HELP = """Score simplifications: a table of systems by metrics
Files are UTF-8 text with one item a line, or .jsonl, .csv, .tsv, .parquet (FILE:COLUMN names a column).

examples:
  sema score --lang en -s original.txt -o system.txt
  sema score --lang en -s original.txt -o a.txt -o b.txt -r ref0.txt ref1.txt --metrics sema,samsa,sari,bleu
  sema score --lang zh --level passage -s 原文.txt -o 简化.txt --json --per-item scores.jsonl
  sema score --lang en -s original.txt -o system.txt --scenes ucca_xml/ --explain 0"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema score``."""
    add_scoring_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    parser.add_argument("--per-item", metavar="FILE", help="write a row an item to FILE.jsonl, .csv or .parquet")
    parser.add_argument(
        "--explain",
        metavar="ITEM",
        type=int,
        action="append",
        default=[],
        help="show the evidence for item number ITEM (from 0)",
    )


def add_scoring_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that decide what is scored and how; shared with commands that score first."""
    add_language_arguments(parser)
    parser.add_argument("-s", "--source", required=True, metavar="SOURCE", help="the original texts")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
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
        "--metrics", metavar="NAMES", help="comma-separated (default: the scene metrics; see `sema metrics`)"
    )
    parser.add_argument("--level", choices=("sentence", "passage"), default="sentence", help="what an item is")
    parser.add_argument(
        "--no-segment",
        action="store_true",
        help="passage level: match all Scenes in one go, not source sentence by sentence",
    )
    parser.add_argument(
        "--scenes", metavar="DIR", help="read the sources' scenes (UCCA XML, CoNLL-U) instead of parsing"
    )
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes that analyse in parallel")
    settings = parser.add_argument_group("settings of single metrics")
    settings.add_argument(
        "--tokenizer", metavar="NAME", help="for BLEU, SARI …: 13a, intl, moses, penn, none, zh, char, words"
    )
    settings.add_argument("--lowercase", action="store_true", help="ignore case in metrics that compare words")
    settings.add_argument("--bertscore-model", metavar="PATH", help="local Hugging Face encoder for bertscore_*")
    settings.add_argument("--hsk", metavar="FILE", help="HSK word list for hsk_* metrics")


def run(arguments: argparse.Namespace) -> int:
    """Score, print, and write what was asked for."""
    if arguments.per_item:
        from sema.files.writers import check_path

        check_path(arguments.per_item)
    report, columns = score_files(arguments)
    if arguments.per_item:
        from sema.files.writers import write_items

        write_items(report, arguments.per_item)
    for index in arguments.explain:
        if not 0 <= index < report.items:
            raise InputError(
                f"--explain {index}: items are numbered from 0 to {report.items - 1}", file=columns[0].path
            )
    if arguments.json:
        result = report.to_dict()
        if arguments.explain:
            result["evidence"] = [
                {"system": system.name, **system.items[index].evidence()}
                for index in arguments.explain
                for system in report.systems
            ]
        print(json.dumps(result, ensure_ascii=False))
    else:
        from sema.report.terminal import print_evidence, print_table

        print_table(report)
        for index in arguments.explain:
            for system in report.systems:
                print_evidence(system.items[index], system.name)
    report_errors([item.error or "" for _, item in report.failed])
    return 1 if report.failed else 0


def score_files(arguments: argparse.Namespace) -> tuple[Report, list[Column]]:
    """Read the files that the arguments name and score them; also returns the columns, the source's first."""
    from sema.files.texts import read_column
    from sema.metrics import REGISTRY, MetricOptions
    from sema.scoring.scorer import DEFAULT_METRICS, Scorer

    scorer = Scorer(
        arguments.lang,
        REGISTRY.parse(arguments.metrics) if arguments.metrics is not None else DEFAULT_METRICS,
        level=arguments.level,
        segment=not arguments.no_segment,
        extractor=arguments.extractor,
        aligner=arguments.aligner,
        run=run_options(arguments),
        metric_options=MetricOptions(
            tokenizer=arguments.tokenizer or ("none" if arguments.tokenized else None),
            lowercase=arguments.lowercase,
            model=arguments.bertscore_model,
            hsk_vocabulary=arguments.hsk,
        ),
        workers=arguments.workers,
    )
    source = read_column(arguments.source, "source")
    outputs = [read_column(path, "output") for paths in arguments.output for path in paths]
    references = [read_column(path, "reference") for paths in arguments.reference for path in paths]
    columns = [source, *outputs, *references]
    same_length(columns)
    if not source.values:
        raise InputError("has no items; give it one text a line", file=source.path)
    names = _names(outputs)
    sources = readable(source, "source", arguments.tokenized)
    scenes = _read_scenes(scorer, arguments.scenes, source, sources) if arguments.scenes else None
    with progress_bar("scoring") as progress:
        report = scorer.score(
            sources,
            {
                name: readable(column, "output", arguments.tokenized)
                for name, column in zip(names, outputs, strict=True)
            },
            _reference_rows(references, len(source.values)) if references else None,
            scenes=scenes,
            collect_errors=True,
            progress=progress,
        )
    return _with_places(report, source), columns


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


def _read_scenes(
    scorer: Scorer, folder: str, source: Column, sources: list[Readable]
) -> list[SourceAnalysis | SemaError]:
    from sema.analysis.analyser import place_scenes
    from sema.files.scene_formats import scene_files

    files = scene_files(folder, scorer.options.run)
    if len(files) != len(sources):
        raise InputError(
            f"has {len(files)} scene files but {source.path} has {len(sources)} items; give one file an item",
            file=folder,
        )
    found: list[SourceAnalysis | SemaError] = []
    for index, (path, scene_format) in enumerate(files):
        value = source.values[index]
        try:
            graphs = scene_format.read(path)
            raw = value if isinstance(value, str) else " ".join(value) if isinstance(value, list) else ""
            found.append(place_scenes(scorer.segmenter, graphs, raw, str(path)))
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
