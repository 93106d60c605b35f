"""Links in context, by vectors that a test gives and by those of the network."""

import numpy as np
import pytest
from sema_chinese.contextual import ContextualAligner, token_encoder
from sema_chinese.relations import rule_aligner
from sema_ud import links

from sema.alignment import Link, LinkKind
from sema.languages import find_language
from tests.sema_ud.building import GivenVectors

SOURCE, OUTPUT = ("他", "撰写", "了", "稿件"), ("他", "弄", "了", "玩意", "三")


def added(**known: tuple[float, float]) -> set[tuple[int, int]]:
    rules = rule_aligner()
    pairs = [(SOURCE, OUTPUT)]
    new = {*ContextualAligner(rules, GivenVectors(**known)).align(pairs)[0]}.difference(rules.align(pairs)[0])
    assert all(link.kind is LinkKind.CONTEXTUAL for link in new)
    return {(link.source, link.output) for link in new}


def test_words_are_each_others_nearest() -> None:
    assert added(撰写=(1, 0), 弄=(1, 0), 稿件=(0.8, 0.6), 玩意=(0, 1)) == {(1, 1)}
    assert added(撰写=(1, 0), 弄=(1, 0), 稿件=(0, 1), 玩意=(0.6, 0.8)) == {(1, 1), (3, 3)}
    assert added(撰写=(1, 0), 弄=(0.6, 0.8), 三=(1, 0)) == set(), "below the threshold, and numerals"


def test_long_sentences_are_left_to_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "MOST", 3)
    assert added(撰写=(1, 0), 弄=(1, 0)) == set()


def test_vectors_of_words_are_unit_means_of_their_pieces() -> None:
    encoder = token_encoder()
    (words,), (pieces,) = encoder.words([["他", "买", "书"]]), encoder.vectors([["他", "买", "书"]])
    assert np.allclose(words, pieces, atol=1e-5)
    assert np.allclose(np.linalg.norm(encoder.words([["瞅见了"]])[0], axis=1), 1)


def test_the_aligner_adds_links_of_the_network() -> None:
    pair = (["专家", "抨击", "了", "这", "项", "政策"], ["专家", "猛批", "了", "这", "项", "政策"])
    plain, more = (
        set(find_language("zh").parts(aligner=name).aligner.align([pair])[0]) for name in ("rules", "contextual")
    )
    assert more - plain == {Link(1, 1, LinkKind.CONTEXTUAL)}
