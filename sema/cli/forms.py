"""``sema forms``: questionnaires for raters."""

from __future__ import annotations

import argparse
from pathlib import Path

from sema.cli.common import MANY_FILES

HELP = """Write a questionnaire as a web page that raters open, fill in and save as a CSV file
The page needs no server. Every rater saves a file of answers; put together they are a table for `sema agreement`.
likert: grammar, meaning, simplicity from 1 to 5; structural: SAMSA's four questions from 1 to 3; da: direct assessment
from 0 to 100 with items of quality control; edits: changes counted (Simplicity+); references: simplifications to write.

examples:
  sema forms likert -s original.txt -o system.txt -w page.html
  sema forms da -s original.txt -o a.txt -o b.txt --seed 7 -w page7.html
  sema forms references -s original.txt -w page.html
The answers to `references` are references: sema score … -r answers-1.csv:reference"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema forms``."""
    from sema.evaluation.questionnaires import QUESTIONNAIRES

    parser.add_argument("kind", choices=tuple(QUESTIONNAIRES), metavar="KIND", help=", ".join(QUESTIONNAIRES))
    parser.add_argument("-s", "--source", required=True, metavar="SOURCE", help="the original texts")
    parser.add_argument("-o", "--output", **MANY_FILES, metavar="OUTPUT", help="a system's outputs")
    parser.add_argument("-w", "--write", required=True, metavar="FILE.html", help="the page")
    parser.add_argument("--title", default="", help="of the page (default: the questionnaire's)")
    parser.add_argument("--lang", default="en", metavar="CODE", help="language of the texts (default: en)")
    parser.add_argument("--seed", type=int, default=12345, metavar="N", help="of the items' order (default: 12345)")


def run(arguments: argparse.Namespace) -> int:
    """Read the texts and write the page."""
    from sema.display.reports.forms import form_page
    from sema.errors import InputError
    from sema.evaluation.questionnaires import QUESTIONNAIRES, make_entries
    from sema.files.replacing import replacing
    from sema.files.texts import read_column, same_length
    from sema.languages import check_code

    check_code(arguments.lang)
    source = read_column(arguments.source, "source")
    outputs = [read_column(path, "output") for paths in arguments.output for path in paths]
    same_length([source, *outputs])
    columns = []
    for column in (source, *outputs):
        texts = []
        for value in column.values:
            if isinstance(value, InputError):
                raise value
            texts.append(value if isinstance(value, str) else " ".join(value))
        columns.append(texts)
    questionnaire = QUESTIONNAIRES[arguments.kind]
    systems = {column.name: texts for column, texts in zip(outputs, columns[1:], strict=True)}
    entries = make_entries(questionnaire, columns[0], systems, seed=arguments.seed)
    page = form_page(questionnaire, entries, title=arguments.title, lang=arguments.lang)
    with replacing(Path(arguments.write)) as file:
        file.write(page.encode())
    print(f"{arguments.write}: {len(entries)} items")
    return 0
