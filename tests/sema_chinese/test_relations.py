from functools import cache

import pytest
from sema_chinese.aligner import ContextualAligner
from sema_chinese.relations import GlossLexicon, chinese_lexicon, relations, rule_aligner
from sema_ud import links as universal_links

from sema.alignment.rules import RuleAligner
from sema.languages import find_language
from sema.model.lexicon import IndexedLexicon
from sema.model.links import Link, LinkKind
from tests.cases import cases
from tests.conftest import PublicData
from tests.sema_ud.building import GivenVectors


@cache
def aligner() -> RuleAligner:
    return rule_aligner()


def words(source: str, output: str) -> set[tuple[str, str, str]]:
    first, second = source.split(), output.split()
    linked = aligner().align([(first, second)])[0]
    assert len({link.source for link in linked}) == len(linked)
    return {(first[i], second[j], kind.value) for i, j, kind, *_ in linked}


@cases("zh/links")
def test_links_have_the_kind_of_their_relation(source: str, output: str, link: tuple[str, str, str]) -> None:
    assert link in words(source, output)


@cases("zh/never_linked")
def test_unrelated_words_are_not_linked(source: str, output: str) -> None:
    assert words(f"他 {source}", f"他 {output}") == {("他", "他", "exact")}


def test_words_of_grammar_need_their_place() -> None:
    assert words("他 与 她 来", "雨 停 和 风 大") == set()
    assert ("和", "和", "exact") in words("他 和 她 与 我 来", "他 和 她 来")


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


@cases("zh/runs")
def test_abbreviations_and_runs_that_spell_a_word_are_linked(
    source: str, output: str, expected: tuple[tuple[str, str, str], ...]
) -> None:
    assert {*expected} <= words(source, output)


def test_runs_keep_to_the_words_that_they_are_linked_to() -> None:
    """会 is linked to the word 会 elsewhere: the run 研讨 会 is no whole that could meet 会议."""
    linked = words("研讨 会 会", "会议 会")
    assert ("研讨", "会", "hyponymy") not in linked
    assert not {link for link in words("研讨 会 举行", "苹果 举行") if link[0] in ("研讨", "会")}


def test_long_sentences_are_left_to_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, pair = rule_aligner(), (["他", "撰写", "了", "稿件"], ["他", "弄", "了", "玩意"])
    near = ContextualAligner(rules, GivenVectors(撰写=(1, 0), 弄=(1, 0)))
    assert {*near.align([pair])[0]} - {*rules.align([pair])[0]} == {Link(1, 1, LinkKind.CONTEXTUAL)}
    monkeypatch.setattr(universal_links, "MOST", 3)
    assert near.align([pair]) == rules.align([pair])


def test_the_aligner_adds_links_of_the_network() -> None:
    pair = (["专家", "抨击", "了", "这", "项", "政策"], ["专家", "猛批", "了", "这", "项", "政策"])
    plain, more = (
        set(find_language("zh").parts(aligner=name).aligner.align([pair])[0]) for name in ("rules", "contextual")
    )
    assert more - plain == {Link(1, 1, LinkKind.CONTEXTUAL)}


def test_words_explained_alike_are_paraphrases_in_either_script_and_opposites_are_not() -> None:
    related, lexicon = relations(), chinese_lexicon()
    for first, second in (("瞅见", "看到"), ("缘何", "怎么"), ("拜谒", "参谒"), ("拜謁", "参谒"), ("參謁", "拜谒")):
        assert related.kind(first, second) in (LinkKind.PARAPHRASE, LinkKind.SYNONYM)
        assert second in related.related([first], [second])[first]
    assert isinstance(lexicon, GlossLexicon) and isinstance(lexicon, IndexedLexicon)
    assert lexicon.paraphrases("拜謁") == lexicon.paraphrases("拜谒")
    for pair in (("上升", "下降"), ("满意", "不满"), ("桌子", "苹果"), ("学生", "汽车")):
        assert not lexicon.are_paraphrases(*pair)


def test_half_of_the_substitutes_that_nothing_was_fitted_to(public_data: PublicData) -> None:
    public_data("lexicons", "zh", "lexical_simplification.tsv.gz")
    from training.chinese.synonyms import read_substitutes

    true, false = read_substitutes(1)
    lexicon = chinese_lexicon()
    shares = [sum(b in lexicon.paraphrases(a) for a, b in pairs) / len(pairs) for pairs in (true, false)]
    assert shares[0] > 0.27 and shares[1] < 0.0015
