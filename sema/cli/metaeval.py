"""``sema metaeval``: how far metrics agree with people's ratings."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sema.cli.arguments import FORMAT, Picture, argument, choice, flag, read, repeated, written
from sema.cli.commands import chosen, command, names, pairs
from sema.cli.messages import progress_bar, warn
from sema.cli.texts import print_json
from sema.display.tables import Table

if TYPE_CHECKING:
    from sema.evaluation.metaevaluation import MetaEvaluation

NUMBER = re.compile(r"[-.]?\d")


@command(
    read("--ratings", "FILE", "a row for each item, with ratings in columns", required=True),
    repeated("--by", "COLUMN", "column of ratings; repeatable", required=True),
    read("--scores", "FILE", "per-item scores, where they stand in a file of their own"),
    argument("--on", "COLUMNS", "columns that both files share and that tell items apart"),
    repeated("--where", "COLUMN=VALUE", "only such rows of the scores; repeatable"),
    argument("--metrics", "COLUMNS", "columns of scores (default: every other column of numbers)"),
    argument("--group", "COLUMN", "also by this column, such as the system type"),
    argument("--system", "COLUMN", "also correlate the means of the systems in this column"),
    argument("--cluster", "COLUMN", "rows with equal values are not independent (default: source or item; none: no)"),
    flag("--williams", "also print Williams' tests between all metrics"),
    choice(
        "--halves",
        ("stable", "authors"),
        "equal ratings at the median: as they stand, or in the order of the paper's authors",
        default="stable",
    ),
    written("--plot", "FILE", "draw scores against ratings, with regression lines, to FILE.svg, .pdf or .png", Picture),
    *FORMAT,
)
def metaeval(arguments: argparse.Namespace) -> int:
    """Correlate per-item scores with ratings: Pearson, Spearman, Kendall, Williams' test between metrics
    Any CSV, TSV, JSONL or Parquet file with a row for each item. Scores stand in the same file or in one of their own
    (--scores), matched by shared columns (--on) or row by row. Several outputs of one source, and several ratings of
    one item, are not independent: intervals and tests count them by source (--cluster none: as if they were).

    examples:
      sema metaeval --ratings rated.csv --by simplicity --metrics sari,bleu --group sys_type
      sema metaeval --ratings simplicity_DA.csv --by simplicity_zscore --scores metrics_simplicity_DA.csv \\
        --on sent_id,sys_name --where test_set=asset --metrics bleu,sari,fkgl --group sys_type
      sema metaeval --ratings rated.csv --by simplicity --metrics sari,bleu --system sent_id --plot points.svg
    The plot has a panel for each metric: a point for each item, in the colour of its --group, and the least-squares
    line; with --system also one of the means in that column (of systems, or with --system sent_id of sources)."""
    from sema.display.reports.statistics import COEFFICIENTS, correlation_table, williams_table
    from sema.display.terminal import print_tables
    from sema.evaluation.metaevaluation import metaevaluate
    from sema.evaluation.ratings import CLUSTER_COLUMNS, RatedItems

    on, group, system = names(arguments.on), arguments.group, arguments.system
    where = pairs(arguments.where, "--where", "COLUMN")
    items = RatedItems.read(arguments.ratings, arguments.scores, on, where)
    ratings = {column: items.numbers(column) for column in arguments.by}
    metrics = names(arguments.metrics) or items.number_columns(without=[*arguments.by, *on, group, system])
    scores = {column: items.numbers(column) for column in metrics}
    cluster = arguments.cluster or next(filter(items.shared, CLUSTER_COLUMNS), "none")
    clusters, groups, systems = (
        items.texts(column) if column else None for column in (cluster if cluster != "none" else None, group, system)
    )
    options = {**chosen(arguments, "halves"), "clusters": clusters, "groups": groups, "systems": systems}
    evaluations: list[MetaEvaluation] = []
    with progress_bar("correlating") as progress:
        for place, (column, values) in enumerate(ratings.items()):

            def show(done: int, total: int, before: int = place) -> None:
                progress(before * total + done, len(ratings) * total)

            evaluations.append(metaevaluate(values, scores, rating=column, **options, progress=show))
    if arguments.plot is not None:
        _plot(arguments.plot, evaluations, ratings, scores, groups, systems)
    if arguments.format == "json":
        for result in evaluations:
            for warning in result.warnings:
                warn(f"{result.rating}: {warning}")
        print_json([result.to_dict() for result in evaluations])
    else:
        tables = [correlation_table(result, coefficient) for result in evaluations for coefficient in COEFFICIENTS]
        if arguments.williams:
            tables += [
                williams_table(result, split) for result in evaluations for split in result.splits if split.williams
            ]
        print_tables(_noted_once(tables), arguments.format)
    return 0


def _plot(
    path: str,
    evaluations: Sequence[MetaEvaluation],
    ratings: Mapping[str, Sequence[float]],
    scores: Mapping[str, Sequence[float]],
    groups: Sequence[str] | None,
    systems: Sequence[str] | None,
) -> None:
    """Draw every metric against each column of ratings, item by item, and by the means of the systems."""
    from sema.display.reports.figures import Cloud, regression_figure, write_figure
    from sema.evaluation.metaevaluation import system_means

    rows: list[list[Cloud]] = []
    for evaluation, (rating, values) in zip(evaluations, ratings.items(), strict=True):
        rows.append([])
        for one in evaluation.splits[2].results:
            rows[-1].append(Cloud(one.metric, rating, values, scores[one.metric], one.pearson.value, groups or ()))
        rows.append([])
        for one in evaluation.splits[-1].results if systems else ():
            across, up = system_means(systems or (), values, scores[one.metric])
            rows[-1].append(Cloud(f"{one.metric}, means", f"{rating}, means", across, up, one.pearson.value))
    write_figure(regression_figure(rows), path)


def _noted_once(tables: Sequence[Table]) -> list[Table]:
    """The tables that have a number; a note stays only below the first of them that has it."""
    shown = [table for table in tables if any(NUMBER.match(cell.text) for row in table.cells() for cell in row[1:])]
    known: set[str] = set()
    noted = []
    for table in shown or tables[:1]:
        noted.append(replace(table, notes=[note for note in dict.fromkeys(table.notes) if note not in known]))
        known.update(table.notes)
    return noted
