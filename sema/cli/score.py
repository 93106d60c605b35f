"""``sema score``: systems by metrics."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sema.cli.arguments import (
    PER_ITEM,
    SIGNATURE,
    argument,
    decimal,
    flag,
    scored,
    written,
)
from sema.cli.commands import chosen, command
from sema.cli.messages import print_columns, report_errors
from sema.cli.texts import ScoringTask, print_json, read_inputs
from sema.display.tables import cut, number
from sema.errors import UsageError, counted
from sema.files.formats import write_items
from sema.scoring.results import Report, item_name, short_signature
from sema.scoring.run_files import plain_text

CUT = 60  # how many characters of a source are shown in a list


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
    task = read_inputs(arguments, explains=arguments.save is not None)
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

        print_table(replace(summary, signature=shown_signature(arguments, summary.signature)))
        if listed is not None:
            _print_listed(listed, task, arguments.under)
    status = report_errors([failure.error for failure in summary.failed])
    if report is not None:
        write_per_item(arguments, report)
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


def write_per_item(arguments: argparse.Namespace, report: Report) -> None:
    """Write the rows for ``--per-item``; what was printed before stands if that fails."""
    if arguments.per_item:
        sys.stdout.flush()
        labels, rows = report.labelled_rows()
        write_items(rows, report.metrics, arguments.per_item, labels=labels, raw_cells=arguments.raw_cells)


def shown_signature(arguments: argparse.Namespace, signature: str) -> str:
    """The signature as it was asked for."""
    return signature if arguments.signature == "long" else short_signature(signature)
