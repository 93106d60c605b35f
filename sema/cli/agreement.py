"""``sema agreement``: how far raters agree."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sema.cli.common import add_format_arguments, add_raw_cells, add_sampling_arguments
from sema.display.visible import to_json
from sema.files.formats import write_csv

if TYPE_CHECKING:
    from sema.evaluation.ratings import Key, RatingsTable

HELP = """Agreement between raters: ICC, simulated raters, Krippendorff's alpha, weighted kappa, correlations
Any CSV, TSV, JSONL or Parquet file with a row for each rating (columns for item, rater and rating),
or with a row for each item and a column for each rater (--raters). Answers saved by the pages of `sema forms` are
read as they are.

examples:
  sema agreement answers.csv
  sema agreement simplicity_DA_ratings.csv --item sent_id,sys_name --rater rater_id --by simplicity --z-scores
  sema agreement rated.csv --item id --raters rating_1,rating_2,rating_3 --averages means.csv"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema agreement``."""
    parser.add_argument("ratings", metavar="RATINGS", help="a table of ratings, rater by rater")
    by = "column of ratings; repeatable (default: all numbers)"
    parser.add_argument("--by", metavar="COLUMN", action="append", default=[], help=by)
    parser.add_argument(
        "--item", metavar="COLUMNS", help="columns that tell items apart (default: item, sent_id, system …)"
    )
    parser.add_argument("--rater", metavar="COLUMN", help="column of raters (default: rater, rater_id, annotator …)")
    parser.add_argument(
        "--raters", metavar="COLUMNS", help="a column for each rater, in a table with a row for each item"
    )
    parser.add_argument("--group", metavar="COLUMN", help="also by this column, such as the system")
    parser.add_argument("--z-scores", action="store_true", help="standardise by each rater's mean and deviation first")
    parser.add_argument(
        "--scale", choices=("nominal", "ordinal", "interval"), default="interval", help="of Krippendorff's alpha"
    )
    parser.add_argument(
        "--weights", choices=("none", "linear", "quadratic"), default="quadratic", help="of Cohen's kappa"
    )
    add_sampling_arguments(parser, "simulated raters")
    parser.add_argument("--averages", metavar="FILE.csv", help="write every item's means, for `sema metaeval`")
    add_raw_cells(parser)
    add_format_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read, measure and print."""
    from sema.cli.common import names, progress_bar
    from sema.display.reports.statistics import agreement_table
    from sema.display.tables import FORMATS
    from sema.evaluation.agreement import agreement
    from sema.evaluation.ratings import RatingsTable

    table = RatingsTable.read(
        arguments.ratings,
        arguments.by,
        item=names(arguments.item),
        rater=arguments.rater,
        raters=names(arguments.raters),
    )
    label = _labels(table, arguments.group, arguments.ratings) if arguments.group else {}
    asked = []
    for column, raw in table.columns.items():
        ratings = raw.z_scores() if arguments.z_scores else raw
        asked.append((column, "all", ratings))
        for group in dict.fromkeys(label[item] for item in ratings.items if label):
            asked.append((column, group, ratings.select(lambda item, group=group: label[item] == group)))  # type: ignore[misc]
        if label:
            asked.append((column, f"means by {arguments.group}", ratings.group_means(label.__getitem__)))
    found = []
    with progress_bar("resampling") as progress:
        for column, group, part in asked:
            found.append(
                agreement(
                    part,
                    rating=column,
                    group=group,
                    scale=arguments.scale,
                    weights=arguments.weights,
                    samples=arguments.samples,
                    seed=arguments.seed,
                )
            )
            progress(len(found), len(asked))
    if arguments.averages:
        _write_averages(table, arguments.averages, raw_cells=arguments.raw_cells)
    if arguments.format == "json":
        print(to_json([result.to_dict() for result in found]))
    else:
        print(FORMATS[arguments.format](agreement_table(found, arguments.weights)))
    return 0


def _labels(table: RatingsTable, column: str, path: str) -> dict[Key, str]:
    from sema.errors import UsageError

    if any(column not in fields for fields in table.fields.values()):
        raise UsageError(f"has no column {column!r} in every row; name one to group by", file=path)
    return {item: str(fields[column]) for item, fields in table.fields.items()}


def _write_averages(table: RatingsTable, path: str, *, raw_cells: bool) -> None:
    """A row for each item: its columns and, for each aspect, mean, mean of the standardised ratings, and count."""
    rows = {item: dict(fields) for item, fields in table.fields.items()}
    for column, ratings in table.columns.items():
        numbers = zip(ratings.items, ratings.means(), ratings.z_scores().means(), ratings.counts, strict=True)
        for item, mean, standard, count in numbers:
            rows[item] |= {column: mean, f"{column}_zscore": standard, f"{column}_ratings": count}
    header = list(dict.fromkeys(name for row in rows.values() for name in row))
    write_csv(rows.values(), header, path, raw_cells=raw_cells)
