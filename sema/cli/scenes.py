"""``sema scenes``: print the Scenes of each line as JSON."""

from __future__ import annotations

import argparse
import sys

from sema.cli.common import add_language_arguments, make_analyser, place_error, progress_bar, read_sources, stretches
from sema.cli.messages import report_errors
from sema.cli.pictures import Pictures, add_picture_arguments
from sema.display.visible import to_json
from sema.errors import SemaError

HELP = """Print the Scenes of each text, one JSON object a line
Token indexes count the tokens of the whole item from 0; a broken item has an "error" in place of its Scenes.

examples:
  sema scenes --lang en original.txt
  sema scenes --lang en original.txt --html scenes.html
  echo "John got home and gave Mary a call." | sema scenes --lang en -"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema scenes``."""
    add_language_arguments(parser, aligns=False)
    parser.add_argument("file", metavar="FILE", help="texts, one a line (or a table); - for standard input")
    add_picture_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print one object per item, or draw its scene graph."""
    from sema.analysis.texts import around_errors
    from sema.model.scene_graph import SceneGraph

    analyser = make_analyser(arguments)
    column, texts = read_sources(arguments.file, arguments.tokenized)
    pictures = Pictures(arguments, len(texts), "Scenes")
    errors = []
    with progress_bar("scenes", stopped="what is printed is complete", prints=True) as progress:
        for part in stretches(texts, analyser, progress):
            analysed = around_errors([text for _, text in part], analyser.analyse)
            for (index, _), analysis in zip(part, analysed, strict=True):
                if isinstance(analysis, SemaError):
                    errors.append(place_error(analysis, column, index))
                    if not pictures.wanted:
                        print(to_json({"item": index, "error": errors[-1]}))
                elif pictures.wanted:
                    pictures.add(index, analysis.text.raw, SceneGraph.join(analysis.graphs).to_svg())
                else:
                    print(to_json({"item": index, **analysis.to_dict()}))
            sys.stdout.flush()
    pictures.finish()
    report_errors(errors)
    return 1 if errors else 0
