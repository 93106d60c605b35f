"""English word relations for aligners: lexicon, stems, numbers and function words."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Annotated

from sema.alignment.relations import WordRelations
from sema.alignment.rules import RuleAligner
from sema.model.lexicon import Lexicon
from sema_english.stemmer import snowball_stem


def _words(listed: str) -> list[str]:
    return listed.split()


_FORMS = {
    "be": "am is are was were been being 'm 're",
    "have": "has had having 've",
    "do": "does did doing done",
    "not": "n't",
    "will": "'ll wo",
    "can": "ca",
    "a": "an",
    "get": "gets got gotten getting",
    "make": "makes made making",
    "take": "takes took taken taking",
    "give": "gives gave given giving",
    "go": "goes went gone going",
    "come": "comes came coming",
    "put": "puts putting",
    "let": "lets letting",
    "keep": "keeps kept keeping",
}
_STEMS = {form: base for base, forms in _FORMS.items() for form in forms.split()}

FUNCTION_WORDS = frozenset(
    _words(
        "a an the this that these those such and or but nor so yet if than then because although though while whereas "
        "as until unless since whether of in on at to for from by with into onto upon about over under above below "
        "after before between among through during against toward towards across along around behind beside besides "
        "near off out up down per via within without despite throughout like am is are was were be been being 'm 're "
        "have has had having 've do does did doing done will 'll wo would can ca could shall should may might must "
        "not n't 's ' '' `` there here who whom whose which what when where why how also just only very too more most "
        "some any each every both either neither no other another own same all -lrb- -rrb- -lsb- -rsb-"
    )
)
"""Words that link on their neighbours' evidence alone. Pronouns are not among them: they fill Participants."""

MAIN_VERBS = frozenset(_words("like have has had"))
"""Function words that are main verbs as often (*I like it*, *she has a house*)."""

LIGHT_WORDS = frozenset(
    _words(
        "i me my mine we us our ours you your yours he him his she her hers it its they them their theirs "
        "myself yourself himself herself itself ourselves themselves one ones "
        "thing things way ways lot lots kind kinds"
    )
) | {
    form
    for base in ("get", "make", "take", "give", "go", "come", "put", "let", "keep")
    for form in (base, *_FORMS[base].split())
}
"""Words that the lexicon is never asked about: pronouns, and what means too much to be replaced."""

_UNITS = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_TENS = _words("thirty forty fifty sixty seventy eighty ninety")
_ORDINALS = _words(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_NUMBERS: dict[str, Hashable] = {
    **{word: float(number) for number, word in enumerate(_UNITS)},
    **{word: float(number) for number, word in zip(range(30, 100, 10), _TENS, strict=True)},
    **{word: ("nth", float(number)) for number, word in enumerate(_ORDINALS, start=1)},
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
}
_CALENDAR = {
    form: ("calendar", names.split()[0])
    for names in (
        "monday mon",
        "tuesday tue tues",
        "wednesday wed",
        "thursday thu thur thurs",
        "friday fri",
        "saturday",
        "sunday",
        "january jan",
        "february feb",
        "april apr",
        "june",
        "july",
        "august aug",
        "september sep sept",
        "october oct",
        "november nov",
        "december dec",
    )
    for form in names.split()
}


def number_value(word: str) -> Hashable | None:
    """The value of a numeral, a number word, a weekday or a month; ``None`` for other words.

    ``1,000`` and ``1000`` are one value, ``13`` and *thirteen* too; ``3rd`` and *third* are the third, not three.
    """
    lower = word.lower()
    if lower in _NUMBERS:
        return _NUMBERS[lower]
    if lower.rstrip(".") in _CALENDAR:
        return _CALENDAR[lower.rstrip(".")]
    if not any(map(str.isdecimal, lower)):
        return None
    plain = lower.replace(",", "").lstrip("$£€#+")
    if plain[-2:] in ("st", "nd", "rd", "th") and plain[:-2].isdecimal():
        return ("nth", float(plain[:-2]))
    try:
        return float(plain)
    except ValueError:
        return None


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The Snowball stem; the forms of auxiliaries and of *not* are one word each."""
    lower = word.lower()
    return _STEMS.get(lower) or snowball_stem(lower)


def english_lexicon() -> Lexicon:
    """WordNet 3.0 with PPDB's paraphrases."""
    from sema_ppdb import ParaphraseLexicon
    from sema_wordnet import WordNetLexicon

    return ParaphraseLexicon(WordNetLexicon.english())


def _for_rules(lexicon: Lexicon | None, senses: int) -> Lexicon:
    """The lexicon for the rules: names are no common nouns; hyponymy uses a limited number of senses.

    Trained models use :func:`english_lexicon`, as in training.
    """
    from sema_ppdb import ParaphraseLexicon
    from sema_wordnet import WordNetLexicon

    given = lexicon or english_lexicon()
    if isinstance(given, ParaphraseLexicon) and isinstance(given.base, WordNetLexicon):
        return given.over(given.base.reading(common=senses, names=True))
    return given


def relations(
    lexicon: Lexicon | None = None,
    *,
    reverse_hyponymy: bool = False,
    main_verbs: bool = False,
    hyponymy_depth: int = 3,
) -> WordRelations:
    """English word relations, over :func:`english_lexicon` unless another one is given.

    With ``main_verbs`` the lexicon is asked about :data:`MAIN_VERBS` too; the learned aligner was trained without.
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
    hyponymy_depth: Annotated[int, "how many steps wider the output word may be; 0: none"] = 3,
    senses: Annotated[int, "how many of a word's usual senses hyponymy looks at"] = 4,
) -> RuleAligner:
    """The rule aligner for English."""
    return RuleAligner(
        relations(
            _for_rules(lexicon, senses),
            reverse_hyponymy=reverse_hyponymy,
            main_verbs=True,
            hyponymy_depth=hyponymy_depth,
        )
    )
