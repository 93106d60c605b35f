"""What Chinese words say about facts: negation, modality, quantity, pronouns, agents of passives."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from sema.model.text import is_punctuation
from sema_chinese.relations import FUNCTION_WORDS, number_value

VERSION = 1
_NEGATIONS = frozenset(
    [
        "不",
        "没",
        "没有",
        "未",
        "无",
        "非",
        "别",
        "勿",
        "不是",
        "不会",
        "不能",
        "并非",
        "从未",
        "从不",
        "不曾",
        "未曾",
        "毫无",
        "决不",
        "绝不",
        "並非",
        "從未",
        "沒有",
        "沒",
        "無",
        "從不",
        "決不",
        "絕不",
    ]
)
_PRONOUNS = frozenset(["他", "她", "它", "他们", "她们", "它们", "他們", "她們", "牠", "牠們", "它們", "其", "自己"])
_FORCES = {
    "possible": "可能 也许 或许 大概 恐怕 似乎 也許 或許",
    "able": "能 能够 可以 能夠",
    "must": "必须 必需 须 必須 須",
    "should": "应该 应当 应 應該 應當 應",
    "all": "所有 全部 全 每 各 一切 都",
    "most": "大多数 大部分 多数 主要 大多數 多數",
    "some": "一些 有些 某些 几 若干 幾",
    "many": "许多 很多 众多 多 許多 眾多",
    "few": "少数 很少 少 少數",
    "only": "只 仅 仅仅 只有 僅 僅僅",
    "about": "大约 约 左右 大約 約",
    "over": "超过 以上 超過",
    "under": "不到 以下",
}
_FORCE = {word: group for group, words in _FORCES.items() for word in words.split()}
_AGENTS = frozenset(["被", "由", "为", "為", "给", "給", "叫", "让", "讓"])
OPPOSITES = frozenset(
    frozenset(pair.split("-"))
    for pair in [
        "大-小",
        "多-少",
        "高-低",
        "长-短",
        "長-短",
        "新-旧",
        "新-舊",
        "好-坏",
        "好-壞",
        "快-慢",
        "前-后",
        "前-後",
        "上-下",
        "左-右",
        "东-西",
        "東-西",
        "南-北",
        "内-外",
        "內-外",
        "增加-减少",
        "增加-減少",
        "上升-下降",
        "提高-降低",
        "开始-结束",
        "開始-結束",
        "支持-反对",
        "支持-反對",
        "同意-拒绝",
        "同意-拒絕",
        "成功-失败",
        "成功-失敗",
        "安全-危险",
        "安全-危險",
        "容易-困难",
        "容易-困難",
        "允许-禁止",
        "允許-禁止",
        "打开-关闭",
        "打開-關閉",
        "进入-离开",
        "進入-離開",
        "出口-进口",
        "出口-進口",
        "最大-最小",
        "最高-最低",
        "最多-最少",
        "增长-下降",
        "增長-下降",
        "扩大-缩小",
        "擴大-縮小",
        "男-女",
        "早-晚",
        "强-弱",
        "強-弱",
        "富-穷",
        "富-窮",
        "赢-输",
        "贏-輸",
    ]
)


class ChineseFacts:
    """Closed classes by list, numbers by value; both scripts."""

    def __init__(self) -> None:
        self.is_weak = lru_cache(1 << 17)(self._is_weak)
        self.value = lru_cache(1 << 17)(self._value)

    @property
    def signature(self) -> str:
        """Name and version."""
        return f"zh-facts-{VERSION}"

    def _is_weak(self, word: str) -> bool:
        return word in FUNCTION_WORDS or word in _PRONOUNS or is_punctuation(word)

    def _value(self, word: str) -> Hashable | None:
        return number_value(word)

    def negates(self, word: str) -> bool:
        """Whether it is a word of negation."""
        return word in _NEGATIONS

    def force(self, word: str) -> str | None:
        """The group of a modal or a quantifier."""
        return _FORCE.get(word)

    def is_pronoun(self, word: str) -> bool:
        """Whether it is a personal pronoun of the third person."""
        return word in _PRONOUNS

    def marks_agent(self, word: str) -> bool:
        """Whether it introduces the agent of a passive."""
        return word in _AGENTS

    def likeness(self, source: str, output: str) -> float:
        """0 for listed opposites, else 1: the links' weights say how the words are related."""
        return float(frozenset((source, output)) not in OPPOSITES)

    def __reduce__(self) -> tuple[type[ChineseFacts], tuple[()]]:
        return type(self), ()
