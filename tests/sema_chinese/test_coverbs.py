"""The coverb 在: a preposition if it marks a place, else a verb."""

import pytest
from sema_chinese.coverbs import settle_coverbs
from sema_ud.conventions import tree_rules
from sema_ud.extraction import ExtractionOptions, extract_scenes

from tests.sema_ud.building import scenes, tree

CHINESE = ExtractionOptions(rules=(settle_coverbs,))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("他 PRON 4 nsubj / 在 VERB 4 advcl / 巴黎 PROPN 2 obj / 学习 VERB 0 root", [(["学习"], [["他"], ["巴黎"]])]),
        ("他 PRON 2 nsubj / 在 VERB 0 root / 巴黎 PROPN 2 obj", [(["在"], [["他"], ["巴黎"]])]),
        (
            "他 PRON 2 nsubj / 在 VERB 5 advcl / 家 NOUN 2 obj / 我 PRON 5 nsubj / 走 VERB 0 root",
            [(["在"], [["他"], ["家"]]), (["走"], [["我"]])],
        ),
    ],
)
def test_a_place_marked_by_a_coverb_is_a_participant(words: str, expected: object) -> None:
    assert scenes(extract_scenes(tree(words), CHINESE)) == expected
    assert len(extract_scenes(tree(words)).scenes()) == words.count("VERB"), "without the rule each verb has a Scene"


def test_the_rule_is_found_by_the_language_code() -> None:
    assert tree_rules("zh-hans") == tree_rules("zh") == (settle_coverbs,)
    assert tree_rules("fr") == ()
    assert settle_coverbs in tree_rules(None)
