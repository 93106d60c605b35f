"""``sema scenes``: print the Scenes of each line as JSON."""

from __future__ import annotations

import argparse
import json

from sema.cli.common import (
    add_language_arguments,
    make_analyser,
    place_error,
    read_sources,
    report_errors,
)
from sema.errors import SemaError

HELP = """Print the Scenes of each text, one JSON object a line
Token indexes count the tokens of the whole item from 0; a broken item has an "error" in place of its Scenes.

examples:
  sema scenes --lang en original.txt
  echo "John got home and gave Mary a call." | sema scenes --lang en -"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema scenes``."""
    add_language_arguments(parser)
    parser.add_argument("file", metavar="FILE", help="texts, one a line (or a table); - for standard input")


def run(arguments: argparse.Namespace) -> int:
    """Print one object an item."""
    from sema.model.text import Text

    analyser = make_analyser(arguments)
    column, inputs = read_sources(arguments.file, arguments.tokenized, analyser)
    analysed = iter(analyser.analyse([text for text in inputs if isinstance(text, Text)]))
    errors = []
    for index, text in enumerate(inputs):
        analysis = text if isinstance(text, SemaError) else next(analysed)
        if isinstance(analysis, SemaError):
            errors.append(place_error(analysis, column, index))
            print(json.dumps({"item": index, "error": errors[-1]}, ensure_ascii=False))
            continue
        row = {
            "item": index,
            "tokens": list(analysis.text.words),
            "sentences": [list(span) for span in analysis.text.sentences],
            "scenes": [scene.to_dict() for scene in analysis.scenes],
        }
        print(json.dumps(row, ensure_ascii=False))
    report_errors(errors)
    return 1 if errors else 0
