"""Ranks a phrase's candidates by the tuned model: ``python -m sema_simplifier.rank principal 'make use of'``.

Xu et al. (TACL 2016), Table 3. The scores are those of a sentence's only change; the language models add theirs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sema.errors import SemaError
from sema_simplifier.simplifier import PhraseSimplifier


def main(arguments: Sequence[str] | None = None) -> int:
    """Command-line entry point; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m sema_simplifier.rank", description=__doc__)
    parser.add_argument("phrases", nargs="+", metavar="PHRASE", help="a word, or several in quotation marks")
    parser.add_argument("--rules", type=Path, help="a table of more learned rules (.json.gz)")
    parser.add_argument("--weights", type=Path, help="weights as `sema tune` writes them")
    options = parser.parse_args(arguments)
    try:
        simplifier = PhraseSimplifier(rules=options.rules, weights=options.weights, check=False)
        for phrase in options.phrases:
            for candidate, score in simplifier.ranked(phrase.split()):
                print(f"{phrase} -> {candidate or '(nothing)'}\t{score:.3f}")
    except SemaError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
