"""``sema score``, ``sema compare`` and ``sema report``: systems scored, side by side, and on a page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sema.cli.arguments import (
    FORMAT,
    PER_ITEM,
    RUN,
    SIGNATURE,
    Picture,
    SavedRun,
    argument,
    decimal,
    flag,
    positive,
    read,
    sampling,
    scored,
    written,
)
from sema.cli.commands import chosen, command
from sema.cli.messages import print_columns, progress_bar, report_errors, to_json
from sema.cli.texts import ScoringTask, print_json, read_inputs, saved_run, write_text
from sema.display.pictures.words import ENGLISH, NAMES, speaking
from sema.display.tables import cut, number
from sema.errors import UsageError, counted
from sema.files.formats import write_items
from sema.scoring.results import Report, item_name, short_signature
from sema.scoring.run_files import plain_text

CUT = 60  # how many characters of a source are shown in a list
SHOWN_PAIRS = 12  # up to this many differences (of all metrics together) are shown without `--full`


@command(
    *scored(),
    flag("--json", "print one JSON object instead of the table"),
    SIGNATURE,
    written("--save", "RUN", "keep everything in the folder RUN, for the other commands to read"),
    flag("--resume", "continue the unfinished run in the folder of --save"),
    flag("--overwrite", "replace the run in the folder of --save, if there is one"),
    *PER_ITEM,
    argument("--under", "SCORE", "list the outputs that score less by the first metric, the worst first", type=decimal),
)
def score(arguments: argparse.Namespace) -> int:
    """Score simplifications: a table of systems by metrics
    Files are UTF-8 text with one item a line, .docx with one a paragraph, or .jsonl, .csv, .tsv, .xlsx, .parquet
    (FILE:COLUMN names a column); text may be compressed (.gz, .bz2, .xz, .zip).

    examples:
      sema score --lang en -s original.txt -o system.txt
      sema score --lang en -s original.txt -o a.txt -o b.txt -r ref0.txt ref1.txt --metrics sema,samsa,sari,bleu
      sema score --lang zh --level passage -s 原文.txt -o 简化.txt --json --per-item scores.jsonl
      sema score --lang en -s original.txt -o system.txt --scenes ucca_xml/ --links links.jsonl
      sema score --lang en -s original.txt -o system.txt --metrics cefr,cefr_hit,meaning --set cefr.target=A2"""
    if arguments.resume and not arguments.save:
        raise UsageError("--resume goes on with a saved run; name its folder with --save")
    task = read_inputs(arguments)
    report = None
    if arguments.save:
        saved = task.save(arguments.save, **chosen(arguments, "resume", "overwrite"))
        summary = saved.summary
        if arguments.per_item or arguments.under is not None:
            report = saved.report()
    else:
        report = task.report()
        summary = report.summary
    listed = None if report is None or arguments.under is None else _listed(report, arguments.under)
    if arguments.json:
        print_json({**summary.to_dict(), **({} if listed is None else {"under": listed})})
    else:
        from sema.display.terminal import print_table

        print_table(replace(summary, signature=_shown_signature(arguments, summary.signature)))
        if listed is not None:
            _print_listed(listed, task, arguments.under)
    status = report_errors([failure.error for failure in summary.failed])
    if report is not None:
        _write_per_item(arguments, report)
    return status


def _listed(report: Report, limit: float) -> list[dict[str, Any]]:
    """The outputs beyond a threshold of the first metric, as ``sema score --json`` lists them."""
    metric, rows = report.metrics[0], []
    for output in report.worst_first(metric, limit):
        known = {} if report.ids is None else {"id": report.ids[output.item]}
        rows.append({"system": output.system, "item": output.item, **known, "scores": {metric: output.score}})
    return rows


def _print_listed(listed: Sequence[Mapping[str, Any]], task: ScoringTask, limit: float) -> None:
    """Print the list: the name of each item, and the beginning of its source."""
    metric = task.scorer.metrics[0].name
    print(f"\n{counted(len(listed), 'output')} worse than {limit:g} by {metric}")
    rows = []
    for row in listed:
        source = " ".join(plain_text(task.sources[row["item"]]).split())
        name, score = item_name(row["item"], row.get("id")), row["scores"][metric]
        rows.append([name, row["system"], number(score), cut(source, CUT)])
    if rows:
        print_columns(["", "system", metric, "source"], rows)


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
        signed = replace(comparison, signature=_shown_signature(arguments, comparison.signature))
        pairs = [] if short else [pairs_table(comparison), item_table(comparison, report.ids)]
        print_tables([comparison_table(signed), *pairs, *filter(None, [steps_table(report)])], arguments.format)
        if short:
            print(f"\nall {len(comparison.pairs)} differences, with their items: --full")
    _write_per_item(arguments, report)
    return status


@command(
    read("runs", "RUN", "folders that `sema score --save` wrote", nargs="+", type=SavedRun),
    written("-o --output", "FILE", "where the report goes (--json: default is stdout)"),
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


def _write_per_item(arguments: argparse.Namespace, report: Report) -> None:
    """Write the rows for ``--per-item``; what was printed before stands if that fails."""
    if arguments.per_item:
        sys.stdout.flush()
        labels, rows = report.labelled_rows()
        write_items(rows, report.metrics, arguments.per_item, labels=labels, raw_cells=arguments.raw_cells)


def _shown_signature(arguments: argparse.Namespace, signature: str) -> str:
    """The signature as it was asked for."""
    return signature if arguments.signature == "long" else short_signature(signature)
