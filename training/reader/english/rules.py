"""How English sentences are changed on purpose: their tokens, and the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from training.reader.changes import (
    GLUE,
    Language,
    Rule,
    Sentence,
    Words,
    capital,
    drop,
    each_other,
    exchanged,
    matches,
    other_number,
    put,
    swap,
)
from training.reader.english.lexical import TABLES, alike, letter, opposites

_EDGE = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)
_DIGITS = TABLES["digits"]
_ROMAN: Mapping[str, str] = TABLES["roman"]


def cut(text: str) -> Words:
    """The tokens of a text; marks are tokens of their own, and the first word has a capital letter if it is a name."""
    words: list[str] = []
    for word in text.split():
        before, bare, after = _EDGE.findall(word)[0]
        words += [before + GLUE * bool(bare)] * bool(before) + [bare] * bool(bare) + [GLUE + after] * bool(after)
    if words and letter(words[0]) != "P" and not re.match(r"I\b|[A-Z]{2}", words[0]):
        words[0] = words[0][:1].lower() + words[0][1:]
    return tuple(words)


def _kind(word: str, tag: str) -> str:
    ending = next((ending for ending in ("ing", "ed", "s") if word.endswith(ending)), "")
    named = tag == "P" and word.isalpha() and word[1:].islower()
    return f"V{ending}" if tag == "V" and ending and word.islower() else "P" if named else ""


def _other_verb(s: Sentence, word: str) -> Sequence[str]:
    return s.pool.get(_kind(word, "V"), ()) if _kind(word, "V") else ()


def _rewritten(s: Sentence, number: str) -> Sequence[str]:
    """Digits in words, words in digits, millions written out, thousands set apart."""
    word, _, million = number.partition(" million")
    if million or number.endswith(" million"):
        return [f"{float(word) * 1e6:,.0f}"] if re.fullmatch(r"\d+(\.\d+)?", word) else []
    if word in _DIGITS:
        return [str(_DIGITS.index(word))] if word not in _DIGITS[:2] else []
    if not word.isdecimal():
        return []
    return [_DIGITS[int(word)]] if int(word) < len(_DIGITS) else [f"{int(word):,}"] if len(word) > 4 else []


def _initials(_: Sentence, name: str) -> Sequence[str]:
    capitals = [word[0] for word in name.split() if word[:1].isupper()]
    return ["".join(capitals)] if len(capitals) >= 3 else []


def _turned(_: Sentence, date: str) -> Sequence[str]:
    first, second = date.split()
    return [f"{second} {first}"] if min(len(first), len(second)) < 3 else []


def _split(s: Sentence, clause: str) -> Sequence[str]:
    _, *conjunction, subject = clause.split()
    return [] if "or" in conjunction else [f"{GLUE}. {capital(subject)}"]


def _fronted(_: Sentence, sentence: str) -> Sequence[str]:
    """A closing phrase of time or place put first."""
    words = sentence.split()
    at = max(place for place, word in enumerate(words[:-1]) if letter(word) == "O")
    if words[at] not in ("in", "on", "at", "during", "since"):
        return []
    return [" ".join([*words[at:-1], f"{GLUE},", *words[:at], words[-1]])]


def _of(kind: str, more: Sequence[str] = ()) -> Any:
    """What stands in the pool, or, in three of ten, in a list."""
    return lambda s, _: more if more and s.random.random() < 0.3 else s.pool.get(kind, ())


def _rows(name: str) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for first, *others in TABLES[name]:
        table.setdefault(first.lower(), []).extend(others)
    return table


_CANCELLING = {*TABLES["attributes"], *TABLES["nearly"]}
"""Words without which a sentence says more than with them."""
_NOUNS = "[DJMNP]*[NP]"
_RELATIVE = {f"{GLUE}, who": [f"{GLUE}. They"], f"{GLUE}, which": [f"{GLUE}. It"]}
_FILLERS = {phrase: [""] for word in TABLES["weak"] for phrase in (word, f"{GLUE}, {word} {GLUE},")}
ENGLISH = Language(
    cut,
    letter,
    _kind,
    phrases=r"O[^,q.OSIWVX]{2,6}(?=\.)",
    breaks=(
        Rule(matches("M"), put(other_number), 2.5),
        exchanged(each_other([TABLES["months"]]), 1.5, where="T"),
        *(exchanged(each_other([TABLES[name]]), 1) for name in ("weekdays", "ordinals", "numbers")),
        exchanged(_rows("exchanged"), 6),
        exchanged(_rows("tense"), 1, same=0.4, where="(?<=.)"),
        exchanged(each_other([["and", "or"]]), 1, same=0.4),
        exchanged({"no": ["some"], "without": ["with"]}, 0.5, same=0.15),
        exchanged({f"{GLUE}.": [f"{GLUE}?"]}, 0.4, same=0.35, where=r"\.$"),
        exchanged(each_other([TABLES["roman"]]), 2, where="(?<=P)"),
        Rule(matches("(?<=.)P"), put(_of("P")), 1.5),
        Rule(matches(r"(?<!P)(P+)[^P.]*[VXNJOSIW][^P.]*(P+)"), swap(1, 2), 2.5),
        Rule(matches(f"(?<![DJMNP])({_NOUNS})X?R?V({_NOUNS})(?![NP])"), swap(1, 2), 3),
        Rule(matches("(?<=X)(?!Z)"), put(lambda *_: ("not", "not", "never", "no longer", "hardly"), 0.15), 1.8),
        Rule(matches("Z"), put(lambda *_: ("",), 0.15), 0.7),
        Rule(matches("[NVJR]"), put(lambda _, word: opposites(word), 0.2), 2),
        Rule(matches("[NJ]"), put(lambda _, word: alike(word), 0.3), 3),
        Rule(matches("V"), put(_other_verb), 1.5),
        exchanged({word: [""] for word in TABLES["attributes"]}, 0.6, same=0.35),
        Rule(matches("(?<=D)(?=N)"), put(lambda *_: TABLES["attributes"], 0.35), 0.6),
        Rule(matches(r"(?<![^,.])([^,q.]{2,})([SI])([^,q.]{2,})(?=[,.])"), swap(1, 3, 0.3, blame=2), 1.5),
        Rule(matches("(?<=,)I[^,q.]*,|(?<=[^,q])I[^,q.SW]*(?=[,.])"), drop(""), 1),
    ),
    losses=(
        Rule(matches("(?<=.{2})(O[^,q.OSIWZVX]{0,7}[NPMT]|[SW][^,q.OSIWZ]{2,9})"), drop(), 3),
        Rule(matches(r"(?<=.{4}),[^.SIZ]+(?=\.$)"), drop(), 1),
        Rule(matches("J(?=[JN])|R(?!Z)"), drop(but=_CANCELLING), 1.5),
    ),
    additions=(
        Rule(matches(r"(?=\.$)"), put(_of("phrases", TABLES["additions"]), 0.45, "s"), 3),
        Rule(matches("(?<=.{5})(?=,)"), put(_of("phrases"), 0.45, "s"), 1),
        Rule(matches(r"$"), put(_of("sentences"), 0.5, "s"), 1),
    ),
    rewordings=(
        exchanged(_rows("plain"), 6, 0.95, "os"),
        Rule(matches("MM?"), put(_rewritten, 0.95, "os"), 2),
        exchanged({number.lower(): [f"the {word}"] for number, word in _ROMAN.items()}, 2, 0.95, "os", where="(?<=P)"),
        Rule(matches("(?<=[^P])P{3,}"), put(_initials, 0.9, "os"), 1.5),
        Rule(matches("TM|MT"), put(_turned, 0.95, "os"), 2),
        Rule(matches(r"^[^,q.]{2,}[^,q.C]O[^,q.OSIWVX]+\.$"), put(_fronted, 0.97, "os"), 1.5),
        Rule(matches(",CD"), put(_split, 0.96, "os"), 1),
        exchanged(_RELATIVE, 1, 0.96, "os", where=r"..[VX][^,q]*\.$"),
        exchanged({f"{word} {GLUE},": [""] for word in TABLES["weak"]}, 0.5, 0.96, "os", where="^"),
        exchanged(_FILLERS, 0.5, 0.96, "os", where=",|(?<=[^,q]).(?=[^,q])"),
    ),
)  # fmt: skip
"""Rules with their weights."""
