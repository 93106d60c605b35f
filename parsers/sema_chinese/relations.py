"""Chinese word relations: script and numerals, words that are cut differently, function words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Sequence
from functools import lru_cache

from sema.alignment.relations import Shape, WordRelations
from sema.alignment.rules import RuleAligner
from sema.model.lexicon import IndexedLexicon, Lexicon
from sema_chinese.segmenter import to_model_characters

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

_SAME_JOB = (
    "和 与 同 跟 及 以及 暨",
    "并 并且 且 而且 和",
    "或 或者 或是",
    "但 但是 可是 不过 然而 而 却",
    "因为 由于 因",
    "因此 所以 因而 故 由此 从而",
    "如果 如 若 假如 倘若 要是",
    "虽然 虽 尽管",
    "在 于",
    "从 自 由 自从",
    "由 被 受 遭",
    "使 令 让 叫 使得",
    "为 为了",
    "为 给",
    "以 用 拿",
    "以 来 以便",
    "把 将",
    "将 会 将会 将要",
    "向 往 朝 对",
    "对 对于",
    "到 至",
    "根据 据 按照 按 依据 依照",
    "通过 经 经过",
    "关于 有关",
    "除 除了",
    "已 已经",
    "曾 曾经",
    "正 正在 在",
    "仍 仍然 还 依然",
    "未 没 没有 未能 没能",
    "无 没有 没",
    "不 未",
    "应 应该 应当 该",
    "须 必须 要 需要",
    "可 可以 能 能够",
    "这 此 该 这个 这一 这些",
    "那 那个 那些",
    "各 每 各个 每个",
    "都 均 皆 全 全部",
    "也 亦",
    "就 即 便",
    "再 又 再次",
    "更 更加 更为",
    "很 非常 十分 极 极其 极为 相当",
    "只 仅 仅仅 只是",
    "的 之",
    "等 等等",
    "时 时候",
    "中 里 内",
    "其 它 它的 他的 他们 他们的 它们",
)
"""Words of grammar that stand for each other, of which news prefers the older ones and plain Chinese the newer."""
ROLES: dict[str, set[int]] = {}
for _role, _listed in enumerate(_SAME_JOB):
    for _word in _words(_listed):
        ROLES.setdefault(_word, set()).add(_role)

_OPPOSITES = _words(
    "进出 入出 上下 前后 左右 内外 里外 大小 多少 高低 长短 新旧 新老 老少 男女 父母 买卖 增减 加减 升降 "
    "涨跌 开关 开闭 来去 来往 早晚 冷热 轻重 快慢 强弱 好坏 优劣 贫富 难易 胜负 胜败 输赢 公私 东西 南北 "
    "东南 东北 西南 西北 有无 是非 先后 始终 首末 收支 借还 借贷 存取 生死 存亡 正反 正负 正副 主次 远近 "
    "深浅 厚薄 宽窄 粗细 昼夜 日夜 攻守 推拉 得失 盈亏"
)
OPPOSITE_CHARACTERS = {frozenset(pair) for pair in _OPPOSITES}
"""Pairs of characters that say the opposite of each other."""

_CLASSES = frozenset(
    "国省市县州区镇乡村江河湖海山岛湾港语文族党队人员者家师长士生子儿女民兵机车船年月日天周季酒学校院馆店厂部局"
)
"""Characters that, at the end of a word, say what class of things it belongs to."""

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


@lru_cache(1 << 14)
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


@lru_cache(1 << 14)
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


def abbreviates(word: str, run: Sequence[str]) -> bool:
    """Whether a word takes one character, in order, from each word of a run: 经贸, 经济 贸易; 珍稀, 珍贵 稀有.

    The words of the run have two characters or more and none of them is a numeral.
    """
    word = spell(word)
    return len(word) == len(run) and all(
        len(long) > 1 and char in long and char not in _ALTERING and number_value(long) is None
        for char, long in zip(word, map(spell, run), strict=True)
    )


def is_kindred(first: str, second: str, words: Lexicon) -> bool:
    """Whether two words of two characters share one and may well mean the same in the same place: 探讨, 讨论.

    The characters in which they differ must not be opposites (进口, 出口), negate or count; words that end alike in
    what names a class of things (妻子, 儿子; 法国, 美国) and words that the lexicon puts at most two steps below the
    same wider word (北京, 南京) are different things. The lexicon must know one of the two, which leaves most pairs of
    names out (湖北, 河北).
    """
    first, second = spell(first), spell(second)
    if len(first) != 2 or len(second) != 2 or len(set(first) & set(second)) != 1:
        return False
    if number_value(first) is not None or number_value(second) is not None:
        return False
    rest = set(first) ^ set(second)
    if not _ALTERING.isdisjoint(rest) or frozenset(rest) in OPPOSITE_CHARACTERS:
        return False
    if first[1] == second[1] and first[1] in _CLASSES:
        return False
    if not (words.lemmas(first) or words.lemmas(second)):
        return False
    return not (isinstance(words, IndexedLexicon) and words.hypernyms(first, 2) & words.hypernyms(second, 2))


def chinese_lexicon() -> Lexicon:
    """The Chinese Open Wordnet and Wiktionary's senses, for simplified and traditional words."""
    from sema_wordnet import WordNetLexicon

    return WordNetLexicon.chinese()


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
        shape=Shape(
            keys=lambda word: frozenset(spell(word)),
            alike=is_partial,
            abbreviates=abbreviates,
            kindred=lambda first, second: is_kindred(first, second, words),
        ),
        hyponymy_depth=hyponymy_depth,
        reverse_hyponymy=reverse_hyponymy,
    )


def rule_aligner(
    *, lexicon: Lexicon | None = None, reverse_hyponymy: bool = False, hyponymy_depth: int = 3
) -> RuleAligner:
    """The rule aligner for Chinese."""
    return RuleAligner(relations(lexicon, reverse_hyponymy=reverse_hyponymy, hyponymy_depth=hyponymy_depth))
