"""``sema score``: score the outputs of one or more systems."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sema.cli.common import (
    MANY_FILES,
    add_language_arguments,
    add_raw_cells,
    add_signature_argument,
    natural,
    positive,
    shown_signature,
    whole_words_of,
)
from sema.cli.inputs import ScoringTask, read_inputs, save_inputs, score_inputs
from sema.cli.messages import report_errors
from sema.display.visible import to_json
from sema.errors import InputError, UsageError

if TYPE_CHECKING:
    from sema.scoring.results import Report, Summary
    from sema.scoring.runs import Run

HELP = """Score simplifications: a table of systems by metrics
Files are UTF-8 text with one item a line, or .jsonl, .csv, .tsv, .parquet (FILE:COLUMN names a column).

examples:
  sema score --lang en -s original.txt -o system.txt
  sema score --lang en -s original.txt -o a.txt -o b.txt -r ref0.txt ref1.txt --metrics sema,samsa,sari,bleu
  sema score --lang zh --level passage -s 原文.txt -o 简化.txt --json --per-item scores.jsonl
  sema score --lang en -s original.txt -o system.txt --scenes ucca_xml/ --links links.jsonl --explain 0
  sema score --lang en -s test.orig -o system.txt --select-references hsplit turk asset --metrics bleu,sari
  sema score --lang en -s original.txt -o system.txt --metrics cefr,cefr_hit,meaning --set cefr.target=A2
  sema score --lang en --format tsar -o team1.jsonl -o team2.jsonl"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema score``."""
    add_scoring_arguments(parser)
    parser.add_argument(
        "--format",
        dest="input_format",
        choices=("tsar",),
        help="read -o (and -s) as submissions to the TSAR shared task: JSON lines with text_id, original, target_cefr, "
        "reference, simplified",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    add_signature_argument(parser)
    parser.add_argument(
        "--save", metavar="RUN", help="keep everything in the folder RUN, for the other commands to read"
    )
    parser.add_argument("--resume", action="store_true", help="continue the unfinished run in the folder of --save")
    parser.add_argument(
        "--overwrite", action="store_true", help="replace the run in the folder of --save, if there is one"
    )
    add_per_item_arguments(parser)
    explain = "show the evidence for item number ITEM (from 0)"
    parser.add_argument("--explain", metavar="ITEM", type=natural, action="append", default=[], help=explain)


def add_per_item_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to write rows; shared with commands that score first."""
    parser.add_argument(
        "--per-item", metavar="FILE", help="write a row for each item to FILE.jsonl, .csv, .tsv, .xlsx or .parquet"
    )
    add_raw_cells(parser)


def add_scoring_arguments(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """The arguments that decide what is scored and how; shared with commands that score first."""
    add_language_arguments(parser, required=required, passages=True)
    parser.add_argument(
        "-s", "--source", metavar="SOURCE", help="the original texts (submissions to TSAR may have them themselves)"
    )
    outputs = "a system's outputs; repeat for more"
    parser.add_argument("-o", "--output", **MANY_FILES, required=required, metavar="OUTPUT", help=outputs)
    parser.add_argument("-r", "--reference", **MANY_FILES, metavar="REFERENCE", help="reference simplifications")
    parser.add_argument(
        "--select-references",
        nargs=3,
        metavar=("SPLITTING", "REWORDING", "GENERAL"),
        help="instead of -r: score each output against the references that fit what it did, out of those that only "
        "split, only reword, and do anything; each a list of files with commas, a pattern, or hsplit, turk, asset",
    )
    parser.add_argument(
        "--metrics", metavar="NAMES", help="comma-separated (default: meaning,sema,samsa; see `sema metrics`)"
    )
    parser.add_argument(
        "--level",
        choices=("sentence", "passage"),
        help="what an item is (default: sentence; of submissions to TSAR: passage)",
    )
    parser.add_argument(
        "--no-segment",
        action="store_true",
        help="passage level: match all Scenes in one go, not source sentence by sentence (SAMSA needs it)",
    )
    parser.add_argument(
        "--parse-whole",
        action="store_true",
        help="passage level: parse a source as one sentence too, as in the unsegmented rows of SEMA's Table 2",
    )
    parser.add_argument(
        "--scenes", metavar="DIR", help="read the sources' scenes (UCCA XML, UCCAApp JSON, CoNLL-U) instead of parsing"
    )
    parser.add_argument(
        "--links",
        **MANY_FILES,
        metavar="FILE",
        help="word links to use instead of an aligner's, a file for each output: lines as `sema align` prints them, or "
        "Pharaoh's 0-0 1-2",
    )
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes that score in parallel")
    parser.add_argument(
        "--runner", metavar="NAME", help="where to score: local, processes, ray (default: as --workers says)"
    )
    parser.add_argument("--address", metavar="ADDRESS", help="of the runner's cluster, such as ray://host:10001")


def run(arguments: argparse.Namespace) -> int:
    """Score, print, and write what was asked for."""
    if arguments.resume and not arguments.save:
        raise UsageError("--resume goes on with a saved run; name its folder with --save")
    inputs = read_inputs(arguments)
    check_per_item(arguments)
    for index in arguments.explain:
        if index >= len(inputs.source.values):
            last = len(inputs.source.values) - 1
            raise InputError(f"--explain {index}: items are numbered from 0 to {last}", file=inputs.source.path)
    if arguments.save:
        saved = save_inputs(inputs, arguments.save, resume=arguments.resume, overwrite=arguments.overwrite)
        summary, explained = saved.summary, _kept(saved, arguments.explain)
    else:
        report = score_inputs(inputs)
        summary, explained = report.summary, _explained(inputs, arguments.explain)
    _show(arguments, summary, explained)
    report_errors([failure.error for failure in summary.failed])
    if arguments.per_item:
        write_per_item(arguments, saved.report() if arguments.save else report)
    return 1 if summary.failed else 0


def check_per_item(arguments: argparse.Namespace) -> None:
    """Refuse, before long work, a file of rows that cannot be written."""
    if arguments.per_item:
        from sema.files.formats import check_path

        check_path(arguments.per_item)


def write_per_item(arguments: argparse.Namespace, report: Report) -> None:
    """Write the rows that were asked for; what was printed before stands if that fails."""
    if arguments.per_item:
        from sema.files.formats import write_items

        sys.stdout.flush()
        write_items(report.rows(), report.metrics, arguments.per_item, raw_cells=arguments.raw_cells)


Explained = Mapping[int, Mapping[str, tuple[Mapping[str, float], Mapping[str, Any]]]]
"""For each item that is to be explained its scores and evidence, by system."""


def _kept(saved: Run, wanted: Sequence[int]) -> Explained:
    return {
        index: {name: (saved.scores(index)[name], evidence) for name, evidence in saved.evidence(index).items()}
        for index in wanted
    }


def _explained(inputs: ScoringTask, wanted: Sequence[int]) -> Explained:
    """The items once more, each alone and with its evidence: not to keep that of all."""
    found = {}
    for index in wanted:
        report = score_inputs(inputs.only(index), keep_items=True)
        evidence = report.evidence(0)
        found[index] = {
            system.name: (system.items[0].scores, {**evidence[system.name], "item": index}) for system in report.systems
        }
    return found


def _show(arguments: argparse.Namespace, summary: Summary, explained: Explained) -> None:
    if arguments.json:
        result = summary.to_dict()
        if explained:
            result["evidence"] = [
                {"system": name, **evidence}
                for systems in explained.values()
                for name, (_, evidence) in systems.items()
            ]
        print(to_json(result))
        return
    from sema.display.terminal import print_evidence, print_table

    print_table(replace(summary, signature=shown_signature(arguments, summary.signature)))
    whole_words = whole_words_of(summary.lang)
    for systems in explained.values():
        for name, (scores, evidence) in systems.items():
            print_evidence(evidence, scores, name, whole_words)
