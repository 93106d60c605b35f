"""How Chinese sentences are changed on purpose: the letters of words, and the rules."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from sema_chinese.antonyms import opposites
from sema_chinese.listed import table
from sema_chinese.meaning.words import is_content
from sema_chinese.relations import spell
from sema_chinese.synonyms import groups, replacements
from sema_wordnet.lexicon import WordNetLexicon

from sema.runtime.tables import Tables
from training.reader.changes import (
    Language,
    Rule,
    Sentence,
    drop,
    each_other,
    exchanged,
    matches,
    other_number,
    put,
    swap,
)

_TABLES = Tables(Path(__file__).parent / "tables")
_CHANGES = _TABLES.table("changes")
_LISTED = {word: letter for letter, words in _CHANGES["letters"].items() for word in words.split()}
_NUMBER = re.compile(r"[^\d\W]?\d[\d.,]*\w?|第?[一二三四五六七八九十百千万亿]+")
_NUMERAL = re.compile("[二三四五六七八九十百千]+")
_NAMES = _TABLES.lines("names.txt")
"""Places and people of jieba's dictionary (MIT): names of three or four characters, places of two; no verbs."""


@cache
def _named() -> frozenset[str]:
    return frozenset(_NAMES)


@cache
def letter(word: str) -> str:
    """The letter of a word; of content words by the commonest class in the wordnet."""
    if word in _LISTED:
        return str(_LISTED[word])
    if word in _named() or (word.isascii() and word[:1].isupper() and len(word) > 2):
        return "P"
    if _NUMBER.fullmatch(word):
        return "M"
    if not is_content(word) or not all("\u4e00" <= char <= "\u9fff" for char in word):
        return "w"
    lexicon = _lexicon()
    counts = Counter(
        next(letter for letter, limit in zip("NVJR", lexicon.graph.limits[1:], strict=False) if synset < limit)
        for synset, _ in lexicon.counted(word)
    )
    return max("NVJ", key=lambda letter: counts[letter]) if set("NVJ") & set(counts) else "w"


@cache
def _lexicon() -> WordNetLexicon:
    return WordNetLexicon.chinese()


def _exchanges() -> Mapping[str, Sequence[str]]:
    """For each word those that it may be exchanged for, by lists and by the tables of facts."""
    exchanges: dict[str, list[str]] = defaultdict(list, each_other(group.split() for group in _CHANGES["exchanged"]))
    for scale in table("degrees").values():
        for level, words in enumerate(scale):
            for word in words:
                exchanges[word] += [other for k, others in enumerate(scale) if k != level for other in others[:4]]
    for group in _TABLES.table("things"):
        kinds = [kind.split() for kind in group]
        for kind in kinds:
            for word in kind:
                exchanges[word] += [other for others in kinds if others is not kind for other in others]
    return _apart(exchanges)


def _apart(exchanges: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    """The table without what means nearly the same."""
    kept = {word: sorted(set(others) - replacements(word) - {word}) for word, others in exchanges.items()}
    return {word: others for word, others in kept.items() if others}


def _other_word(s: Sentence, word: str) -> Sequence[str]:
    """A word of another sentence, of the same class."""
    other = s.random.choice(s.pool.get(letter(word), [word]))
    return () if other in replacements(word) or other in s.words else (other,)


def _synonyms(_: Sentence, word: str) -> Sequence[str]:
    """Listed synonyms; both words have one sense in the list."""
    others = sorted(replacements(word) - {word}) if is_content(word) and _has_one_sense(word) else ()
    return [other for other in others if _has_one_sense(other)]


def _has_one_sense(word: str) -> bool:
    return len(word) > 1 and len(groups().get(word, ())) == 1


def _in_digits(_: Sentence, word: str) -> Sequence[str]:
    return [spell(word)] if _NUMERAL.fullmatch(word) else ()


def _clause(s: Sentence, _: str) -> Sequence[str]:
    return [f"， {s.random.choice(s.pool['phrases'])}"]


def _attribute(s: Sentence, _: str) -> Sequence[str]:
    return [f"{s.random.choice(s.pool['J'])} 的"]


_NEGATIONS = _CHANGES["letters"]["Z"].split()
_SURE = {word: [*_CHANGES["sure"].split(), ""] for word in _CHANGES["hedges"].split()}
CHINESE = Language(
    lambda text: tuple(text.split()),
    letter,
    lambda word, tag: tag if tag in "NVJ" and len(word) > 1 else "",
    phrases="(?<![^,.])[^,.]{4,12}(?=[,.])",
    breaks=(
        Rule(matches("M"), put(other_number), 3),
        exchanged(_exchanges(), 8, same=0.3, joint=""),
        exchanged(_apart(each_other([_CHANGES["superlatives"].split()])), 2, joint=""),
        Rule(matches("[^,.]"), put(lambda _, word: sorted(opposites().get(word, ())), 0.15), 2),
        Rule(matches("(?<!Z)(?=V)"), put(lambda *_: _NEGATIONS, 0.15), 1.5),
        Rule(matches("Z(?=[^.])"), put(lambda *_: ("",), 0.15), 2),
        Rule(matches("P"), put(lambda *_: _NAMES), 1),
        Rule(matches("(?<!P)(P)[^P.]*[VNJOS][^P.]*(P)"), swap(1, 2), 2),
        Rule(matches("(N)[^N.]*V[^N.]*(N)"), swap(1, 2), 1.5),
        Rule(matches("[NVJ]"), put(_other_word), 2),
        exchanged(_SURE, 1, same=0.4, joint=""),
        Rule(matches("(?<![^,.])([^,.]+)(S)([^,.]+)(?=[,.])"), swap(1, 3, blame=2), 1.5),
        exchanged({"。": ["吗 ？"]}, 0.2, same=0.35, joint="", where=r"\.$"),
        Rule(matches("(?<![^,.])I[^,.]*,"), drop(""), 1),
    ),
    losses=(
        Rule(matches(r"(?<![^,.])[^,.I]+,|,[^,.I]+(?=\.)"), drop(), 2),
        Rule(matches("[NJ]{1,4}D(?=[NVJM])"), drop(), 1),
    ),
    additions=(
        Rule(matches(r"(?<=[^,.])(?=\.)"), put(_clause, 0.5, "s"), 1),
        Rule(matches("(?=V)"), put(lambda *_: _CHANGES["adverbs"].split(), 0.6, "s"), 0.5),
        Rule(matches("(?=N)"), put(_attribute, 0.6, "s"), 0.5),
    ),
    rewordings=(
        Rule(matches("[^,.]"), put(_synonyms, 0.95, "os"), 5),
        exchanged(each_other(job.split() for job in _CHANGES["jobs"]), 2, 0.95, "os"),
        Rule(matches("M"), put(_in_digits, 0.95, "os"), 1),
        Rule(matches("(?<=.{4}),(?=.{4})"), put(lambda *_: ("。",), 0.95, "os"), 1),
    ),
)  # fmt: skip
"""Rules with their weights."""
