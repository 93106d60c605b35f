from functools import cache

import pytest
from sema_chinese import relations

from sema.alignment import Aligner
from sema.alignment.rules import RuleAligner
from tests.cases import cases


@cache
def aligner() -> RuleAligner:
    return relations.rule_aligner()


def words(source: str, output: str) -> set[tuple[str, str, str]]:
    first, second = source.split(), output.split()
    linked = aligner().align([(first, second)])[0]
    assert len({link.source for link in linked}) == len(linked)
    return {(first[i], second[j], kind.value) for i, j, kind, *_ in linked}


def test_the_rule_aligner_names_its_wordnet() -> None:
    assert isinstance(aligner(), Aligner)
    assert "cow" in aligner().signature


@cases("zh/links")
def test_links_have_the_kind_of_their_relation(source: str, output: str, link: tuple[str, str, str]) -> None:
    assert link in words(source, output)


@cases("zh/never_linked")
def test_unrelated_words_are_not_linked(source: str, output: str) -> None:
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
def test_abbreviations_are_linked(source: str, output: str, expected: set[tuple[str, str, str]]) -> None:
    assert expected <= words(source, output)


def test_abbreviations_take_their_words_in_order_and_free() -> None:
    assert all((first, kind) != ("经贸", "form") for first, _, kind in words("经贸 关系", "贸易 经济 关系"))
    assert all(first != "经贸" for first, _, _ in words("经贸 发展 经济 贸易", "发展 经济 贸易"))


@cases("zh/kindred")
def test_kindred_words_in_place(word: str, other: str) -> None:
    assert (word, other, "contextual") in words(f"他们 {word} 的 问题", f"他们 {other} 的 问题")
    assert all(first != word for first, _, _ in words(f"他们 {word} 问题", f"{other} 使 大家 高兴"))


@cases("zh/shared_characters")
def test_words_that_share_a_character_and_differ(word: str, other: str) -> None:
    assert words(f"他 来 {word} 了", f"他 来 {other} 了").isdisjoint(
        {(word, other, kind) for kind in ("contextual", "form", "synonym", "paraphrase")}
    )


def test_characters_are_spent_once() -> None:
    linked = words("国际 大学 国际 会议 有 大奖", "国际会 有")
    assert sum(output == "国际会" for _, output, _ in linked) <= 2
    assert sum(source == "国际" for source, _, _ in linked) == 1


@cases("zh/number_values")
def test_numerals_have_their_values(word: str, value: object) -> None:
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
