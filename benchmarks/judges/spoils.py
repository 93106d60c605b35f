"""What English and Chinese texts are spoilt with: negations, opposites, made-up details, voice and word order."""

from __future__ import annotations

from collections.abc import Sequence

from sema_chinese.facts import ChineseFacts
from sema_english.facts import EnglishFacts
from sema_english.relations import english_lexicon
from sema_wordnet.antonyms import antonyms

from sema.evaluation.perturbation import Spoils
from sema.metrics.meaning.views import SceneView
from sema.model.text import is_punctuation

_AUXILIARIES = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "can",
        "could",
        "will",
        "would",
        "has",
        "have",
        "had",
        "may",
        "might",
        "should",
        "must",
    ]
)
_DETAILS = (
    "in 1923",
    "with his younger brother",
    "near the Canadian border",
    "for nearly two million dollars",
    "after a long illness",
    "because of the heavy rain",
)
_CHINESE_DETAILS = ("在 1923年", "和 他 的 弟弟 一起", "因为 大雨", "花费 了 两百万 美元")
_PLACES = frozenset(
    [
        "中国",
        "美国",
        "英国",
        "法国",
        "德国",
        "日本",
        "俄罗斯",
        "韩国",
        "印度",
        "澳大利亚",
        "加拿大",
        "意大利",
        "西班牙",
        "北京",
        "上海",
        "广州",
        "深圳",
        "香港",
        "台湾",
        "天津",
        "重庆",
        "南京",
        "巴黎",
        "伦敦",
        "纽约",
        "东京",
        "欧洲",
        "非洲",
    ]
)
_ENGLISH, _CHINESE = EnglishFacts(), ChineseFacts()
_PREPOSITIONS = frozenset(["in", "on", "at", "during", "after", "before", "since", "until", "near"])
_SUBJECTS = frozenset(["the", "a", "an", "this", "that", "these", "those", "his", "her", "its", "their"])


def negate_english(words: Sequence[str], views: Sequence[SceneView]) -> list[str] | None:
    """Take a *not* out, or put one behind the first auxiliary."""
    for place, word in enumerate(words):
        if word.lower() in ("not", "n't"):
            return [*words[:place], *words[place + 1 :]]
    for place, word in enumerate(words):
        if word.lower() in _AUXILIARIES:
            return [*words[: place + 1], "not", *words[place + 1 :]]
    return None


def negate_chinese(words: Sequence[str], views: Sequence[SceneView]) -> list[str] | None:
    """Take a negation out, or put 没有 before the first main relation (不 before 是)."""
    for place, word in enumerate(words):
        if word in ("不", "没有", "未", "没"):
            return [*words[:place], *words[place + 1 :]]
    for view in views:
        if len(view.relation) == 1 and not _CHINESE.is_weak(words[view.relation[0]]):
            place = view.relation[0]
            return [*words[:place], "不" if words[place] == "是" else "没有", *words[place:]]
    return None


def opposites_english(word: str) -> Sequence[str]:
    """WordNet's antonyms of a content word."""
    return sorted(antonyms().get(word.lower(), ())) if len(word) > 2 else ()


def opposites_chinese(word: str) -> Sequence[str]:
    """The listed opposites."""
    return _CHINESE.opposites_of(word)


def passive_english(words: Sequence[str]) -> list[str] | None:
    """*X was founded by Y.* as *Y founded X.*, where the clause is the whole sentence and the verb regular."""
    lower = [word.lower() for word in words]
    for place in range(1, len(words) - 3):
        if lower[place] in ("was", "were") and lower[place + 1].endswith("ed") and lower[place + 2] == "by":
            end = next((t for t in range(place + 3, len(words)) if is_punctuation(words[t])), len(words))
            agent, patient = list(words[place + 3 : end]), list(words[:place])
            if end >= len(words) - 1 and agent and len(patient) < 8 and not any(map(is_punctuation, patient)):
                if lower[0] in _SUBJECTS:
                    patient[0] = lower[0]
                agent[0] = agent[0][:1].upper() + agent[0][1:]
                return [*agent, words[place + 1], *patient, *words[end:]]
    return None


def front_english(words: Sequence[str]) -> list[str] | None:
    """A closing phrase of time or place put first."""
    end = len(words) - 1 if words and is_punctuation(words[-1]) else len(words)
    for place in range(end - 2, max(2, end - 7), -1):
        if words[place] in _PREPOSITIONS and not any(is_punctuation(word) for word in words[:end]):
            first = words[0].lower() if words[0].lower() in _SUBJECTS else words[0]
            return [words[place].capitalize(), *words[place + 1 : end], ",", first, *words[1:place], *words[end:]]
    return None


def front_chinese(words: Sequence[str]) -> list[str] | None:
    """The parts on either side of the first comma exchanged, where there are two."""
    commas = [place for place, word in enumerate(words) if word in ("，", ",")]
    end = len(words) - 1 if words and is_punctuation(words[-1]) else len(words)
    if len(commas) != 1 or not 1 < commas[0] < end - 2:
        return None
    return [*words[commas[0] + 1 : end], words[commas[0]], *words[: commas[0]], *words[end:]]


def fills_role_english(words: Sequence[str]) -> bool:
    """No preposition or conjunction at the start, no relative pronoun alone."""
    return not _ENGLISH.is_weak(words[0]) or (words[0].lower() in _SUBJECTS and len(words) > 1)


def fills_role_chinese(words: Sequence[str]) -> bool:
    """No function word at the start."""
    return not _CHINESE.is_weak(words[0])


def english_name(words: Sequence[str], place: int) -> bool:
    """A capitalised word inside a sentence that is not a numeral, month or title's word."""
    word = words[place]
    return (
        place > 0
        and len(word) > 2
        and word[0].isupper()
        and word[1:].islower()
        and not is_punctuation(words[place - 1])
        and _ENGLISH.value(word) is None
        and word.lower() not in _SUBJECTS
    )


def chinese_name(words: Sequence[str], place: int) -> bool:
    """A listed country or city, or a transcribed name."""
    return words[place] in _PLACES or "·" in words[place]


def english_spoils() -> Spoils:
    """English."""
    return Spoils(
        EnglishFacts(english_lexicon()),
        " ",
        negate_english,
        opposites_english,
        _DETAILS,
        passive_english,
        front_english,
        fills_role_english,
        english_name,
    )


def chinese_spoils() -> Spoils:
    """Chinese; there is no rule for its passives."""
    return Spoils(
        ChineseFacts(),
        "",
        negate_chinese,
        opposites_chinese,
        _CHINESE_DETAILS,
        lambda words: None,
        front_chinese,
        fills_role_chinese,
        chinese_name,
    )
