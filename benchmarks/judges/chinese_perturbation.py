"""Chinese changes of texts: negations, opposites, invented details and word order."""

from __future__ import annotations

from collections.abc import Sequence

from sema_chinese.antonyms import opposites
from sema_chinese.meaning.words import is_content

from benchmarks.judges.perturbation_kinds import Perturbations
from sema.meaning.views import SceneView
from sema.model.text import is_punctuation

_CHINESE_DETAILS = ("在 1923年", "和 他 的 弟弟 一起", "因为 大雨", "花费 了 两百万 美元")
_PLACES = frozenset(
    (  # noqa: SIM905
        "中国 美国 英国 法国 德国 日本 俄罗斯 韩国 印度 澳大利亚 加拿大 意大利 西班牙 北京 "
        "上海 广州 深圳 香港 台湾 天津 重庆 南京 巴黎 伦敦 纽约 东京 欧洲 非洲"
    ).split()
)


def negate_chinese(words: Sequence[str], views: Sequence[SceneView]) -> list[str] | None:
    """Remove a negation, or put 没有 before the first main relation (不 before 是)."""
    for place, word in enumerate(words):
        if word in ("不", "没有", "未", "没"):
            return [*words[:place], *words[place + 1 :]]
    for view in views:
        if len(view.relation) == 1 and is_content(words[view.relation[0]]):
            place = view.relation[0]
            return [*words[:place], "不" if words[place] == "是" else "没有", *words[place:]]
    return None


def opposites_chinese(word: str) -> Sequence[str]:
    """The listed opposites."""
    return sorted(opposites().get(word, ()))


def front_chinese(words: Sequence[str]) -> list[str] | None:
    """The parts before and after the comma exchanged, if there is exactly one comma."""
    commas = [place for place, word in enumerate(words) if word in ("，", ",")]
    end = len(words) - 1 if words and is_punctuation(words[-1]) else len(words)
    if len(commas) != 1 or not 1 < commas[0] < end - 2:
        return None
    return [*words[commas[0] + 1 : end], words[commas[0]], *words[: commas[0]], *words[end:]]


def fills_role_chinese(words: Sequence[str]) -> bool:
    """Whether the first word is a content word."""
    return is_content(words[0])


def chinese_name(words: Sequence[str], place: int) -> bool:
    """A listed country or city, or a transcribed name."""
    return words[place] in _PLACES or "·" in words[place]


def chinese_perturbations() -> Perturbations:
    """Chinese; there is no rule for its passives."""
    return Perturbations(
        lambda word: not is_content(word),
        negate_chinese,
        opposites_chinese,
        _CHINESE_DETAILS,
        lambda words: None,
        front_chinese,
        fills_role_chinese,
        chinese_name,
    )
