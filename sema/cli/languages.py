"""``sema languages``: what languages are installed."""

from __future__ import annotations

import argparse

HELP = """List the installed languages, their extractors and aligners
The first extractor and the first aligner of a language are its defaults.

example:
  sema languages"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``sema languages`` takes none."""


def run(arguments: argparse.Namespace) -> int:
    """Print one line a language."""
    from sema.errors import SemaError
    from sema.languages import find_language, installed
    from sema.report.terminal import print_columns

    rows = []
    for code, point in installed().items():
        try:
            language = find_language(code)
            rows.append(
                [
                    language.code,
                    language.name,
                    " ".join(language.extractors),
                    " ".join(language.aligners),
                    language.source,
                ]
            )
        except SemaError as error:
            rows.append([code, f"cannot be loaded: {error}", "", "", point.value])
    print_columns(["code", "language", "extractors", "aligners", "from"], rows)
    return 0
