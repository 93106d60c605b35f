from __future__ import annotations

from functools import cache

import pytest
from sema_chinese import relations

from sema.alignment import Aligner, LinkKind
from sema.alignment.rules import RuleAligner


@cache
def aligner() -> RuleAligner:
    return relations.rule_aligner()


def words(source: str, output: str) -> set[tuple[str, str, str]]:
    first, second = source.split(), output.split()
    linked = aligner().align([(first, second)])[0]
    assert len({link.source for link in linked}) == len(linked)
    return {(first[i], second[j], kind.value) for i, j, kind, *_ in linked}


def test_is_an_aligner() -> None:
    assert isinstance(aligner(), Aligner)
    assert "cow" in aligner().signature


@pytest.mark.parametrize(
    ("source", "output", "link"),
    [
        ("他 喝 啤酒", "他 喝 饮料", ("啤酒", "饮料", "hyponymy")),
        ("他 上 高级中学", "他 上 高中", ("高级中学", "高中", "form")),
        ("他 上 高中", "他 上 高级中学", ("高中", "高级中学", "form")),
        ("他 购买 书", "他 买 书", ("购买", "买", "form")),
        ("迅速 发展", "快速 发展", ("迅速", "快速", "synonym")),
        ("二〇〇四 年 成立", "2004 年 成立", ("二〇〇四", "2004", "form")),
        ("有 三 人", "有 3 人", ("三", "3", "form")),
        ("有 一千五百 人", "有 1500 人", ("一千五百", "1500", "form")),
        ("学校 很 大", "學校 很 大", ("学校", "學校", "form")),
        ("价格 ５０", "价格 50", ("５０", "50", "form")),
    ],
)
def test_kinds(source: str, output: str, link: tuple[str, str, str]) -> None:
    assert link in words(source, output)


def test_how_far_hyponymy_goes_is_an_option() -> None:
    """A teacher is a person four steps up, and a person stands three steps below WordNet's top."""

    def linked(source: str, output: str, **options: int) -> bool:
        (links,) = relations.rule_aligner(**options).align([((source,), (output,))])
        return [link.kind for link in links] == [LinkKind.HYPONYMY]

    assert linked("苹果", "水果") and not linked("老师", "人")
    assert not linked("老师", "人", hyponymy_depth=4) and not linked("老师", "人", hyponymy_floor=3)
    assert linked("老师", "人", hyponymy_depth=4, hyponymy_floor=3)
    assert not linked("苹果", "水果", hyponymy_depth=1)


def test_how_many_senses_hyponymy_looks_at_is_an_option() -> None:
    """上午 is a 阶段 in a sense that is not its first one."""
    pair = [(("上午",), ("阶段",))]
    (links,), (narrow,) = relations.rule_aligner().align(pair), relations.rule_aligner(senses=1).align(pair)
    assert [link.kind for link in links] == [LinkKind.HYPONYMY] and not narrow
    (links,) = relations.rule_aligner(senses=1).align([(("苹果",), ("水果",))])
    assert [link.kind for link in links] == [LinkKind.HYPONYMY]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("规则", "不规则"),
        ("三", "四"),
        ("三月", "三日"),
        ("二〇〇四", "2005"),
        ("饮料", "啤酒"),
        ("公里", "三公里"),
        ("中学", "大学"),
    ],
)
def test_never_linked(source: str, output: str) -> None:
    assert words(f"他 {source}", f"他 {output}") == {("他", "他", "exact")}


def test_words_cut_differently() -> None:
    assert words("全法 汉语 教学 举行", "全法汉语教学 举行") == {
        ("全法", "全法汉语教学", "form"),
        ("汉语", "全法汉语教学", "form"),
        ("教学", "全法汉语教学", "form"),
        ("举行", "举行", "exact"),
    }
    assert ("全法汉语教学", "教学", "form") in words("全法汉语教学 举行", "全法 汉语 教学 举行")
    assert words("2004 年 成立", "二〇〇四年 成立") >= {("2004", "二〇〇四年", "form"), ("年", "二〇〇四年", "form")}


@pytest.mark.parametrize(
    ("source", "output", "link"),
    [
        ("他 与 她 来", "他 和 她 来", ("与", "和", "synonym")),
        ("他 已 到达 北京", "他 已经 到达 北京", ("已", "已经", "synonym")),
        ("会议 于 北京 举行", "会议 在 北京 举行", ("于", "在", "synonym")),
        ("该 公司 成立", "这个 公司 成立", ("该", "这个", "synonym")),
    ],
)
def test_words_of_grammar(source: str, output: str, link: tuple[str, str, str]) -> None:
    assert link in words(source, output)


def test_words_of_grammar_need_their_place() -> None:
    assert words("他 与 她 来", "雨 停 和 风 大") == set()
    assert ("和", "和", "exact") in words("他 和 她 与 我 来", "他 和 她 来")


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("经贸 关系", "经济 贸易 关系", {("经贸", "贸易", "paraphrase")}),
        ("经济 贸易 关系", "经贸 关系", {("经济", "经贸", "form"), ("贸易", "经贸", "paraphrase")}),
        ("深港 经济 发展", "深圳 和 香港 经济 发展", {("深港", "香港", "form")}),
    ],
)
def test_abbreviations(source: str, output: str, expected: set[tuple[str, str, str]]) -> None:
    assert expected <= words(source, output)


def test_abbreviations_take_their_words_in_order_and_free() -> None:
    assert all((first, kind) != ("经贸", "form") for first, _, kind in words("经贸 关系", "贸易 经济 关系"))
    assert all(first != "经贸" for first, _, _ in words("经贸 发展 经济 贸易", "发展 经济 贸易"))


@pytest.mark.parametrize(("word", "other"), [("锐减", "减少"), ("奉行", "实行"), ("变迁", "变化"), ("成就", "成绩")])
def test_kindred_words_in_place(word: str, other: str) -> None:
    assert (word, other, "contextual") in words(f"他们 {word} 的 问题", f"他们 {other} 的 问题")
    assert all(first != word for first, _, _ in words(f"他们 {word} 问题", f"{other} 使 大家 高兴"))


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("进口", "出口"),
        ("中国", "美国"),
        ("小学", "中学"),
        ("妻子", "儿子"),
        ("北京", "南京"),
        ("加速", "减速"),
        ("湖北", "河北"),
        ("三百", "四百"),
        ("三月", "三日"),
    ],
)
def test_words_that_share_a_character_and_differ(word: str, other: str) -> None:
    assert words(f"他 来 {word} 了", f"他 来 {other} 了").isdisjoint(
        {(word, other, kind) for kind in ("contextual", "form", "synonym", "paraphrase")}
    )


def test_characters_are_spent_once() -> None:
    linked = words("国际 大学 国际 会议 有 大奖", "国际会 有")
    assert sum(output == "国际会" for _, output, _ in linked) <= 2
    assert sum(source == "国际" for source, _, _ in linked) == 1


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("三百二十", 320.0),
        ("十三亿", 1.3e9),
        ("13亿", 1.3e9),
        ("一千四百万", 1.4e7),
        ("两万五千", 25000.0),
        ("二〇〇四", 2004.0),
        ("１,０００", 1000.0),
        ("三个", 3.0),
        ("第三", ("第", 3.0, "")),
        ("26号", ("", 26.0, "日")),
        ("50%", ("", 50.0, "%")),
        ("十分", None),
        ("一般", None),
        ("年", None),
        ("", None),
    ],
)
def test_number_values(word: str, value: object) -> None:
    assert relations.number_value(word) == value


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("研讨 会 举行", "会议 举行", {("研讨", "会议", "hyponymy"), ("会", "会议", "hyponymy")}),
        ("他 住 在 旅馆", "他 住 在 酒 店", {("旅馆", "店", "paraphrase")}),
    ],
)
def test_runs_that_spell_a_word_of_the_lexicon(source: str, output: str, expected: set[tuple[str, str, str]]) -> None:
    assert expected <= words(source, output)


def test_runs_keep_to_the_words_that_they_are_linked_to() -> None:
    """会 is linked to the word 会 elsewhere: the run 研讨 会 is no whole that could meet 会议."""
    linked = words("研讨 会 会", "会议 会")
    assert ("研讨", "会", "hyponymy") not in linked
    assert not {link for link in words("研讨 会 举行", "苹果 举行") if link[0] in ("研讨", "会")}
