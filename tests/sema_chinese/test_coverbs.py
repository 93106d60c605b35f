"""The coverb 在: a preposition if it marks a place, else a verb."""

from sema_chinese.coverbs import settle_coverbs
from sema_ud.conventions import tree_rules
from sema_ud.extraction import ExtractionOptions, extract_scenes

from tests.sema_ud.building import scenes, tree

CHINESE = ExtractionOptions(rules=(settle_coverbs,))


def test_a_place_marked_by_a_coverb_is_a_participant() -> None:
    graph = extract_scenes(tree("他 PRON 4 nsubj\n在 VERB 4 advcl\n巴黎 PROPN 2 obj\n学习 VERB 0 root"), CHINESE)
    assert scenes(graph) == [(["学习"], [["他"], ["巴黎"]])]
    stays = extract_scenes(tree("他 PRON 2 nsubj\n在 VERB 0 root\n巴黎 PROPN 2 obj"), CHINESE)
    assert scenes(stays) == [(["在"], [["他"], ["巴黎"]])]
    clause = extract_scenes(
        tree("他 PRON 2 nsubj\n在 VERB 5 advcl\n家 NOUN 2 obj\n我 PRON 5 nsubj\n走 VERB 0 root"), CHINESE
    )
    assert scenes(clause) == [(["在"], [["他"], ["家"]]), (["走"], [["我"]])]


def test_without_the_rule_the_verb_has_a_scene_of_its_own() -> None:
    given = tree("他 PRON 4 nsubj\n在 VERB 4 advcl\n巴黎 PROPN 2 obj\n学习 VERB 0 root")
    assert len(extract_scenes(given).scenes()) == 2


def test_the_rule_is_found_by_the_language_code() -> None:
    assert tree_rules("zh-hans") == tree_rules("zh") == (settle_coverbs,)
    assert tree_rules("fr") == ()
    assert settle_coverbs in tree_rules(None)
