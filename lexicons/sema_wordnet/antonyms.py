"""Antonyms: WordNet's direct ones, in a list that ``python -m sema_wordnet.antonyms DICT`` writes.

``DICT`` is the folder of WordNet 3.0's dictionary files (Debian's package ``wordnet-base``).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sema.errors import ResourceError

FILE = Path(__file__).parent / "data" / "antonyms.txt"
_POINTER = 4
"""Fields of a pointer: symbol, offset, part of speech, and the two words it ties, by number."""


def read_antonyms(folder: Path) -> set[tuple[str, str]]:
    """The pairs of single words, each in alphabetical order, of a folder's ``data.*`` files."""
    entries: dict[tuple[str, int], list[str]] = {}
    ties: list[tuple[str, tuple[str, int], int]] = []
    for name in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{name}").read_text(encoding="utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields = line.partition(" | ")[0].split()
            count = int(fields[3], 16)
            words = [word.partition("(")[0].lower() for word in fields[4 : 4 + 2 * count : 2]]
            entries[name, int(fields[0])] = words
            ties += _ties(words, fields[5 + 2 * count :])
    pairs = ((first, entries[place][number - 1]) for first, place, number in ties)
    return {tuple(sorted(pair)) for pair in pairs if all(word.isalpha() for word in pair)}  # type: ignore[misc]


def _ties(words: list[str], pointers: list[str]) -> Iterator[tuple[str, tuple[str, int], int]]:
    parts = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
    for at in range(0, len(pointers) - _POINTER + 1, _POINTER):
        symbol, offset, part, numbers = pointers[at : at + _POINTER]
        if symbol == "!":
            yield words[int(numbers[:2], 16) - 1], (parts[part], int(offset)), int(numbers[2:], 16)


@cache
def antonyms() -> dict[str, frozenset[str]]:
    """For each lemma its direct antonyms.

    Raises:
        ResourceError: the list is missing.
    """
    try:
        lines = FILE.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ResourceError(f"no list of antonyms at {FILE}: reinstall the package") from error
    opposites: dict[str, set[str]] = {}
    for line in lines:
        first, second = line.split()
        opposites.setdefault(first, set()).add(second)
        opposites.setdefault(second, set()).add(first)
    return {word: frozenset(others) for word, others in opposites.items()}


if __name__ == "__main__":
    pairs = sorted(read_antonyms(Path(sys.argv[1])))
    FILE.write_text("".join(f"{first} {second}\n" for first, second in pairs), encoding="utf-8")
