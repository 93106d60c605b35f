"""Pairs of words that CC-CEDICT explains alike."""

import pytest
from sema_chinese.glosses import GlossLexicon, shipped_pairs
from sema_chinese.relations import chinese_lexicon, relations
from sema_chinese.substitutes import are_opposed
from sema_chinese.words import word_table

from sema.model.lexicon import IndexedLexicon
from sema.model.links import LinkKind
from tests.conftest import PublicData

LEAST_RECALL, MOST_FALSE = 0.27, 0.0015


def test_pairs_are_symmetric_and_no_opposites() -> None:
    table = shipped_pairs()
    pairs = [(word, other) for word in list(word_table())[::100] for other in table.get(word, ())]
    assert len(pairs) > 1000
    for word, other in pairs:
        assert word != other and word in table[other]
        assert not are_opposed(word, other)


@pytest.mark.parametrize(("first", "second"), [("瞅见", "看到"), ("缘何", "怎么"), ("拜谒", "参谒")])
def test_words_explained_alike_are_paraphrases(first: str, second: str) -> None:
    related = relations()
    assert related.kind(first, second) in (LinkKind.PARAPHRASE, LinkKind.SYNONYM)
    assert second in related.related([first], [second])[first]


def test_traditional_words_have_the_pairs_of_simplified_ones() -> None:
    lexicon = chinese_lexicon()
    assert isinstance(lexicon, GlossLexicon) and isinstance(lexicon, IndexedLexicon)
    assert lexicon.paraphrases("拜謁") == lexicon.paraphrases("拜谒")
    related = relations()
    assert related.kind("拜謁", "参谒") is related.kind("參謁", "拜谒") is LinkKind.PARAPHRASE
    assert "參謁" in related.related(["拜謁"], ["參謁"])["拜謁"]


def test_opposites_and_unrelated_words_are_no_paraphrases() -> None:
    lexicon = chinese_lexicon()
    for pair in (("上升", "下降"), ("满意", "不满"), ("桌子", "苹果"), ("学生", "汽车")):
        assert not lexicon.are_paraphrases(*pair)


def test_half_of_the_substitutes_that_nothing_was_fitted_to(public_data: PublicData) -> None:
    public_data("lexicons", "zh", "lexical_simplification.tsv.gz")
    from training.chinese.substitutes import read_substitutes

    true, false = read_substitutes(1)
    lexicon = chinese_lexicon()
    shares = [sum(b in lexicon.paraphrases(a) for a, b in pairs) / len(pairs) for pairs in (true, false)]
    assert shares[0] > LEAST_RECALL
    assert shares[1] < MOST_FALSE
