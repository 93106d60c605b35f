"""``sema languages``: what languages are installed, and what can be set for each."""

from __future__ import annotations

import argparse

HELP = """List the installed languages, their extractors and aligners
The first extractor and the first aligner of a language are its defaults. With a code: the language's parts and their
options, which `--set PART.OPTION=VALUE` sets.

examples:
  sema languages
  sema languages zh"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema languages``."""
    parser.add_argument("code", nargs="?", metavar="CODE", help="show this language and its options")


def run(arguments: argparse.Namespace) -> int:
    """Print one line for each language, or one language with its options."""
    if arguments.code is not None:
        return _show(arguments.code)
    from sema.display.terminal import print_columns
    from sema.languages import installed_languages
    from sema.plugins import Broken

    rows = []
    for found in installed_languages():
        if isinstance(found, Broken):
            rows.append([found.name, str(found), "", "", found.distribution])
        else:
            extractors, aligners = " ".join(found.extractors), " ".join(found.aligners)
            rows.append([found.code, found.name, extractors, aligners, found.source])
    print_columns(["code", "language", "extractors", "aligners", "from"], rows)
    return 0


def _show(code: str) -> int:
    from sema.display.terminal import print_lines
    from sema.languages import find_language
    from sema.options import options_of

    language = find_language(code)
    lines = [f"{language.code}: {language.name}"]
    for name, factory in language.components().items():
        role = "extractor" if name in language.extractors else "aligner" if name in language.aligners else ""
        options = [f"    --set {name}.{option}" for option in options_of(factory).values()]
        if options or role:
            lines += [f"  {name} ({role})" if role else f"  {name}", *options]
    print_lines(lines)
    return 0
