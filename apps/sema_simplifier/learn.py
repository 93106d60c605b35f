"""Learns a rule table: ``python -m sema_simplifier.learn SOURCE -r REFERENCE … --to rules.json.gz``.

The files hold tokens separated by spaces, one sentence a line, as the tune part of TurkCorpus does. The table is not
shipped: the corpus's licence does not allow it inside the package.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sema.errors import InputError, SemaError
from sema.files.texts import read_column
from sema_simplifier.extraction import Example, learn_rules


def read_examples(source: str, references: Sequence[str]) -> list[Example]:
    """Sources and references from files of tokens.

    Raises:
        InputError: a file cannot be read, or the files have different lengths.
    """
    columns = [_tokens(path) for path in (source, *references)]
    for path, column in zip(references, columns[1:], strict=True):
        if len(column) != len(columns[0]):
            raise InputError(
                f"has {len(column)} lines but {source} has {len(columns[0])}; give every source a reference", file=path
            )
    return [Example(first, tuple(rest)) for first, *rest in zip(*columns, strict=True)]


def _tokens(path: str) -> list[tuple[str, ...]]:
    tokenized = []
    for value in read_column(path, "source").values:
        if isinstance(value, InputError):
            raise value
        text = value if isinstance(value, str) else " ".join(value or ())
        tokenized.append(tuple(text.lower().split()))
    return tokenized


def main(arguments: Sequence[str] | None = None) -> int:
    """Command-line entry point; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m sema_simplifier.learn", description=__doc__)
    parser.add_argument("source", help="the originals")
    parser.add_argument("-r", "--reference", nargs="+", required=True, help="the simplifications, a file each")
    parser.add_argument("--to", type=Path, required=True, help="output file (.json.gz)")
    options = parser.parse_args(arguments)
    from sema.languages import find_language

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
