"""Learns a rule table: ``python -m sema_simplifier.learn SOURCE -r REFERENCE … --to rules.json.gz``.

The files hold tokens separated by spaces, one sentence a line, as the tune part of TurkCorpus does. The table is not
shipped: the corpus's licence does not allow it inside the package.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sema import SemaError
from sema.cli.texts import usable
from sema.files.texts import read_column, same_length
from sema.languages import find_language
from sema_simplifier.extraction import Example, learn_rules


def read_examples(source: str, references: Sequence[str]) -> list[Example]:
    """Sources and references from files of tokens.

    Raises:
        InputError: a file cannot be read, or the files have different lengths.
    """
    columns = [read_column(path, "source") for path in (source, *references)]
    same_length(columns)
    first, *others = ([_tokens(value) for value in usable(column.values)] for column in columns)
    return [Example(words, tuple(rest)) for words, *rest in zip(first, *others, strict=True)]


def _tokens(value: str | Sequence[str] | None) -> tuple[str, ...]:
    text = value if isinstance(value, str) else " ".join(value or ())
    return tuple(text.lower().split())


def main(arguments: Sequence[str] | None = None) -> int:
    """Command-line entry point; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m sema_simplifier.learn", description=__doc__)
    parser.add_argument("source", help="the originals")
    parser.add_argument("-r", "--reference", nargs="+", required=True, help="the simplifications, a file each")
    parser.add_argument("--to", type=Path, required=True, help="output file (.json.gz)")
    options = parser.parse_args(arguments)
    try:
        examples = read_examples(options.source, options.reference)
        table = learn_rules(examples, find_language("en").parts(aligner="rules").aligner)
        table.save(options.to)
    except SemaError as error:
        print(error, file=sys.stderr)
        return 1
    deletions = sum(not rule.target for rule in table.rules)
    print(f"{len(table.rules):,} rules, {deletions:,} of them deletions, from {len(examples):,} sentences")
    return 0


if __name__ == "__main__":
    sys.exit(main())
