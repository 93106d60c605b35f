"""Lemmas and function words of many languages, from one table that is learned from their treebanks; lexicons of lemmas.

An edit script turns a word into its lemma: it replaces a prefix and a suffix (Chrupała 2006, "Simple data-driven
context-sensitive lemmatization"). The word's longest known ending chooses the script; its part of speech and its
sentence are not used. ``python -m training.trees.lemmas`` makes the table.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sema.errors import ResourceError
from sema.model.language import base_code
from sema.model.lexicon import IndexedLexicon, Lexicon
from sema.runtime.caching import remembered
from sema.runtime.forks import cached_property

FILE = Path(__file__).parent / "tables" / "lemmas.npz"
WHOLE = "^"
"""Prefixed to an ending that is a whole word."""
SAME = {"nb": "no", "nn": "no", "sr": "hr", "bs": "hr"}
"""Languages that use another's table."""
_POINTS = range(10, 36)
"""Unicode's combining classes of the points of Hebrew and the vowel signs of Arabic, which texts seldom write."""


class Script(NamedTuple):
    """A prefix and its replacement, a suffix and its replacement."""

    start: str
    new_start: str
    end: str
    new_end: str

    def apply(self, word: str) -> str | None:
        """The edited word; ``None`` if it lacks the prefix or the suffix."""
        middle = len(word) - len(self.end)
        if middle < len(self.start) or not (word.startswith(self.start) and word.endswith(self.end)):
            return None
        return self.new_start + word[len(self.start) : middle] + self.new_end


Endings = Mapping[str, Script]


@dataclass(frozen=True)
class Lemmas:
    """The lemmas of a language's words.

    Attributes:
        endings: for each beginning of a word (the empty one: any) the scripts by a word's ending.
        function_words: plain words (:func:`plain`) of closed classes.
        stemmer: the Snowball algorithm that is applied to lemmas, where this was measured to be better.
    """

    endings: Mapping[str, Endings] = field(default_factory=dict)
    function_words: frozenset[str] = frozenset()
    stemmer: str | None = None

    @staticmethod
    def of(code: str) -> Lemmas:
        """The lemmas of a language by its code; words of a language without a table are their own lemmas."""
        return _read(SAME.get(base_code(code), base_code(code)))

    @cached_property
    def lemma(self) -> Callable[[str], str]:
        """The lemma of a word, in lower case."""
        return remembered(self._find)

    @cached_property
    def key(self) -> Callable[[str], str]:
        """The key that words of one lemma share: the lemma, or its stem if the language has a stemmer."""
        name = self.stemmer
        # A stemmer holds the word that it works on, so threads must not share one.
        return self.lemma if name is None else remembered(lambda word: stemmer(name).stemWord(self._find(word)))

    @cached_property
    def _starts(self) -> list[str]:
        return sorted(self.endings, key=len, reverse=True)

    def _find(self, word: str) -> str:
        given = plain(word)
        exception = self.endings.get("", {}).get(WHOLE + given)
        if exception is not None:
            return exception.apply(given) or given
        for start in filter(given.startswith, self._starts):
            known = self.endings[start]
            for at in range(len(start), len(given) + 1):
                script = known.get(given[at:])
                found = script.apply(given) if script else None
                if found:
                    return found
        return given


def plain(word: str) -> str:
    """A word in lower case and composed characters, without the points of Hebrew and Arabic."""
    folded = unicodedata.normalize("NFC", word.lower().replace("i\u0307", "i"))  # Turkish İ
    if folded.isascii():
        return folded
    return "".join(char for char in folded if unicodedata.combining(char) not in _POINTS)


def stemmer(name: str) -> Any:
    """A Snowball stemmer by its algorithm's name."""
    import snowballstemmer

    return snowballstemmer.stemmer(name)


def written(lemmas: Lemmas) -> str:
    """A language's lemmas as the table's file holds them; :func:`read` is the inverse."""
    starts = {}
    for start, endings in lemmas.endings.items():
        by_script: dict[Script, list[str]] = {}
        for ending, script in sorted(endings.items()):
            by_script.setdefault(script, []).append(ending)
        starts[start] = [[*script, "\n".join(found)] for script, found in sorted(by_script.items())]
    kept = {"endings": starts, "function words": "\n".join(sorted(lemmas.function_words)), "stemmer": lemmas.stemmer}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def read(text: str) -> Lemmas:
    """A language's lemmas; the inverse of :func:`written`."""
    given = json.loads(text)
    endings = {
        start: {ending: Script(*row[:4]) for row in rows for ending in row[4].split("\n")}
        for start, rows in given["endings"].items()
    }
    return Lemmas(endings, frozenset(filter(None, given["function words"].split("\n"))), given["stemmer"])


@lru_cache(maxsize=8)
def _read(code: str) -> Lemmas:
    try:
        with np.load(FILE) as table:
            return read(table[code].tobytes().decode()) if code in table.files else Lemmas()
    except (OSError, ValueError) as error:
        raise ResourceError(f"no table of lemmas at {FILE} ({error}): reinstall the package") from error


INDEXED = ("senses", "hypernyms", "wider_senses", "paraphrases")
"""The methods that an :class:`IndexedLexicon` has besides those of every lexicon; the first argument is a word."""


class LemmaLexicon:
    """A lexicon, looked up by a word's lemma, or by the word itself if the lexicon does not know the lemma."""

    def __init__(self, base: Lexicon, lemmas: Lemmas) -> None:
        self._base = base
        self.signature = f"{base.signature}+lemmas"
        self._known = remembered(lambda word: self._choose(word, lemmas.lemma(word)))
        for name in INDEXED if isinstance(base, IndexedLexicon) else ():
            setattr(self, name, self._by_lemma(getattr(base, name)))

    def _by_lemma(self, method: Callable[..., Any]) -> Callable[..., Any]:
        return lambda word, *rest: method(self._known(word), *rest)

    def _choose(self, word: str, lemma: str) -> str:
        if not self._base.lemmas(lemma):
            return word
        return lemma[:1].upper() + lemma[1:] if word[:1].isupper() else lemma

    def lemmas(self, word: str) -> frozenset[str]:
        """The base lexicon's lemmas of the word's lemma."""
        return self._base.lemmas(self._known(word))

    def are_synonyms(self, first: str, second: str) -> bool:
        """Whether the lemmas are synonyms."""
        return self._base.are_synonyms(self._known(first), self._known(second))

    def are_paraphrases(self, first: str, second: str) -> bool:
        """Whether the lemmas are paraphrases."""
        return self._base.are_paraphrases(self._known(first), self._known(second))

    def is_hyponym(self, word: str, other: str, *, depth: int = 3) -> bool:
        """Whether one lemma is a kind of the other."""
        return self._base.is_hyponym(self._known(word), self._known(other), depth=depth)
