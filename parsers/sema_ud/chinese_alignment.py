"""Chinese for the rule aligner: script and numerals, words that are cut differently, function words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable
from functools import lru_cache

from sema.alignment.kinds import Shape, WordRelations
from sema.alignment.rules import RuleAligner
from sema.lexicons import Lexicon
from sema_ud.chinese_text import to_model_characters

_DIGITS = {
    **{char: value for value, char in enumerate("零一二三四五六七八九")},
    **{char: value for value, char in enumerate("〇壹贰叁肆伍陆柒捌玖")},
    "○": 0,
    "两": 2,
}
_TENS = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}
_DATE_UNITS = {"年": "年", "月": "月", "月份": "月", "日": "日", "号": "日", "岁": "岁", "周岁": "岁", "世纪": "世纪"}
_NUMBER = re.compile(
    r"(?P<ordinal>第?)(?P<digits>\d[\d,]*(?:\.\d+)?)?(?P<characters>[〇○零一二三四五六七八九两十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟]*)"
    r"(?P<percent>%?)(?P<unit>年|月份|月|日|号|周岁|岁|世纪|[个名位只件条项家次种所座届人元米])?"
)


def _words(listed: str) -> list[str]:
    return listed.split()


FUNCTION_WORDS = frozenset(
    _words(
        "的 地 得 之 了 着 过 们 等 等等 者 所 是 为 在 于 以 从 自 由 对 对于 关于 "
        "向 往 朝 到 至 给 把 将 被 让 使 令 叫 跟 和 与 及 以及 同 或 或者 并 并且 "
        "而 而且 且 但 但是 却 虽然 尽管 因为 由于 因此 所以 如果 若 则 即 就 才 又 再 "
        "也 还 都 均 皆 很 更 最 已 已经 曾 正 正在 不 没 没有 未 无 非 这 那 该 此 "
        "其 其中 每 各 某 一些 个 只 位 名 种 件 项 次 条 家 座 届 上 中 下 里 内 "
        "外 前 后 时 当 吗 呢 吧 啊 会 能 可 可以 能够 要 应 应该 必须 据 根据 按照 "
        "按 通过 经 经过 除 除了 除外"
    )
)
"""Words that link on their neighbours' evidence alone; pronouns are not among them."""

_ALTERING = frozenset("不无非未没反") | _DIGITS.keys() | _TENS.keys() | _MYRIADS.keys()


def _number(digits: str | None, characters: str) -> float | None:
    """``3.5`` and ``万`` -> 35000; ``二〇〇四`` -> 2004; ``三百二十`` -> 320; ``None`` for no number."""
    if digits is not None:
        value = float(digits.replace(",", ""))
        for char in characters:
            if char not in _MYRIADS:
                return None
            value *= _MYRIADS[char]
        return value
    if all(char in _DIGITS for char in characters):
        return float("".join(str(_DIGITS[char]) for char in characters)) if characters else None
    total = section = digit = 0
    for char in characters:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _TENS:
            section += (digit or 1) * _TENS[char]
            digit = 0
        else:
            total = (total + section + digit or 1) * _MYRIADS[char]
            section = digit = 0
    return float(total + section + digit)


@lru_cache(1 << 16)
def number_value(word: str) -> Hashable | None:
    """What a numeral stands for, in digits or characters, with a measure word or a unit of dates; else ``None``.

    ``三``, ``3`` and ``三个`` are one value, ``二〇〇四年`` and ``2004年`` another; ``第三`` is the third, not three.
    """
    match = _NUMBER.fullmatch(spell(word, numerals=False))
    value = _number(match["digits"], match["characters"]) if match else None
    if match is None or value is None:
        return None
    unit = _DATE_UNITS.get(match["unit"] or "") or match["percent"]
    return (match["ordinal"], value, unit) if unit or match["ordinal"] else value


@lru_cache(1 << 16)
def spell(word: str, *, numerals: bool = True) -> str:
    """A word in half-width, lower-case, simplified characters; a numeral written in digits unless told otherwise."""
    plain = to_model_characters(unicodedata.normalize("NFKC", word)).lower()
    if not numerals:
        return plain
    match = _NUMBER.fullmatch(plain)
    value = _number(match["digits"], match["characters"]) if match else None
    if match is None or value is None:
        return plain
    return f"{match['ordinal']}{value:.10g}{match['percent']}{match['unit'] or ''}"


def is_partial(first: str, second: str) -> bool:
    """Whether one word is the other cut short: 高中 and 高级中学, 校 and 学校.

    The shorter word's characters stand in the longer in the same order; a single character must open or close a word
    of two. What the longer word adds must not negate or count (规则, 不规则; 公里, 三公里).
    """
    short, long = sorted((spell(first), spell(second)), key=len)
    if not short or len(short) == len(long) or not long.isalpha():
        return False
    if len(short) == 1:
        return len(long) == 2 and short in long and _ALTERING.isdisjoint(long)
    rest = iter(long)
    if not all(char in rest for char in short):
        return False
    return _ALTERING.isdisjoint(set(long) - set(short))


def relations(words: Lexicon | None = None, *, reverse_hyponymy: bool = False) -> WordRelations:
    """Chinese word relations, over :func:`sema_wordnet.chinese.lexicon` unless another lexicon is given."""
    from sema_wordnet import chinese

    return WordRelations(
        words or chinese.lexicon(),
        stem=spell,
        spell=spell,
        value=number_value,
        function_words=FUNCTION_WORDS,
        shape=Shape(lambda word: frozenset(spell(word)), is_partial),
        reverse_hyponymy=reverse_hyponymy,
    )


def aligner(words: Lexicon | None = None, *, reverse_hyponymy: bool = False) -> RuleAligner:
    """The rule aligner for Chinese."""
    return RuleAligner(relations(words, reverse_hyponymy=reverse_hyponymy))
