"""Reads WordNet's dictionary files (the WNDB format, manual page ``wndb(5WN)``): no glosses, no verb frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sema.errors import InputError
from sema.runtime.contents import text_content

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
"""The order in which synsets are numbered and a lemma's senses are listed."""

POS_LETTERS = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
"""The letters of synset names; satellite adjectives count as adjectives."""

_SENSE_TYPES = {"1": 0, "2": 1, "3": 2, "4": 3, "5": 2}


@dataclass
class WordNet:
    """The parts of a WordNet that the index keeps; a synset is named by (part of speech 0-3, byte offset)."""

    hypernyms: dict[tuple[int, int], tuple[tuple[int, int], ...]] = field(default_factory=dict)
    """Every synset's hypernyms and instance hypernyms; the keys are all synsets."""
    senses: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Each lemma's synsets, by part of speech and then by sense number, the most usual first."""
    counts: dict[tuple[str, int, int], int] = field(default_factory=dict)
    """Occurrences in the sense-tagged texts: (lemma, part of speech, sense number from 1) -> count."""
    exceptions: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)
    """Irregular forms: (form, part of speech) -> lemmas."""
    individuals: set[tuple[int, int]] = field(default_factory=set)
    """Synsets of one person, place or other single thing: those that have an instance hypernym."""
    capitalised: set[str] = field(default_factory=set)
    """Lemmas capitalised in a synset that is not an individual (*Yemeni*, *Christmas*)."""


def read_wordnet(folder: Path) -> WordNet:
    """Read ``data.*``, ``index.*``, ``*.exc`` and ``cntlist.rev`` of a folder; a missing file is an ``InputError``."""
    wordnet = WordNet()
    for number, name in enumerate(PARTS_OF_SPEECH):
        for _, fields in _records(folder / f"data.{name}"):
            synset, above = (number, int(fields[0])), tuple(_hypernyms(fields))
            wordnet.hypernyms[synset] = tuple(target for _, target in above)
            if any(symbol == "@i" for symbol, _ in above):
                wordnet.individuals.add(synset)
            else:
                words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
                wordnet.capitalised.update(_spaced(word) for word in words if word[:1].isupper())
        for place, fields in _records(folder / f"index.{name}"):
            lemma, synsets = _spaced(fields[0]), fields[-int(fields[2]) :]
            numbered = [(number, int(offset)) for offset in synsets]
            if any(synset not in wordnet.hypernyms for synset in numbered):
                raise InputError(
                    f"{lemma!r} names a synset that data.{name} lacks; take all files from one WordNet release",
                    file=folder / f"index.{name}",
                    line=place,
                )
            wordnet.senses.setdefault(lemma, []).extend(numbered)
        for _, fields in _records(folder / f"{name}.exc"):
            wordnet.exceptions[_spaced(fields[0]), number] = tuple(_spaced(lemma) for lemma in fields[1:])
    for _, (key, number_text, count) in _records(folder / "cntlist.rev"):
        lemma, _, rest = key.rpartition("%")
        wordnet.counts[_spaced(lemma), _SENSE_TYPES[rest[0]], int(number_text)] = int(count)
    return wordnet


def _records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The lines' fields up to the gloss, with 1-based line numbers; the licence's lines start with a space."""
    for number, line in enumerate(text_content(path).split("\n"), start=1):
        if line and not line.startswith(" "):
            yield number, line.partition(" | ")[0].split()


def _hypernyms(fields: list[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    words = int(fields[3], 16)
    pointers = 4 + 2 * words
    for at in range(pointers + 1, pointers + 1 + 4 * int(fields[pointers]), 4):
        symbol, offset, pos, _ = fields[at : at + 4]
        if symbol in ("@", "@i"):
            yield symbol, (POS_LETTERS[pos], int(offset))


def _spaced(lemma: str) -> str:
    return lemma.replace("_", " ").lower()
