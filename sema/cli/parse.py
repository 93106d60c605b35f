"""``sema parse``: write scene graphs as UCCA standard XML."""

from __future__ import annotations

import argparse
from pathlib import Path

from sema.cli.common import add_language_arguments, make_analyser, place_error, read_sources, report_errors
from sema.errors import InputError, SemaError

HELP = """Parse texts and write one UCCA standard XML file an item
The files (00000.xml, 00001.xml ...) can be edited in UCCA's tools and given back with `sema score --scenes DIR`.

example:
  sema parse --lang en original.txt --to ucca_xml/"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema parse``."""
    add_language_arguments(parser)
    parser.add_argument("file", metavar="FILE", help="texts, one a line (or a table); - for standard input")
    parser.add_argument("--to", required=True, metavar="DIR", help="folder for the files; made if it is missing")


def run(arguments: argparse.Namespace) -> int:
    """Write one file an item; a broken item leaves its number out."""
    from sema.files.scene_formats import writable_format
    from sema.model.text import Text

    scene_format = writable_format("ucca")
    write = scene_format.write
    assert write is not None
    folder = Path(arguments.to)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made a folder: {error.strerror}; name another", file=folder) from error
    analyser = make_analyser(arguments)
    column, inputs = read_sources(arguments.file, arguments.tokenized, analyser)
    parsed = iter(analyser.graphs([text for text in inputs if isinstance(text, Text)]))
    errors = []
    written = 0
    for index, text in enumerate(inputs):
        graphs = text if isinstance(text, SemaError) else next(parsed)
        try:
            if isinstance(graphs, SemaError):
                raise graphs
            if not graphs:
                raise InputError("the text has no words; give it one, or take the item out")
            write(graphs, folder / f"{index:05d}{scene_format.suffix}")
            written += 1
        except SemaError as error:
            errors.append(place_error(error, column, index))
    report_errors(errors)
    print(f"{written} files in {folder}")
    return 1 if errors else 0
