"""``sema simplify``: simpler texts, or n-best lists of them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sema.cli.common import place_error, positive, progress_bar, read_sources, setting_values
from sema.cli.messages import report_errors
from sema.errors import InputError, UsageError
from sema.model.forms import segmented

if TYPE_CHECKING:
    from sema.rerank.nbest import Candidate
    from sema.rerank.simplifiers import Simplifier

HELP = """Simplify texts with an installed simplifier (ppdb: English, by phrase rules and a tunable model)
A small system to try `sema rerank` and `sema tune` on: ppdb replaces words by more common synonyms where the encoder
finds that they fit the sentence, and does little else (--set ppdb.check=no: wherever a rule allows it). Prints a text
a line; with --nbest the n-best lists that the two commands read.

examples:
  sema simplify original.txt --lang en
  sema simplify original.txt --lang en --nbest 20 > nbest.jsonl
  sema simplify original.txt --lang en --rules rules.json.gz --weights weights.json --set ppdb.split=yes"""
STRETCH = 32


def add_simplifier_arguments(parser: argparse.ArgumentParser, default: str | None) -> None:
    """Options that choose a simplifier, its rules and its weights."""
    parser.add_argument(
        "--simplifier", default=default, metavar="NAME", help="an installed simplifier (shipped: ppdb, English)"
    )
    parser.add_argument("--rules", metavar="FILE", help="learned rules (see `python -m sema_ppdb.simplifier.learn`)")
    parser.add_argument("--weights", metavar="FILE", help="weights, as `sema tune` writes them")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema simplify``."""
    parser.add_argument("source", metavar="SOURCE", help="the original texts, one a line, or - for standard input")
    parser.add_argument("--lang", required=True, metavar="CODE", help="language of the texts")
    add_simplifier_arguments(parser, "ppdb")
    parser.add_argument("--tokenized", action="store_true", help="tokens are separated by spaces; a line is a sentence")
    parser.add_argument("--nbest", type=positive, metavar="N", help="print the N best with scores, features and steps")
    parser.add_argument(
        "--set",
        dest="settings",
        action="append",
        default=[],
        metavar="NAME.OPTION=VALUE",
        help="option of the simplifier",
    )


def make_simplifier(arguments: argparse.Namespace, settings: dict[str, object], **defaults: object) -> Simplifier:
    """The simplifier that the arguments name.

    Args:
        arguments: with language, simplifier, rules and weights.
        settings: those of ``--set`` that are its own.
        defaults: option values that a simplifier with such options uses; ``settings`` override them.

    Raises:
        UsageError: the simplifier is for another language.
    """
    from sema.model.language import base_code
    from sema.options import Settings
    from sema.rerank.simplifiers import find_simplifier

    values = dict(settings)
    for option in ("rules", "weights"):
        given = getattr(arguments, option)
        if given is not None:
            if not Path(given).is_file():
                raise InputError("there is no such file; check the name", file=given)
            values[f"{arguments.simplifier}.{option}"] = given
    simplifier = find_simplifier(arguments.simplifier, Settings(values, defaults))
    lang = getattr(simplifier, "lang", None)
    if lang is not None and base_code(arguments.lang) != lang:
        raise UsageError(f"the simplifier {arguments.simplifier!r} is for language {lang!r}, not {arguments.lang!r}")
    return simplifier


def run(arguments: argparse.Namespace) -> int:
    """Simplify and print."""
    from sema.display.visible import to_json
    from sema.languages import find_language
    from sema.model.text import Text
    from sema.rerank.nbest import NBest
    from sema.scoring.letters import LetterCheck

    language = find_language(arguments.lang)
    simplifier = make_simplifier(arguments, setting_values(arguments.settings))
    column, texts = read_sources(arguments.source, arguments.tokenized)
    segmenter, letters = language.parts().segmenter, LetterCheck(language)
    errors: list[str] = []
    with progress_bar("simplifying", prints=True) as progress:
        for start in range(0, len(texts), STRETCH):
            stretch = texts[start : start + STRETCH]
            letters.check(start, {"text": stretch})
            raw = [" ".join(text) if isinstance(text, list) else text for text in stretch]
            cut = iter(segmented(segmenter, [text for text in raw if isinstance(text, str)]))
            usable = [text if isinstance(text, Text) else next(cut) for text in raw if not isinstance(text, InputError)]
            found = iter(zip(usable, simplifier.candidates(usable, arguments.nbest or 1), strict=True))
            for index, text in enumerate(raw, start):
                if isinstance(text, InputError):
                    errors.append(place_error(text, column, index))
                    print(to_json({"error": errors[-1]}) if arguments.nbest else "")
                    continue
                source, candidates = next(found)
                print(to_json(NBest(source.raw, candidates).to_dict()) if arguments.nbest else _line(candidates[0]))
            progress(min(start + STRETCH, len(texts)), len(texts))
    report_errors(errors)
    return 1 if errors else 0


def _line(candidate: Candidate) -> str:
    return " ".join(candidate.text.split())
