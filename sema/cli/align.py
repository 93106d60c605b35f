"""``sema align``: print the word links of each source and output."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from sema.cli.common import add_language_arguments, make_analyser, readable, report_errors, same_length
from sema.errors import InputError

HELP = """Print the links between each source and the sentences of its output
One JSON object per item; a link is [source index, output index in its sentence, kind].

examples:
  sema align --lang en -s original.txt -o system.txt
  sema align --lang en -s original.txt -o system.txt --pretty"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema align``."""
    add_language_arguments(parser)
    parser.add_argument("-s", "--source", required=True, metavar="SOURCE", help="the original texts")
    parser.add_argument("-o", "--output", required=True, metavar="OUTPUT", help="one system's outputs")
    parser.add_argument("--pretty", action="store_true", help="show the links in colour by kind instead of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print one object, or one picture, for each item."""
    from sema.files.texts import read_column

    analyser = make_analyser(arguments)
    columns = [read_column(arguments.source, "source"), read_column(arguments.output, "output")]
    same_length(columns)
    sources, outputs = (
        readable(column, role, arguments.tokenized) for column, role in zip(columns, ("source", "output"), strict=True)
    )
    pairs: list[tuple[Any, Any]] = []
    errors: list[str | None] = []
    for source, output in zip(sources, outputs, strict=True):
        broken = next((str(text) for text in (source, output) if isinstance(text, InputError)), None)
        errors.append(broken)
        if broken is None:
            pairs.append((source, output))
    texts = analyser.segment([text for pair in pairs for text in pair])
    aligned = list(zip(texts[::2], texts[1::2], strict=True))
    links = iter(zip(aligned, analyser.align(aligned), strict=True))
    for index, broken in enumerate(errors):
        row: dict[str, Any] = {"item": index}
        if broken is not None:
            row["error"] = broken
        else:
            (source, output), found = next(links)
            row["source"] = list(source.words)
            row["sentences"] = [
                {"tokens": list(words), "links": [list(link[:3]) for link in sentence]}
                for words, sentence in zip(output.sentence_words, found, strict=True)
            ]
        _show(row, arguments.pretty)
    failed: Sequence[str] = [error for error in errors if error is not None]
    report_errors(failed)
    return 1 if failed else 0


def _show(row: dict[str, Any], pretty: bool) -> None:
    if pretty:
        from sema.report.terminal import print_links

        print_links(row)
    else:
        print(json.dumps(row, ensure_ascii=False))
