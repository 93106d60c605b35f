"""``sema align``: print the word links of each source and output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sema.cli.common import STRETCH, add_language_arguments, make_analyser, progress_bar, readable
from sema.cli.messages import report_errors
from sema.cli.pictures import Pictures, add_picture_arguments
from sema.display.visible import to_json
from sema.errors import InputError

if TYPE_CHECKING:
    from sema.analysis.analyser import Analyser
    from sema.analysis.texts import RawText, Readable
    from sema.model.links import Alignment

HELP = """Print the links between each source and the sentences of its output
One JSON object per item; a link is [source index, output index in its sentence, kind].

examples:
  sema align --lang en -s original.txt -o system.txt
  sema align --lang en -s original.txt -o system.txt --pretty
  sema align --lang en -s original.txt -o system.txt --svg pictures/"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema align``."""
    add_language_arguments(parser)
    parser.add_argument("-s", "--source", required=True, metavar="SOURCE", help="the original texts")
    parser.add_argument("-o", "--output", required=True, metavar="OUTPUT", help="one system's outputs")
    parser.add_argument("--pretty", action="store_true", help="show the links in colour by kind instead of JSON")
    add_picture_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print one object, or one picture, for each item."""
    from sema.files.texts import read_column, same_length
    from sema.scoring.letters import LetterCheck

    analyser = make_analyser(arguments)
    columns = [read_column(arguments.source, "source"), read_column(arguments.output, "output")]
    same_length(columns)
    pictures = Pictures(arguments, len(columns[0].values), "Word links")
    sources, outputs = (
        readable(column, role, arguments.tokenized) for column, role in zip(columns, ("source", "output"), strict=True)
    )
    failed: list[str] = []
    letters = LetterCheck(analyser.parts.language)
    with progress_bar("aligning", stopped="what is printed is complete", prints=True) as progress:
        for start in range(0, len(sources), STRETCH):
            end = start + STRETCH
            letters.check(start, {"source": sources[start:end], "output": outputs[start:end]})
            for index, found in enumerate(_aligned(analyser, sources[start:end], outputs[start:end]), start):
                failed += [found] if isinstance(found, str) else []
                if pictures.wanted:
                    if not isinstance(found, str):
                        pictures.add(index, _words(found), found.to_svg())
                else:
                    row = {"error": found} if isinstance(found, str) else found.to_dict()
                    _show({"item": index, **row}, arguments.pretty)
            sys.stdout.flush()
            progress(min(end, len(sources)), len(sources))
    pictures.finish()
    report_errors(failed)
    return 1 if failed else 0


def _aligned(analyser: Analyser, sources: Sequence[Readable], outputs: Sequence[Readable]) -> list[Alignment | str]:
    """The links of some items, or the errors that kept them from having any."""
    from sema.analysis.texts import around_errors, first_error
    from sema.model.links import Alignment

    def aligned(pairs: list[tuple[RawText, RawText]]) -> list[Alignment]:
        texts = analyser.segment([text for pair in pairs for text in pair])
        cut = list(zip(texts[::2], texts[1::2], strict=True))
        found = zip(cut, analyser.align(cut), strict=True)
        return [Alignment(source.words, output.sentence_words, links) for (source, output), links in found]

    pairs = zip(sources, outputs, strict=True)
    found = around_errors([first_error(*pair) or pair for pair in pairs], aligned)
    return [str(one) if isinstance(one, InputError) else one for one in found]


def _words(alignment: Alignment) -> str:
    output = " ".join(word for words in alignment.sentences for word in words)
    return f"{' '.join(alignment.source)} / {output}"


def _show(row: dict[str, Any], pretty: bool) -> None:
    if pretty:
        from sema.display.terminal import print_links

        print_links(row)
    else:
        print(to_json(row))
