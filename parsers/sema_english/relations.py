"""English word relations for aligners: lexicon, stems, numbers and function words."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from functools import cache
from typing import Annotated

from snowballstemmer import EnglishStemmer

from sema.alignment.relations import WordRelations
from sema.alignment.rules import RuleAligner
from sema.model.lexicon import Lexicon
from sema.runtime.caching import remembered
from sema_english.words import table, word_list

_FORMS: Mapping[str, str] = table("relations")["forms"]
_STEMS = {form: base for base, forms in _FORMS.items() for form in forms.split()}
_GROUPED = re.compile(r"-?\d{1,3}(?:,\d{3})+(?!\d)[^,]*")
_APOSTROPHES = str.maketrans("\u2019\u2018\u201b", "'''")

FUNCTION_WORDS = word_list("relations", "function words")
"""Words that are linked only on their neighbours' evidence. Pronouns are not among them: they fill Participants."""


def function_words() -> frozenset[str]:
    """Articles, prepositions, auxiliaries and the like, without pronouns."""
    return FUNCTION_WORDS


MAIN_VERBS = word_list("relations", "main verbs")
"""Function words that are main verbs as often (*I like it*, *she has a house*)."""

_LIGHT_VERBS = word_list("relations", "light verbs")
LIGHT_WORDS = word_list("relations", "light words").union(
    _LIGHT_VERBS, *(_FORMS[base].split() for base in _LIGHT_VERBS)
)
"""Words that are never looked up in the lexicon: pronouns, and words with too many meanings to be replaced."""

_SCALES = ("hundred", "thousand", "million", "billion", "trillion")
_NUMBERS: dict[str, Hashable] = {
    **table("numbers")["small"],
    **{word: ("nth", number) for word, number in table("numbers")["ordinals"].items() if number},
    **{scale: float(table("numbers")["scales"][scale]) for scale in _SCALES},
}
_CALENDAR = {form: ("calendar", names.split()[0]) for names in table("relations")["calendar"] for form in names.split()}
_ALSO_COMMON = word_list("relations", "also common words")
"""Months that are different words in lower case."""


def number_value(word: str) -> Hashable | None:
    """The value of a numeral, a number word, a weekday or a month; ``None`` for other words.

    ``1,000`` and ``1000`` are one value, ``13`` and *thirteen* too; ``3rd`` and *third* are the third, not three.
    """
    lower = word.lower()
    if lower in _NUMBERS:
        return _NUMBERS[lower]
    if lower.rstrip(".") in _CALENDAR and (word[:1].isupper() or lower.rstrip(".") not in _ALSO_COMMON):
        return _CALENDAR[lower.rstrip(".")]
    if not any(map(str.isdecimal, lower)):
        return None
    plain = lower.lstrip("$£€#+")
    if _GROUPED.fullmatch(plain):
        plain = plain.replace(",", "")
    if plain[-2:] in ("st", "nd", "rd", "th") and plain[:-2].isdecimal():
        return ("nth", float(plain[:-2]))
    try:
        return float(plain)
    except ValueError:
        return None


@remembered
def stem(word: str) -> str:
    """The Snowball stem; the forms of auxiliaries and of *not* are one word each."""
    lower = word.lower()
    # A stemmer holds the word that it works on, so threads must not share one.
    return _STEMS.get(lower) or str(EnglishStemmer().stemWord(lower.translate(_APOSTROPHES)))


@cache
def english_lexicon() -> Lexicon:
    """WordNet 3.0 with PPDB's paraphrases; all scorers share it and its caches."""
    from sema_ppdb import ParaphraseLexicon
    from sema_wordnet import WordNetLexicon

    return ParaphraseLexicon(WordNetLexicon.english())


def _for_rules(lexicon: Lexicon | None) -> Lexicon:
    """The lexicon for the rules: names are not common nouns, and the class decides how far hyponymy goes.

    Trained models use :func:`english_lexicon`, as in training.
    """
    from sema_ppdb import ParaphraseLexicon
    from sema_wordnet import ClassLimits, WordNetLexicon

    given = lexicon or english_lexicon()
    if isinstance(given, ParaphraseLexicon) and isinstance(given.base, WordNetLexicon):
        read = given.base.reading(names=True, classes=ClassLimits())
        return given.over(read, is_name=read.is_name)
    return given


def relations(
    lexicon: Lexicon | None = None,
    *,
    reverse_hyponymy: bool = False,
    main_verbs: bool = False,
    hyponymy_depth: int = 3,
) -> WordRelations:
    """English word relations, over :func:`english_lexicon` unless another one is given.

    With ``main_verbs`` :data:`MAIN_VERBS` are looked up in the lexicon too; the learned aligner was trained without.
    """
    return WordRelations(
        lexicon or english_lexicon(),
        stem=stem,
        value=number_value,
        function_words=FUNCTION_WORDS,
        light_words=LIGHT_WORDS,
        main_verbs=MAIN_VERBS if main_verbs else (),
        hyponymy_depth=hyponymy_depth,
        reverse_hyponymy=reverse_hyponymy,
    )


def rule_aligner(
    *,
    lexicon: Lexicon | None = None,
    reverse_hyponymy: Annotated[bool, "a source word links to a narrower word too, not to a wider one alone"] = False,
    hyponymy_depth: Annotated[int, "how many steps wider the output word may be at most; 0: none"] = 20,
) -> RuleAligner:
    """The rule aligner for English."""
    return RuleAligner(
        relations(
            _for_rules(lexicon),
            reverse_hyponymy=reverse_hyponymy,
            main_verbs=True,
            hyponymy_depth=hyponymy_depth,
        )
    )
