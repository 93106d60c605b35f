"""``sema forms``, ``sema agreement``, ``sema metaeval``: people's ratings, and how far metrics agree with them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sema.cli.arguments import (
    FORMAT,
    RAW_CELLS,
    Picture,
    argument,
    choice,
    flag,
    repeated,
    sampling,
    several,
    source,
    written,
)
from sema.cli.commands import chosen, command, names
from sema.cli.messages import part_of, progress_bar, warn
from sema.cli.texts import print_json, readable, usable, write_text
from sema.errors import UsageError, counted
from sema.evaluation.questionnaires import QUESTIONNAIRES, make_entries
from sema.files.formats import write_csv
from sema.files.ids import in_order_of
from sema.files.texts import open_outputs, read_column, system_names
from sema.languages import check_code

if TYPE_CHECKING:
    from sema.display.tables import Cell, Table
    from sema.evaluation.metaevaluation import MetaEvaluation
    from sema.evaluation.ratings import Key, RatingsTable


@command(
    argument("kind", "KIND", ", ".join(QUESTIONNAIRES), choices=tuple(QUESTIONNAIRES)),
    source(),
    several("-o --output", "OUTPUT", "a system's outputs"),
    written("-w --write", "FILE.html", "the page", required=True),
    argument("--title", None, "of the page (default: the questionnaire's)", default=""),
    argument("--lang", "CODE", "language of the texts (default: en)", default="en"),
    argument("--seed", "N", "of the items' order (default: 12345)", type=int, default=12345),
)
def forms(arguments: argparse.Namespace) -> int:
    """Write a questionnaire as a web page that raters open, fill in and save as a CSV file
    The page needs no server. Every rater saves a file of answers; put together they are a table for `sema agreement`.
    likert: grammar, meaning, simplicity from 1 to 5; structural: SAMSA's four questions from 1 to 3; da: direct
    assessment from 0 to 100 with items of quality control; edits: changes counted (Simplicity+); references:
    simplifications to write.

    examples:
      sema forms likert -s original.txt -o system.txt -w page.html
      sema forms da -s original.txt -o a.txt -o b.txt --seed 7 -w page7.html
      sema forms references -s original.txt -w page.html
    The answers to `references` are references: sema score … -r answers-1.csv:reference"""
    from sema.display.reports.forms import form_page

    check_code(arguments.lang)
    originals = read_column(arguments.source, "source")
    outputs = in_order_of(originals, open_outputs(arguments.output))
    questionnaire = QUESTIONNAIRES[arguments.kind]
    values: list[Any] = [usable(readable(originals, "source", False))]
    values += [usable(readable(column, "output", False)) for column in outputs]
    sources, *systems = ([text if isinstance(text, str) else " ".join(text) for text in texts] for texts in values)
    named = dict(zip(system_names(outputs), systems, strict=True))
    entries = make_entries(questionnaire, sources, named, seed=arguments.seed)
    write_text(arguments.write, form_page(questionnaire, entries, title=arguments.title, lang=arguments.lang))
    print(f"{arguments.write}: {counted(len(entries), 'item')}")
    return 0


@command(
    argument("ratings", "RATINGS", "a table of ratings, rater by rater"),
    repeated("--by", "COLUMN", "column of ratings; repeatable (default: all numbers)"),
    argument("--item", "COLUMNS", "columns that tell items apart (default: item, sent_id, system …)"),
    argument("--rater", "COLUMN", "column of raters (default: rater, rater_id, annotator …)"),
    argument("--raters", "COLUMNS", "a column for each rater, in a table with a row for each item"),
    choice(
        "--form",
        [name for name, form in QUESTIONNAIRES.items() if form.scores],
        "the questionnaire whose answers these are: rate by its scores (structural: SAMSA's G, P, S and AvgHuman)",
    ),
    argument("--group", "COLUMN", "also by this column, such as the system"),
    flag("--z-scores", "standardise by each rater's mean and deviation first"),
    choice("--scale", ("nominal", "ordinal", "interval"), "of Krippendorff's alpha", default="interval"),
    choice("--weights", ("none", "linear", "quadratic"), "of Cohen's kappa", default="quadratic"),
    *sampling("simulated raters"),
    written("--averages", "FILE.csv", "write every item's means, for `sema metaeval`"),
    RAW_CELLS,
    *FORMAT,
)
def agreement(arguments: argparse.Namespace) -> int:
    """Mean ratings and agreement between raters: ICC, simulated raters, Krippendorff's alpha, weighted kappa
    Any CSV, TSV, JSONL or Parquet file with a row for each rating (columns for item, rater and rating),
    or with a row for each item and a column for each rater (--raters). Answers saved by the pages of `sema forms` are
    read as they are.

    examples:
      sema agreement answers.csv
      sema agreement simplicity_DA_ratings.csv --item sent_id,sys_name --rater rater_id --by simplicity --z-scores
      sema agreement rated.csv --item id --raters rating_1,rating_2,rating_3 --averages means.csv
      sema agreement answers.csv --form structural --group system --averages human.csv"""
    from sema.display.reports.statistics import agreement_table, means_table
    from sema.display.terminal import print_tables
    from sema.evaluation.agreement import agreement
    from sema.evaluation.ratings import RatingsTable

    path, item, raters = arguments.ratings, names(arguments.item), names(arguments.raters)
    form = QUESTIONNAIRES[arguments.form] if arguments.form else None
    table = RatingsTable.read(path, arguments.by, item=item, rater=arguments.rater, raters=raters, form=form)
    label = _labels(table, arguments.group, path) if arguments.group else {}
    asked = []
    for column, raw in table.columns.items():
        ratings = raw.z_scores() if arguments.z_scores else raw
        asked.append((column, "all", ratings))
        for group in dict.fromkeys(label[item] for item in ratings.items if label):
            asked.append((column, group, ratings.select(lambda item, group=group: label[item] == group)))  # type: ignore[misc]
        if label:
            asked.append((column, f"means by {arguments.group}", ratings.group_means(label.__getitem__)))
    options = chosen(arguments, "scale", "weights", "samples", "seed")
    agreements = []
    with progress_bar("resampling") as progress:
        for column, group, part in asked:
            agreements.append(agreement(part, rating=column, group=group, **options))
            progress(len(agreements), len(asked))
    if arguments.averages:
        _write_averages(table, arguments.averages, raw_cells=arguments.raw_cells)
    if arguments.format == "json":
        print_json([result.to_dict() for result in agreements])
    else:
        print_tables([means_table(agreements), agreement_table(agreements, arguments.weights)], arguments.format)
    return 0


def _labels(table: RatingsTable, column: str, path: str) -> dict[Key, str]:
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


@command(
    argument("--ratings", "FILE", "a row for each item, with ratings in columns", required=True),
    repeated("--by", "COLUMN", "column of ratings; repeatable", required=True),
    argument("--scores", "FILE", "per-item scores, where they stand in a file of their own"),
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
        "equal ratings at the median: as they stand, or in the order of the paper's authors (default: stable)",
        default="stable",
    ),
    choice("--p", ("two-sided", "one-sided"), "p-values (default: two-sided)", default="two-sided"),
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
    items = RatedItems.read(arguments.ratings, arguments.scores, on, _conditions(arguments.where))
    ratings = {column: items.numbers(column) for column in arguments.by}
    metrics = names(arguments.metrics) or items.number_columns(without=[*arguments.by, *on, group, system])
    scores = {column: items.numbers(column) for column in metrics}
    options = {"halves": arguments.halves, "sides": arguments.p}
    cluster = arguments.cluster or next(filter(items.shared, CLUSTER_COLUMNS), "none")
    options["clusters"] = None if cluster == "none" else items.texts(cluster)
    groups, systems = (items.texts(column) if column else None for column in (group, system))
    options |= {"groups": groups, "systems": systems}
    evaluations: list[MetaEvaluation] = []
    with progress_bar("correlating") as progress:
        for place, (column, values) in enumerate(ratings.items()):
            of_all = part_of(progress, place, len(ratings))
            evaluations.append(metaevaluate(values, scores, rating=column, **options, progress=of_all))
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
    from sema.display.reports.figures import write_figure
    from sema.display.reports.regressions import Cloud, regression_figure
    from sema.evaluation.metaevaluation import system_means

    def means(column: Sequence[float]) -> list[float]:
        return list(system_means(column, systems or ()).values())

    rows: list[list[Cloud]] = []
    for evaluation, (rating, values) in zip(evaluations, ratings.items(), strict=True):
        rows.append([])
        for one in evaluation.splits[2].results:
            rows[-1].append(Cloud(one.metric, rating, values, scores[one.metric], one.pearson.value, groups or ()))
        rows.append([])
        for one in evaluation.splits[-1].results if systems else ():
            points = means(values), means(scores[one.metric])
            rows[-1].append(Cloud(f"{one.metric}, means", f"{rating}, means", *points, one.pearson.value))
    write_figure(regression_figure(rows), path)


def _conditions(texts: Sequence[str]) -> Mapping[str, str]:
    for text in texts:
        if "=" not in text:
            raise UsageError(f"--where {text} lacks a value; write COLUMN=VALUE")
    return dict(text.split("=", 1) for text in texts)


def _noted_once(tables: Sequence[Table]) -> list[Table]:
    """The tables that have a number; a note stays only below the first of them that has it."""
    shown = [table for table in tables if any(_has_number(cell) for row in table.rows for cell in row[1:])]
    known: set[str] = set()
    noted = []
    for table in shown or tables[:1]:
        noted.append(replace(table, notes=[note for note in dict.fromkeys(table.notes) if note not in known]))
        known.update(table.notes)
    return noted


def _has_number(cell: Cell | str) -> bool:
    text = cell if isinstance(cell, str) else cell.text
    return text[:1].isdigit() or text[:2].strip("-.")[:1].isdigit()
