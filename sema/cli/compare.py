"""``sema compare`` and ``sema report``: systems side by side, and runs on a page."""

from __future__ import annotations

import argparse
from dataclasses import replace

from sema.cli.arguments import (
    FORMAT,
    PER_ITEM,
    RUN,
    SIGNATURE,
    PageOrData,
    Picture,
    SavedRun,
    argument,
    flag,
    positive,
    read,
    sampling,
    scored,
    written,
)
from sema.cli.commands import chosen, command
from sema.cli.messages import progress_bar, report_errors, to_json
from sema.cli.score import shown_signature, write_per_item
from sema.cli.texts import print_json, read_inputs, saved_run, write_text
from sema.display.pictures.words import ENGLISH, NAMES, speaking
from sema.errors import UsageError

SHOWN_PAIRS = 12  # up to this many differences (of all metrics together) are shown without `--full`


@command(
    RUN,
    *scored(required=False),
    argument("--baseline", "NAME", "compare each system with this one only (its file name)"),
    *sampling("resamplings"),
    *FORMAT,
    flag("--full", "show every pair of systems, however many there are"),
    SIGNATURE,
    *PER_ITEM,
    written("--figure", "FILE", "draw the scores and their intervals to FILE.svg, .pdf or .png", kind=Picture),
)
def compare(arguments: argparse.Namespace) -> int:
    """Compare systems: scores with confidence intervals, significance of the differences, wins item by item
    Reads a saved run (`sema score --save RUN`), or takes the same files and settings as `sema score`. Several outputs
    of one source are not independent: intervals and tests draw whole sources.

    examples:
      sema compare RUN
      sema compare --lang en -s original.txt -o a.txt -o b.txt -r ref0.txt -r ref1.txt --metrics sari,bleu,sema
      sema compare --lang en -s original.txt -o a.txt -o b.txt -o c.txt --baseline a.txt --format latex
      sema compare RUN --figure scores.pdf"""
    from sema.display.reports.figures import intervals_figure, write_figure
    from sema.display.reports.statistics import comparison_table, item_table, pairs_table, paragraph, steps_table
    from sema.display.terminal import print_tables
    from sema.evaluation.clusters import same_sources
    from sema.evaluation.comparison import compare

    given = saved_run(arguments) or read_inputs(arguments)
    report = given.report()
    status = report_errors([failure.error for failure in report.summary.failed])
    clusters, sampling = same_sources(given.sources), chosen(arguments, "baseline", "samples", "seed")
    with progress_bar("resampling") as progress:
        comparison = compare(report, clusters=clusters, **sampling, progress=progress)
    if arguments.figure is not None:
        write_figure(intervals_figure(comparison.systems, comparison.metrics, report.ranges), arguments.figure)
    if arguments.format == "json":
        sources = len(set(clusters))
        printed = paragraph(report.summary, report.objects, sources, comparison.systems, comparison)
        print_json({**comparison.to_dict(), "sources": sources, "paragraph": printed})
    else:
        short = not arguments.full and len(comparison.pairs) > SHOWN_PAIRS
        signed = replace(comparison, signature=shown_signature(arguments, comparison.signature))
        pairs = [] if short else [pairs_table(comparison), item_table(comparison, report.ids)]
        print_tables([comparison_table(signed), *pairs, *filter(None, [steps_table(report)])], arguments.format)
        if short:
            print(f"\nall {len(comparison.pairs)} differences, with their items: --full")
    write_per_item(arguments, report)
    return status


@command(
    read("runs", "RUN", "folders that `sema score --save` wrote", nargs="+", type=SavedRun),
    written("-o --output", "FILE", "where the report goes: FILE.html (--json: FILE.json, or stdout)", kind=PageOrData),
    flag("--json", "print one JSON object: scores with intervals, the commonest operations, a paragraph for a paper"),
    argument("--metric", "NAME", "the metric that orders the items (default: the run's first)"),
    argument("--title", "TEXT", "the report's heading", default=""),
    argument("--words", "LANG", "language of the page's own words: en or zh", choices=NAMES, default=ENGLISH),
    argument("--show", "N", "how many of the worst items are shown in full", type=positive, default=6),
)
def report(arguments: argparse.Namespace) -> int:
    """Turn saved runs into a page to look at: scores with intervals, what was kept and lost, all items
    Several runs become chapters of one page.

    examples:
      sema report RUN -o report.html
      sema report ENGLISH CHINESE --metric sema -o report.html
      sema report RUN --json"""
    if arguments.output is None and not arguments.json:
        raise UsageError("a report needs a file; name one with -o, as in -o report.html")
    if arguments.output is not None and arguments.json != arguments.output.lower().endswith(".json"):
        raise UsageError("--json goes to .json, and a page to .html; name such a file", file=arguments.output)
    from sema.display.reports.chapters import read_chapter
    from sema.display.reports.report import report_html

    with progress_bar("making the report") as progress:
        chapters = [read_chapter(run, arguments.metric, progress) for run in arguments.runs]
        if arguments.json:
            text = to_json({"runs": [chapter.to_dict() for chapter in chapters]}) + "\n"
        else:
            with speaking(arguments.words):
                text = report_html(chapters, title=arguments.title, shown=arguments.show)
    if arguments.output is None:
        print(text, end="")
    else:
        write_text(arguments.output, text)
    return 0
