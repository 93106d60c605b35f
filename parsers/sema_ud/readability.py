"""A metric for each readability formula, made from the table; the class has the name of the formula.

A corpus's value is computed from its items' summed counts. A text without words has none.

A word is a run of letters and digits with their marks, and of single apostrophes, hyphens and points inside: *E-Mail*,
*l'eau* and *3.5* are one word each, however a language's segmenter cuts them. The sentences are the segmenter's, except
those without a word. A syllable is a match of the language's pattern for nuclei; every word has at least one, and so
has a number. The letters of a word are its letters and digits.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from sema_reader.languages import codes

from sema.errors import UsageError
from sema.metrics.base import Item, Metric, Row
from sema.model.language import base_code
from sema.model.text import Text
from sema.runtime.caching import remembered
from sema_ud.formulas import Formula, default_formula, formulas, nuclei

if TYPE_CHECKING:
    from sema.model.language import Parts

LONG_WORD = 7
"""The least number of letters of a long word."""
_JOINERS = "\u200c\u200d"
_WORD = re.compile(r"[^\W_]+(?:[-'’‐‑.,·][^\W_]+)*")


class Counts(NamedTuple):
    """The counts of a text, or of several: they add up."""

    sentences: float
    words: float
    letters: float
    syllables: float
    one_syllable: float
    three_syllables: float
    four_syllables: float
    long_words: float


QUANTITIES: Mapping[str, Callable[[Counts], float]] = {
    "words per sentence": lambda counts: counts.words / counts.sentences,
    "sentences per word": lambda counts: counts.sentences / counts.words,
    "letters per word": lambda counts: counts.letters / counts.words,
    "syllables per word": lambda counts: counts.syllables / counts.words,
    "percent of words with one syllable": lambda counts: 100 * counts.one_syllable / counts.words,
    "percent of words with three or more syllables": lambda counts: 100 * counts.three_syllables / counts.words,
    "percent of words with four or more syllables": lambda counts: 100 * counts.four_syllables / counts.words,
    "percent of words with more than six letters": lambda counts: 100 * counts.long_words / counts.words,
    "words with more than six letters per sentence": lambda counts: counts.long_words / counts.sentences,
}
"""The quantities that formulas weight, by name in the table; the text must have words."""


def count(text: Text, language: str) -> Counts:
    """The counts of a text; without a ``language`` no word has a syllable."""
    words = words_of(text.raw)
    sentences = sum(any(map(str.isalnum, "".join(sentence))) for sentence in text.sentence_words) if words else 0
    letters = [sum(map(str.isalnum, word)) for word in words]
    counted = [syllables(word, language) for word in words] if language else []
    numbers = (
        max(sentences, 1) if words else 0,
        len(words),
        sum(letters),
        sum(counted),
        counted.count(1),
        sum(number >= 3 for number in counted),
        sum(number >= 4 for number in counted),
        sum(number >= LONG_WORD for number in letters),
    )
    return Counts(*map(float, numbers))


def words_of(raw: str) -> list[str]:
    """The words of a raw text. Accents, vowel signs and joiners belong to the character before them."""
    composed, bases = unicodedata.normalize("NFC", raw), [" "]
    for char in composed:
        bases.append(bases[-1] if char in _JOINERS or unicodedata.category(char)[0] == "M" else char)
    return [composed[slice(*match.span())] for match in _WORD.finditer("".join(bases[1:]))]


@remembered
def syllables(word: str, language: str) -> int:
    """The syllables of a word; at least 1."""
    return max(1, len(re.findall(nuclei(language), word.lower())))  # re keeps compiled patterns


class ReadabilityMetric(Metric):
    """A formula's value for the output."""

    formula: ClassVar[Formula]
    range = (-math.inf, math.inf)

    def bind(self, parts: Parts) -> Metric:
        """The metric itself; ``UsageError`` if the formula is for another language or counts words between spaces."""
        formula = self.formula
        language = output_language(parts.code)
        if formula.language and language != formula.language:
            own = default_formula(language)
            remedy = f"use {own}, or " if own else "use lix or rix, or " if parts.language.spaced else ""
            raise UsageError(
                f"{formula.name} is a formula for {codes()[formula.language]}, not for language "
                f"{parts.code!r}; {remedy}leave it out"
            )
        if not parts.language.spaced:
            raise UsageError(f"{formula.name} counts words between spaces; leave it out for language {parts.code!r}")
        return self

    @property
    def signature(self) -> str:
        language = self.formula.language
        return f"formula={self.formula.name}" + (f",syllables={language}" if language else "")

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        return [tuple(count(item.output, self.formula.language)) for item in items]

    def value(self, row: Row) -> float:
        counts = Counts(*row)
        if not counts.words:
            return math.nan
        return self.formula.value({name: QUANTITIES[name](counts) for name in self.formula.terms})


def output_language(code: str) -> str:
    """The bare code of the language of outputs: ``es`` for ``any:en-es``, whose sources are English."""
    family, _, member = code.rpartition(":")
    return member.rpartition("-")[2] if family == "any" else base_code(code)


def _made(formula: Formula) -> type[ReadabilityMetric]:
    language = f", for {codes()[formula.language]}" if formula.language else ""
    line = f"{formula.title} ({formula.reference}){language}; {formula.easier} is easier"
    body = {"__doc__": f"{line}.", "__module__": __name__, "formula": formula}
    made: type[ReadabilityMetric] = type(formula.name, (ReadabilityMetric,), body, name=formula.name)
    made.description = line  # with the capitals of names, which the docstring's first line would lose
    made.higher_is_better = formula.easier == "higher"
    return made


globals().update({name: _made(formula) for name, formula in formulas().items()})  # where pickle looks for a class
