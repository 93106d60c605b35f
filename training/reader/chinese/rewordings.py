"""Edits that keep the meaning of a Chinese sentence: listed synonyms, other function words, numerals in other signs."""

from __future__ import annotations

import re

from sema_chinese.meaning.words import is_content
from sema_chinese.relations import spell
from sema_chinese.synonyms import groups, replacements

from training.reader.chinese.sentences import BREAK, Editor, Sentence
from training.reader.perturbation import Edit

_JOBS = (
    "和 与 同 跟 及|或 或者|但 但是 可是 不过|因为 由于|因此 所以 因而|如果 若 假如 要是|虽然 尽管|在 于|从 自"
    "|使 令 让 使得|根据 据 按照|将 会|到 至|已 已经|曾 曾经|正 正在|仍 仍然 还是|未 没有|应 应该 应当"
    "|其 他的|此 这|该 这个|都 均 皆|并 并且|为了 为|可 可以|不可 不可以 不能|不得 不许 不准 禁止"
    "|也 亦|非常 十分 很|之后 以后|之前 以前"
)
_SAME_JOB = {word: [o for o in group.split() if o != word] for group in _JOBS.split("|") for word in group.split()}
_NUMERAL = re.compile("[二三四五六七八九十百千]+")


def synonym(s: Sentence) -> Edit | None:
    """A listed synonym; both words have one sense in the list."""
    for place in s.places(lambda word: is_content(word) and _has_one_sense(word)):
        others = sorted(word for word in replacements(s.words[place]) - {s.words[place]} if _has_one_sense(word))
        if others:
            return s.put(place, place + 1, s.random.choice(others))
    return None


def _has_one_sense(word: str) -> bool:
    return len(word) > 1 and len(groups().get(word, ())) == 1


def same_job(s: Sentence) -> Edit | None:
    """Another function word of the same function."""
    for place in s.places(_SAME_JOB.__contains__):
        return s.put(place, place + 1, s.random.choice(_SAME_JOB[s.words[place]]))
    return None


def in_digits(s: Sentence) -> Edit | None:
    """A numeral in digits."""
    for place in s.places(_NUMERAL.fullmatch):
        return s.put(place, place + 1, spell(s.words[place]))
    return None


def split(s: Sentence) -> Edit | None:
    """A sentence cut in two at a comma."""
    for place in s.places(BREAK.__eq__):
        if 3 < place < len(s.words) - 4:
            return s.put(place, place + 1, "。")
    return None


REWORDINGS: tuple[tuple[Editor, float], ...] = ((synonym, 5.0), (same_job, 2.0), (in_digits, 1.0), (split, 1.0))
"""Edits that keep the meaning, with the weight of each in the random choice."""
