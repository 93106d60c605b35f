"""``sema metaeval``: how well metrics agree with people."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sema.cli.common import add_format_arguments
from sema.display.visible import to_json

if TYPE_CHECKING:
    from sema.display.tables import Cell, Table

HELP = """Correlate per-item scores with ratings: Pearson, Spearman, Kendall, Williams' test between metrics
Any CSV, TSV, JSONL or Parquet file with a row for each item. Scores stand in the same file or in one of their own
(--scores), matched by shared columns (--on) or row by row.

examples:
  sema metaeval --ratings rated.csv --by simplicity --metrics sari,bleu --group sys_type
  sema metaeval --ratings simplicity_DA.csv --by simplicity_zscore --scores metrics_simplicity_DA.csv \\
    --on sent_id,sys_name --where test_set=asset --metrics bleu,sari,fkgl --group sys_type"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema metaeval``."""
    parser.add_argument("--ratings", required=True, metavar="FILE", help="a row for each item, with ratings in columns")
    parser.add_argument("--by", required=True, metavar="COLUMN", action="append", help="column of ratings; repeatable")
    parser.add_argument("--scores", metavar="FILE", help="per-item scores, where they stand in a file of their own")
    parser.add_argument("--on", metavar="COLUMNS", help="columns that both files share and that tell items apart")
    parser.add_argument(
        "--where", metavar="COLUMN=VALUE", action="append", default=[], help="only such rows of the scores; repeatable"
    )
    parser.add_argument(
        "--metrics", metavar="COLUMNS", help="columns of scores (default: every other column of numbers)"
    )
    parser.add_argument("--group", metavar="COLUMN", help="also by this column, such as the system type")
    parser.add_argument("--system", metavar="COLUMN", help="also correlate the means of the systems in this column")
    parser.add_argument("--williams", action="store_true", help="also print Williams' tests between all metrics")
    parser.add_argument(
        "--halves",
        choices=("stable", "authors"),
        default="stable",
        help="equal ratings at the median: as they stand, or in the order of the paper's authors (default: stable)",
    )
    parser.add_argument(
        "--p", choices=("two-sided", "one-sided"), default="two-sided", help="p-values (default: two-sided)"
    )
    add_format_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read, join, correlate and print."""
    from sema.cli.common import names, progress_bar
    from sema.cli.messages import warn
    from sema.display.reports.statistics import COEFFICIENTS, correlation_table, williams_table
    from sema.display.tables import FORMATS
    from sema.evaluation.metaevaluation import MetaEvaluation, metaevaluate
    from sema.evaluation.ratings import RatedItems

    items = RatedItems.read(arguments.ratings, arguments.scores, names(arguments.on), _conditions(arguments.where))
    ratings = {column: items.numbers(column) for column in arguments.by}
    metrics = names(arguments.metrics) or items.number_columns(
        without=[*arguments.by, *names(arguments.on), arguments.group, arguments.system]
    )
    scores = {column: items.numbers(column) for column in metrics}
    found: list[MetaEvaluation] = []
    with progress_bar("correlating") as progress:
        for column, values in ratings.items():
            before = len(found)
            result = metaevaluate(
                values,
                scores,
                rating=column,
                groups=items.texts(arguments.group) if arguments.group else None,
                systems=items.texts(arguments.system) if arguments.system else None,
                halves=arguments.halves,
                sides=arguments.p,
                progress=lambda done, total, before=before: progress(before * total + done, len(ratings) * total),  # type: ignore[misc]
            )
            found.append(result)
    if arguments.format == "json":
        for result in found:
            for warning in result.warnings:
                warn(f"{result.rating}: {warning}")
        print(to_json([result.to_dict() for result in found]))
    else:
        render = FORMATS[arguments.format]
        tables = [correlation_table(result, coefficient) for result in found for coefficient in COEFFICIENTS]
        if arguments.williams:
            tables += [williams_table(result, split) for result in found for split in result.splits if split.williams]
        print("\n\n".join(map(render, _noted_once(tables))))
    return 0


def _noted_once(tables: Sequence[Table]) -> list[Table]:
    """The tables that have a number, each note below the first of them that has it."""
    shown = [table for table in tables if any(_has_number(cell) for row in table.rows for cell in row[1:])]
    known: set[str] = set()
    found = []
    for table in shown or tables[:1]:
        found.append(replace(table, notes=[note for note in dict.fromkeys(table.notes) if note not in known]))
        known.update(table.notes)
    return found


def _has_number(cell: Cell | str) -> bool:
    text = cell if isinstance(cell, str) else cell.text
    return text[:1].isdigit() or text[:2].strip("-.")[:1].isdigit()


def _conditions(texts: Sequence[str]) -> Mapping[str, str]:
    from sema.errors import UsageError

    for text in texts:
        if "=" not in text:
            raise UsageError(f"--where {text} lacks a value; write COLUMN=VALUE")
    return dict(text.split("=", 1) for text in texts)
