"""``sema compare``: systems side by side, with intervals and significance."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from sema.cli.common import (
    add_format_arguments,
    add_sampling_arguments,
    add_signature_argument,
    progress_bar,
    shown_signature,
)
from sema.cli.inputs import read_inputs, saved_run, score_inputs
from sema.cli.messages import report_errors
from sema.cli.score import add_per_item_arguments, add_scoring_arguments, check_per_item, write_per_item
from sema.display.visible import to_json

if TYPE_CHECKING:
    from sema.scoring.results import Report

SHOWN_PAIRS = 12
"""Up to so many differences (of all metrics together) are shown without ``--full``."""

HELP = """Compare systems: scores with confidence intervals, significance of the differences, wins item by item
Reads a saved run (`sema score --save RUN`), or takes the same files and settings as `sema score`.

examples:
  sema compare RUN
  sema compare --lang en -s original.txt -o a.txt -o b.txt -r ref0.txt -r ref1.txt --metrics sari,bleu,sema
  sema compare --lang en -s original.txt -o a.txt -o b.txt -o c.txt --baseline a.txt --format latex
  sema compare RUN --figure scores.pdf"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema compare``."""
    parser.add_argument("run_folder", nargs="?", metavar="RUN", help="a saved run, in place of texts")
    add_scoring_arguments(parser, required=False)
    parser.add_argument("--baseline", metavar="NAME", help="compare each system with this one only (its file name)")
    add_sampling_arguments(parser, "resamplings")
    parser.add_argument("--confidence", type=_share, default=0.95, metavar="P", help="of intervals (default: 0.95)")
    add_format_arguments(parser)
    parser.add_argument("--full", action="store_true", help="show every pair of systems, however many there are")
    add_signature_argument(parser)
    add_per_item_arguments(parser)
    parser.add_argument("--figure", metavar="FILE", help="draw the scores and their intervals to FILE.svg or .pdf")


def run(arguments: argparse.Namespace) -> int:
    """Score, compare and print."""
    from sema.display.reports.figures import level_metric, trade_text
    from sema.display.reports.statistics import comparison_tables, item_table, steps_table
    from sema.display.tables import FORMATS
    from sema.evaluation.comparison import compare

    if arguments.figure is not None:
        from sema.display.reports.figures import check_figure_path
        from sema.display.reports.fonts import cache_outside_home

        cache_outside_home()
        check_figure_path(arguments.figure)
    report = _report(arguments)
    report_errors([item.error or "" for _, item in report.failed])
    with progress_bar("resampling") as progress:
        found = compare(
            report,
            baseline=arguments.baseline,
            samples=arguments.samples,
            seed=arguments.seed,
            confidence=arguments.confidence,
            progress=progress,
        )
    if arguments.figure is not None:
        from sema.display.reports.figures import intervals_figure, write_figure

        write_figure(intervals_figure(found.systems, found.metrics), arguments.figure)
    if arguments.format == "json":
        print(to_json(found.to_dict()))
    else:
        render = FORMATS[arguments.format]
        short = not arguments.full and len(found.pairs) > SHOWN_PAIRS
        signed = replace(found, signature=shown_signature(arguments, found.signature))
        tables = comparison_tables(signed, short=short)
        steps = steps_table(report)
        tables += [*([] if short else [item_table(found)]), *([steps] if steps else [])]
        print("\n\n".join(map(render, tables)))
        level = level_metric(found.metrics)
        if level and arguments.format == "text":
            print(f"\n{trade_text(found.systems, level)}")
        if short:
            print(f"\nall {len(found.pairs)} differences, with their items: --full")
    write_per_item(arguments, report)
    return 1 if report.failed else 0


def _report(arguments: argparse.Namespace) -> Report:
    saved = saved_run(arguments)
    if saved is not None:
        check_per_item(arguments)
        return saved.report()
    inputs = read_inputs(arguments)
    check_per_item(arguments)
    return score_inputs(inputs)


def _share(text: str) -> float:
    value = float(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value
