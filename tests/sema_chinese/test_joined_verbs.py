"""The verb that 并 joins to the clause before heads what follows, also where the parser takes it for a noun's part."""

from sema_chinese.joined_verbs import lift_joined_verbs
from sema_ud.trees import ROOT, DependencyTree

from sema import Scorer

# 他 检查 桥 并 警告 市 钢索 生锈 。 as the parser reads it
WORDS = ("他", "检查", "桥", "并", "警告", "市", "钢索", "生锈", "。")
UPOS = ("PRON", "VERB", "NOUN", "SCONJ", "VERB", "PART", "NOUN", "VERB", "PUNCT")
HEADS = (1, 7, 1, 7, 5, 6, 7, ROOT, 7)
RELATIONS = ("nsubj", "advcl", "obj", "mark", "compound", "nmod", "nsubj", "root", "punct")


def test_the_verb_heads_its_clause() -> None:
    lifted = lift_joined_verbs(DependencyTree(WORDS, UPOS, HEADS, RELATIONS))
    assert lifted.heads == (1, 4, 1, 4, ROOT, 6, 7, 4, 4)
    assert lifted.relations == ("nsubj", "advcl", "obj", "mark", "root", "nmod", "nsubj", "ccomp", "punct")


def test_trees_without_joined_verbs_are_unchanged() -> None:
    read_well = DependencyTree(
        WORDS,
        UPOS,
        (1, 4, 1, 4, ROOT, 4, 7, 4, 4),
        ("nsubj", "advcl", "obj", "mark", "root", "obj", "nsubj", "ccomp", "punct"),
    )
    noun = DependencyTree(WORDS, (*UPOS[:4], "NOUN", *UPOS[5:]), HEADS, RELATIONS)
    apart = DependencyTree(("他", "检查", "桥", "，", *WORDS[4:]), UPOS, HEADS, RELATIONS)
    for tree in (read_well, noun, apart):
        assert lift_joined_verbs(tree) == tree


def test_the_warning_of_the_sample_is_a_scene() -> None:
    source = "设计这座老桥的工程师去年春天检查了桥梁，并警告市议会钢索正在生锈。"
    report = Scorer("zh", ["sema"]).score([source], ["他警告市议会。"])
    scenes = report.evidence(0)["output"]["scenes"]
    words = report.evidence(0)["output"]["source"]
    relations = {words[token] for scene in scenes for center in scene["main_relation"] for token in center["tokens"]}
    assert relations == {"设计", "检查", "警告", "生锈"}
