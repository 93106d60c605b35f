"""Edits that change the meaning of a Chinese sentence, lose some of it, or add to it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from sema_chinese.antonyms import opposites
from sema_chinese.listed import table
from sema_chinese.meaning.words import is_content
from sema_chinese.synonyms import replacements

from sema.runtime.tables import Tables
from training.reader.chinese.sentences import Editor, Sentence, is_adjective, is_noun, is_verb, part_of_speech
from training.reader.perturbation import Edit

TABLES = Path(__file__).parent / "tables"
_TABLES = Tables(TABLES)
_CHARACTERS = "一二三四五六七八九十"
_TENFOLD = {"十": "百", "百": "千", "千": "万", "万": "亿", "亿": "万"}
_EXCHANGED = (
    "和 或|与 或|以及 或者|并 或者",
    "年 月 天|小时 分钟|公里 米 英里|吨 公斤|美元 元 欧元|厘米 毫米|世纪 年代",
    "昨天 明天 今天|去年 今年 明年|上午 下午 晚上|之前 之后|以前 以后|前 后|早 晚|春天 夏天 秋天 冬天",
    "至少 最多|最少 最多|以上 以下|超过 不到|高于 低于|大于 小于|多于 少于|之内 之外|以内 以外",
    "因为 虽然|由于 尽管|因此 但是|所以 不过|如果 因为 即使|除非 如果|为了 因为|从而 然而",
    "已经 即将|已 将|曾 将|正在 打算|计划 已经|准备 已经|将 已",
    "禁止 允许 鼓励|不得 可以 必须|不能 可以|不可 可以|必须 可以 不必|应该 不必|允许 禁止|应当 不得|准许 不准|可 不可",
    "被 把|给 从|向 从|对 被|从 到|由 给",
    "我 他 你|他 我|她 他|我们 他们|他们 我们|自己 别人",
    "第一 第二 最后|首次 再次|首先 最后|唯一 之一|每 某|所有 部分|都 都不|只 也|仅 不仅|也 只",
    "东 西 南 北|东部 西部 南部 北部|左 右|上 下|里 外|内 外|南方 北方|东方 西方",
    "红色 蓝色 绿色 黄色 黑色 白色|红 蓝 绿 黄|黑 白",
    "星期一 星期三 星期五|周一 周二 周四|一月 三月 六月|早上 晚上|白天 夜间",
)
"""Groups of words of different meanings: each may become any other of its group."""
_NEGATIONS = ("不", "没有", "没", "未", "并未", "从未", "从不", "并不", "不是", "无法")
_HEDGES = ("可能", "也许", "或许", "大概", "似乎", "据说", "据称", "有望", "预计", "估计", "大约", "约", "左右")
_SURE = ("一定", "肯定", "必然")
_ADVERBS = (
    "非常", "很", "十分", "主要", "通常", "经常", "一般", "部分", "几乎", "基本", "初步", "暂时", "免费", "单独",
)  # fmt: skip
_QUALITIES = (*"大高长老快多贵深重宽强富热远早好难", "危险", "有名", "美")
"""What superlatives are made of."""
_DIGITS = re.compile(r"\d+")


@cache
def _exchanged() -> Mapping[str, tuple[str, ...]]:
    """For each word those that it may be exchanged for, from the groups above and the tables of facts."""
    groups = [group.split() for line in _EXCHANGED for group in line.split("|")]
    exchanges: dict[str, set[str]] = defaultdict(set)
    for group in groups:
        for word in group:
            exchanges[word].update(group)
    for scale in table("degrees").values():
        for level, words in enumerate(scale):
            for word in words:
                exchanges[word].update(other for k, others in enumerate(scale) if k != level for other in others[:4])
    for group in _TABLES.table("things"):
        kinds = [kind.split() for kind in group]
        for kind in kinds:
            for word in kind:
                exchanges[word].update(other for others in kinds if others is not kind for other in others)
    return {word: tuple(sorted(others - replacements(word) - {word})) for word, others in exchanges.items()}


def exchanged(s: Sentence) -> Edit | None:
    """Another word of the same scale, group or job."""
    for start, end, phrase in s.among(_exchanged()):
        if others := _exchanged()[phrase]:
            return s.put(start, end, s.random.choice(others), same=0.3)
    return None


def _exchanges(groups: Iterable[str]) -> Editor:
    exchanges = {
        word: [other for other in group.split() if other != word] for group in groups for word in group.split()
    }

    def editor(s: Sentence) -> Edit | None:
        for start, end, phrase in s.among(exchanges):
            return s.put(start, end, s.random.choice(exchanges[phrase]), same=0.3)
        return None

    return editor


def number_changed(s: Sentence) -> Edit | None:
    """Another number, or ten times as much."""
    for place in s.places(lambda word: _DIGITS.search(word) or set(word) & set(_CHARACTERS) or word in _TENFOLD):
        word = s.words[place]
        if number := _DIGITS.search(word):
            digits = number.group()
            at = s.random.randrange(len(digits))
            fresh = s.random.choice([digit for digit in "123456789" if digit != digits[at]])
            other = (
                digits + "0"
                if s.random.random() < 0.15 and len(digits) != 4
                else digits[:at] + fresh + digits[at + 1 :]
            )
            return s.put(place, place + 1, word[: number.start()] + other + word[number.end() :])
        if word in _TENFOLD and (place == 0 or not _DIGITS.search(s.words[place - 1])):
            continue
        signs = [k for k, char in enumerate(word) if char in _CHARACTERS or char in _TENFOLD]
        if not signs or (len(word) > 1 and len(signs) < len(word) and word[0] not in "第"):
            continue
        at = s.random.choice(signs)
        fresh = _TENFOLD.get(word[at]) or s.random.choice([char for char in _CHARACTERS[1:9] if char != word[at]])
        return s.put(place, place + 1, word[:at] + fresh + word[at + 1 :])
    return None


def superlative_changed(s: Sentence) -> Edit | None:
    """One superlative for another, or no superlative any more."""
    for place in s.places(lambda word: word.startswith("最")):
        word, behind = s.words[place], s.words[place + 1] if place + 1 < len(s.words) else ""
        quality, end = (word[1:], place + 1) if len(word) > 1 else (behind, place + 2)
        if quality in _QUALITIES or is_adjective(quality):
            other = s.random.choice([one for one in _QUALITIES if one not in replacements(quality)])
            return s.put(place, end, "最" + other, same=0.25)
    return None


def opposed(s: Sentence) -> Edit | None:
    """A word's opposite."""
    for place in s.places(lambda word: word in opposites()):
        return s.put(place, place + 1, s.random.choice(sorted(opposites()[s.words[place]])), same=0.15)
    return None


def negated(s: Sentence) -> Edit | None:
    """A negation put in before a verb."""
    for place in s.places(is_verb):
        word = s.random.choice(_NEGATIONS)
        words = (*s.words[:place], word, *s.words[place:])
        return Edit(words, frozenset([place, place + 1]), frozenset([place]), same=0.15)
    return None


def affirmed(s: Sentence) -> Edit | None:
    """A negation taken out."""
    for place in s.places(lambda word: word in _NEGATIONS):
        if place + 1 < len(s.words):
            words = (*s.words[:place], *s.words[place + 1 :])
            return Edit(words, frozenset([place]), frozenset([place, place + 1]), same=0.15)
    return None


def _is_name(word: str) -> bool:
    return word in _names() or (word.isascii() and word[:1].isupper() and len(word) > 2)


def name_changed(s: Sentence) -> Edit | None:
    """Another name."""
    for place in s.places(_is_name):
        return s.put(place, place + 1, s.random.choice(list(_names())))
    return None


@cache
def _names() -> dict[str, None]:
    """Places and people of jieba's dictionary (MIT): names of three or four characters, places of two; no verbs."""
    return dict.fromkeys(_TABLES.lines("names.txt"))


def names_exchanged(s: Sentence) -> Edit | None:
    """Two names of the sentence in each other's place."""
    return _pair_swapped(s, [place for place, word in enumerate(s.words) if _is_name(word)])


def nouns_exchanged(s: Sentence) -> Edit | None:
    """Two nouns of the sentence in each other's place, a verb between them."""
    return _pair_swapped(s, [place for place, word in enumerate(s.words) if is_noun(word)], across_verb=True)


def _pair_swapped(s: Sentence, places: list[int], *, across_verb: bool = False) -> Edit | None:
    pairs = [(a, b) for a in places for b in places if a + 1 < b and s.words[a] != s.words[b]]
    s.random.shuffle(pairs)
    for a, b in pairs:
        between = s.words[a + 1 : b]
        listed = all(not is_content(word) and word not in "被把比给" for word in between)
        if listed or (across_verb and not any(map(is_verb, between))):
            continue
        return s.swapped((a, a + 1), (b, b + 1))
    return None


def word_changed(s: Sentence) -> Edit | None:
    """A content word of another sentence, of the same part of speech."""
    for place in s.places(lambda word: part_of_speech(word) is not None):
        kind = part_of_speech(s.words[place])
        assert kind is not None
        other = s.random.choice(s.pool.words[kind])
        if other not in replacements(s.words[place]) and other not in s.words:
            return s.put(place, place + 1, other)
    return None


def made_sure(s: Sentence) -> Edit | None:
    """An uncertain statement that is certain."""
    for place in s.places(lambda word: word in _HEDGES[:6]):
        if s.random.random() < 0.5:
            return s.put(place, place + 1, s.random.choice(_SURE), same=0.4)
        words = (*s.words[:place], *s.words[place + 1 :])
        return Edit(words, frozenset(), frozenset([place]), same=0.45)
    return None


def clauses_exchanged(s: Sentence) -> Edit | None:
    """The statements on either side of a word of time or cause in each other's place."""
    joints = {"之后", "之前", "以后", "以前", "后", "前", "导致", "造成", "引起", "因为", "由于", "比"}
    for place in s.places(joints.__contains__):
        for start, end in s.clauses:
            if start + 1 < place < end - 1:
                return s.swapped((start, place), (place + 1, end))
    return None


def asked(s: Sentence) -> Edit | None:
    """A statement that became a question."""
    if s.words[-1] != "。":
        return None
    return s.put(len(s.words) - 1, len(s.words), "吗", "？", same=0.35)


def clause_lost(s: Sentence) -> Edit | None:
    """A clause left out."""
    if len(s.clauses) < 2:
        return None
    start, end = s.random.choice(s.clauses)
    start, end = (start, end + 1) if start == 0 else (start - 1, end)
    words = (*s.words[:start], *s.words[end:])
    return Edit(words, frozenset(), frozenset(range(start, end)), output_entailed=True, same=0.6)


def modifier_lost(s: Sentence) -> Edit | None:
    """What stands before 的 left out."""
    for place in s.places("的".__eq__):
        start = place
        while start > 0 and place - start < 4 and (is_noun(s.words[start - 1]) or is_adjective(s.words[start - 1])):
            start -= 1
        if start < place and place + 1 < len(s.words) and part_of_speech(s.words[place + 1]) is not None:
            words = (*s.words[:start], *s.words[place + 1 :])
            return Edit(words, frozenset(), frozenset(range(start, place + 1)), output_entailed=True, same=0.7)
    return None


def condition_lost(s: Sentence) -> Edit | None:
    """A condition left out, so that the rest holds always."""
    listed = _TABLES.table("conditions")
    opened = (*listed["conditions"], *listed["exceptions"], "只有", "当", "在")
    for start, end in s.clauses[:-1]:
        if s.words[start] in opened:
            words = (*s.words[:start], *s.words[end + 1 :])
            return Edit(words, frozenset(), frozenset(range(start, end)), same=0.45)
    return None


def clause_added(s: Sentence) -> Edit | None:
    """A clause of another sentence added."""
    _, end = s.clauses[-1]
    clause = s.random.choice(s.pool.clauses)
    words = (*s.words[:end], "，", *clause, *s.words[end:])
    return Edit(words, frozenset(range(end + 1, end + 1 + len(clause))), frozenset(), source_entailed=True, same=0.5)


def word_added(s: Sentence) -> Edit | None:
    """An adjective or adverb added that the source does not have."""
    for place in s.places(lambda word: is_noun(word) or is_verb(word)):
        fresh: tuple[str, ...] = (s.random.choice(_ADVERBS),)
        if is_noun(s.words[place]):
            fresh = (s.random.choice(s.pool.words[2]), "的")
        words = (*s.words[:place], *fresh, *s.words[place:])
        return Edit(words, frozenset(range(place, place + len(fresh))), frozenset(), source_entailed=True, same=0.6)
    return None


BREAKS: tuple[tuple[Editor, float], ...] = (
    (number_changed, 3.0), (exchanged, 3.0), (superlative_changed, 2.0), (opposed, 2.0), (negated, 1.5),
    (affirmed, 2.0), (name_changed, 1.0), (names_exchanged, 2.0), (nouns_exchanged, 1.5), (word_changed, 2.0),
    (made_sure, 1.0), (clauses_exchanged, 1.5), (asked, 0.2), (condition_lost, 1.0),
    *((_exchanges(line.split("|")), 0.8) for line in _EXCHANGED),
)  # fmt: skip
"""Edits that change the meaning, with the weight of each in the random choice."""
LOSSES: tuple[tuple[Editor, float], ...] = ((clause_lost, 2.0), (modifier_lost, 1.0))
ADDITIONS: tuple[tuple[Editor, float], ...] = ((clause_added, 1.0), (word_added, 1.0))
