"""Builds the paraphrase table: ``python -m sema_ppdb.build PAIRS``.

``PAIRS`` is a list of PPDB 1.0 lexical synonyms, two words a line with a tab between them (DATA: ``lexicons/ppdb``).
PPDB is mined from translations and holds much that is neither English nor a paraphrase, so a pair is kept when WordNet
knows both words, when neither is the other with a negating prefix, and when the pair says more than its lemmas, its
synonyms or another kept pair of base forms already do.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sema.errors import InputError, SemaError
from sema.lexicons import Lexicon
from sema_ppdb.index import save_pairs
from sema_ppdb.lexicon import DATA

_WORD = re.compile(r"[a-z][a-z'-]+")
_NEGATING = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "mis", "anti", "anti-")


def read_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """The pairs of a list, lower-cased."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise InputError(f"cannot read this list of pairs ({error.strerror})", file=path) from error
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        words = line.lower().split("\t")
        if len(words) != 2:
            raise InputError("expected two words with a tab between them", file=path, line=number)
        yield words[0], words[1]


def select(pairs: Iterable[tuple[str, str]], lexicon: Lexicon) -> set[tuple[str, str]]:
    """The pairs worth keeping (see the module), each in alphabetical order."""
    kept = {
        (min(pair), max(pair))
        for pair in pairs
        if all(_WORD.fullmatch(word) and lexicon.lemmas(word) for word in pair)
        and lexicon.lemmas(pair[0]).isdisjoint(lexicon.lemmas(pair[1]))
        and not lexicon.are_synonyms(*pair)
        and not _negated(*pair)
    }

    def implied(first: str, second: str) -> bool:
        return any(
            (min(base, other), max(base, other)) in kept
            for base in lexicon.lemmas(first)
            for other in lexicon.lemmas(second)
            if {base, other} != {first, second}
        )

    # a base form may itself look like another's inflection (leaf, leaves, leave): only an inflected pair may go
    return {pair for pair in kept if all(word in lexicon.lemmas(word) for word in pair) or not implied(*pair)}


def _negated(first: str, second: str) -> bool:
    short, long = sorted((first, second), key=len)
    return any(long == prefix + short for prefix in _NEGATING)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command-line entry point; returns the exit status."""
    from sema_wordnet import WordNetLexicon

    parser = argparse.ArgumentParser(prog="python -m sema_ppdb.build", description=__doc__)
    parser.add_argument("pairs", type=Path, help="PPDB lexical synonyms, two words a line")
    parser.add_argument("--to", type=Path, default=DATA / "english.npz", help="output file")
    options = parser.parse_args(arguments)
    try:
        kept = select(read_pairs(options.pairs), WordNetLexicon.english())
    except SemaError as error:
        print(error, file=sys.stderr)
        return 1
    options.to.parent.mkdir(parents=True, exist_ok=True)
    save_pairs(options.to, kept)
    print(f"{len(kept):,} pairs, {options.to.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
