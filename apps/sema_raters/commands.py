"""``sema forms`` and ``sema agreement``: people's ratings, and how far raters agree."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sema.cli.arguments import (
    FORMAT,
    RAW_CELLS,
    Cells,
    Page,
    argument,
    choice,
    flag,
    read,
    repeated,
    sampling,
    several,
    source,
    written,
)
from sema.cli.commands import chosen, command, names
from sema.cli.messages import progress_bar
from sema.cli.texts import print_json, readable, usable, write_text
from sema.errors import UsageError, counted
from sema.files.formats import write_cells
from sema.files.ids import in_order_of
from sema.files.texts import Column, open_outputs, read_column, system_names
from sema.languages import check_code
from sema_raters.questionnaires import QUESTIONNAIRES, form_page, make_entries

if TYPE_CHECKING:
    from sema.evaluation.ratings import Key
    from sema_raters.ratings import RatingsTable


@command(
    argument("kind", "KIND", ", ".join(QUESTIONNAIRES), choices=tuple(QUESTIONNAIRES)),
    source(),
    several("-o --output", "OUTPUT", "a system's outputs"),
    written("-w --write", "FILE.html", "the page", kind=Page, required=True),
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
    check_code(arguments.lang)
    originals = read_column(arguments.source, "source")
    outputs = in_order_of(originals, open_outputs(arguments.output))
    questionnaire = QUESTIONNAIRES[arguments.kind]
    named = dict(zip(system_names(outputs), (_texts(column, "output") for column in outputs), strict=True))
    entries = make_entries(questionnaire, _texts(originals, "source"), named, seed=arguments.seed)
    write_text(arguments.write, form_page(questionnaire, entries, lang=arguments.lang))
    print(f"{arguments.write}: {counted(len(entries), 'item')}")
    return 0


def _texts(column: Column, role: str) -> list[str]:
    given: list[Any] = usable(readable(column, role, False))
    return [text if isinstance(text, str) else " ".join(text) for text in given]


@command(
    read("ratings", "RATINGS", "a table of ratings, rater by rater"),
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
    *sampling("simulated raters"),
    written("--averages", "FILE", "write every item's means to FILE.csv or .tsv, for `sema metaeval`", kind=Cells),
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
    from sema.display.terminal import print_tables
    from sema_raters.agreement import agreement, agreement_table, means_table
    from sema_raters.ratings import RatingsTable

    path, item, raters = arguments.ratings, names(arguments.item), names(arguments.raters)
    form = QUESTIONNAIRES[arguments.form] if arguments.form else None
    table = RatingsTable.read(path, arguments.by, item=item, rater=arguments.rater, raters=raters, form=form)
    label: dict[Key, str] = {}
    if arguments.group:
        if any(arguments.group not in fields for fields in table.fields.values()):
            raise UsageError(f"has no column {arguments.group!r} in every row; name one to group by", file=path)
        label = {item: str(fields[arguments.group]) for item, fields in table.fields.items()}
    asked = []
    for column, raw in table.columns.items():
        ratings = raw.z_scores() if arguments.z_scores else raw
        asked.append((column, "all", ratings))
        for group in dict.fromkeys(label[item] for item in ratings.items if label):
            members = {item for item in label if label[item] == group}
            asked.append((column, group, ratings.select(members.__contains__)))
        if label:
            asked.append((column, f"means by {arguments.group}", ratings.group_means(label.__getitem__)))
    options = chosen(arguments, "scale", "samples", "seed")
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
        print_tables([means_table(agreements), agreement_table(agreements)], arguments.format)
    return 0


def _write_averages(table: RatingsTable, path: str, *, raw_cells: bool) -> None:
    """A row for each item: its columns and, for each aspect, mean, mean of the standardised ratings, and count."""
    rows = {item: dict(fields) for item, fields in table.fields.items()}
    for column, ratings in table.columns.items():
        numbers = zip(ratings.items, ratings.means(), ratings.z_scores().means(), ratings.counts, strict=True)
        for item, mean, standard, count in numbers:
            rows[item] |= {column: mean, f"{column}_zscore": standard, f"{column}_ratings": count}
    header = list(dict.fromkeys(name for row in rows.values() for name in row))
    write_cells(rows.values(), header, path, raw_cells=raw_cells)
