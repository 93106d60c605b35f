"""Chinese word relations: script and numerals, words that are cut differently, function words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Hashable, Iterator
from functools import cache
from typing import Annotated

from sema.alignment.relations import Shape, WordRelations
from sema.alignment.rules import RuleAligner
from sema.model.lexicon import IndexedLexicon, LayeredLexicon, Lexicon
from sema.runtime.caching import remembered
from sema.runtime.pairs import Partners, load_pairs
from sema_chinese.segmentation.segmenter import to_model_characters
from sema_chinese.words import TABLES, table, word_list

_DIGITS = {
    **{char: value for value, char in enumerate("零一二三四五六七八九")},
    **{char: value for value, char in enumerate("〇壹贰叁肆伍陆柒捌玖")},
    "○": 0,
    "两": 2,
}
_TENS = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}
_POWERS = {**_TENS, **_MYRIADS}
DECIMAL = r"\d+(?:,\d{3}(?!\d))*(?:\.\d+)?"
"""A number in digits; commas stand between groups of three."""
_DATE_UNITS = {"年": "年", "月": "月", "月份": "月", "日": "日", "号": "日", "岁": "岁", "周岁": "岁", "世纪": "世纪"}
_NUMBER = re.compile(
    rf"(?P<ordinal>第?)(?P<number>(?:{DECIMAL}[{''.join(_POWERS)}]+)*(?:{DECIMAL})?"
    rf"|[{''.join({**_DIGITS, **_POWERS})}]+)"
    r"(?P<percent>%?)(?P<unit>年|月份|月|日|号|周岁|岁|世纪|[个名位只件条项家次种所座届人元米])?"
)


FUNCTION_WORDS = word_list("relations", "function words")
"""Words that are linked only on their neighbours' evidence; pronouns are not among them."""


class FunctionWords(Collection[str]):
    """Function words, pronouns, particles and measure words, in either script."""

    simplified = FUNCTION_WORDS.union(*table("closed_classes").values())

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and plain(word) in self.simplified

    def __iter__(self) -> Iterator[str]:
        return iter(self.simplified)

    def __len__(self) -> int:
        return len(self.simplified)


ROLES: dict[str, set[int]] = {}
"""The functions of each function word. Words of one function replace each other: news prefers the older ones, plain
Chinese the newer.
"""
for _role, _listed in enumerate(table("relations")["same job"]):
    for _word in _listed.split():
        ROLES.setdefault(_word, set()).add(_role)

OPPOSITE_CHARACTERS = {frozenset(pair) for pair in word_list("relations", "opposite characters")}
"""Pairs of characters with opposite meanings."""

ALTERING = frozenset(table("relations")["altering characters"]) | _DIGITS.keys() | _POWERS.keys()
"""Characters that negate or count."""


def _number(written: str) -> float | None:
    """``3.5万`` -> 35000; ``二〇〇四`` -> 2004; ``三百二十`` -> 320; ``一万五`` -> 15000; ``None`` for no number."""
    if all(char in _DIGITS for char in written):
        return float("".join(str(_DIGITS[char]) for char in written)) if written else None
    total = section = digit = 0.0
    for part in re.findall(rf"{DECIMAL}|.", written):
        if part in _TENS:
            section += (digit or 1) * _TENS[part]
            digit = 0
        elif part in _MYRIADS:
            if part == "万" and section + digit:
                total += (section + digit) * _MYRIADS[part]
            else:
                total = (total + section + digit or 1) * _MYRIADS[part]
            section = digit = 0
        else:
            digit = _DIGITS[part] if part in _DIGITS else float(part.replace(",", ""))
    return total + section + digit * (_POWERS.get(written[-2:-1], 10) // 10)


def _numeral(word: str) -> tuple[re.Match[str] | None, float | None]:
    match = _NUMBER.fullmatch(plain_figures(word))
    return match, match and _number(match["number"])


@remembered
def number_value(word: str) -> Hashable | None:
    """The value of a numeral, in digits or characters, with a measure word or a unit of dates; else ``None``.

    ``三``, ``3`` and ``三个`` are one value, ``二〇〇四年`` and ``2004年`` another; ``第三`` is the third, not three.
    """
    match, value = _numeral(word)
    if match is None or value is None:
        return None
    unit = _DATE_UNITS.get(match["unit"] or "") or match["percent"]
    return (match["ordinal"], value, unit) if unit or match["ordinal"] else value


@remembered
def plain(word: str) -> str:
    """A word in half-width, lower-case, simplified characters."""
    return to_model_characters(unicodedata.normalize("NFKC", word)).lower()


@remembered
def spell(word: str) -> str:
    """The same with a numeral in digits."""
    match, value = _numeral(word)
    if match is None or value is None:
        return plain(word)
    return f"{match['ordinal']}{value:.10g}{match['percent']}{match['unit'] or ''}"


@remembered
def plain_figures(word: str) -> str:
    """The plain word, but a sign that holds a digit and is none (², ㎡) is U+FFFD: it is part of no number."""
    return plain("".join("\ufffd" if _holds_digit(char) else char for char in word))


def _holds_digit(char: str) -> bool:
    return not char.isdecimal() and any(map(str.isdecimal, unicodedata.normalize("NFKC", char)))


def characters(word: str) -> frozenset[str]:
    """The characters that a word is made of, as :func:`spell` writes them."""
    return frozenset(spell(word))


def is_partial(first: str, second: str) -> bool:
    """Whether one word is the other cut short: 高中 and 高级中学, 校 and 学校.

    The shorter word's characters stand in the longer in the same order; a single character must open or close a word
    of two. What the longer word adds must not negate or count (规则, 不规则; 公里, 三公里).
    """
    short, long = sorted((spell(first), spell(second)), key=len)
    if not short or len(short) == len(long) or not long.isalpha():
        return False
    if len(short) == 1:
        return len(long) == 2 and short in long and ALTERING.isdisjoint(long)
    rest = iter(long)
    if not all(char in rest for char in short):
        return False
    return ALTERING.isdisjoint(set(long) - set(short))


GLOSSES = TABLES / "glosses.npz"
"""Pairs of words in simplified characters that CC-CEDICT explains alike; ``CARD.md`` says how they were chosen."""


@cache
def shipped_pairs() -> Partners:
    """The partners of each word by the pairs that ship."""
    return load_pairs(GLOSSES)


class GlossLexicon(LayeredLexicon):
    """``base`` with the pairs of the table; words that share a sense in ``base`` are not paraphrases."""

    def __init__(self, base: IndexedLexicon) -> None:
        super().__init__(base, "cc-cedict-1")
        self.paraphrases = remembered(self._paraphrases)

    def over(self, base: IndexedLexicon) -> GlossLexicon:
        """The same pairs beside another lexicon."""
        return GlossLexicon(base)

    def lemmas(self, word: str) -> frozenset[str]:
        """The base lexicon's lemmas, and a traditional word's simplified form."""
        simplified, forms = plain(word), self.base.lemmas(word)
        return forms if simplified == word else forms | {simplified}

    def _paraphrases(self, word: str) -> frozenset[str]:
        """The words that are paired with a word or its simplified form."""
        return frozenset(shipped_pairs().get(plain(word), ()))

    def are_paraphrases(self, first: str, second: str) -> bool:
        """Whether the words are paired and share no sense."""
        return plain(second) in self.paraphrases(first) and not self.are_synonyms(first, second)


def chinese_lexicon() -> Lexicon:
    """The Chinese Open Wordnet and Wiktionary's senses with CC-CEDICT's pairs, for simplified and traditional words."""
    from sema_wordnet import WordNetLexicon

    return GlossLexicon(WordNetLexicon.chinese())


def relations(
    lexicon: Lexicon | None = None, *, reverse_hyponymy: bool = False, hyponymy_depth: int = 3
) -> WordRelations:
    """Chinese word relations, over :func:`chinese_lexicon` unless another lexicon is given."""
    words = lexicon or chinese_lexicon()
    return WordRelations(
        words,
        stem=spell,
        spell=spell,
        value=number_value,
        function_words=FUNCTION_WORDS,
        roles=ROLES,
        shape=Shape(characters, is_partial),
        hyponymy_depth=hyponymy_depth,
        reverse_hyponymy=reverse_hyponymy,
    )


def rule_aligner(
    *,
    lexicon: Lexicon | None = None,
    reverse_hyponymy: Annotated[bool, "a source word links to a narrower word too, not to a wider one alone"] = False,
    hyponymy_depth: Annotated[int, "how many steps wider the output word may be at most; 0: none"] = 20,
) -> RuleAligner:
    """The rule aligner for Chinese."""
    from sema_wordnet import ClassLimits, WordNetLexicon

    from sema_chinese.completions import Completions

    words = lexicon or chinese_lexicon()
    base = words.base if isinstance(words, GlossLexicon) else words
    if isinstance(base, WordNetLexicon):
        read = base.reading(classes=ClassLimits())
        words = words.over(read) if isinstance(words, GlossLexicon) else read
    related = relations(words, reverse_hyponymy=reverse_hyponymy, hyponymy_depth=hyponymy_depth)
    return RuleAligner(related, Completions(related, base).steps)
