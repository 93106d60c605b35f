"""Treebanks brought to one set of conventions, and punctuation attached as annotators attach it."""

from pathlib import Path

import pytest

from training.chinese import conventions
from training.trees import editable
from training.trees.editable import Node, Tree
from training.trees.punctuation import attach_punctuation


def tree(text: str) -> Tree:
    """From ``form upos xpos head relation`` by word, between slashes; heads count from 1."""
    rows = [row.split() for row in text.split(" / ")]
    return Tree([Node(row[0], row[1], row[2], int(row[3]) - 1, row[4]) for row in rows])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (  # the first of coordinate clauses becomes the head
            "他 PRON PRP 2 nsubj / 来 VERB VV 6 dep / , PUNCT , 6 punct / 你 PRON PRP 6 nsubj / 不 ADV RB 6 neg / "
            "走 VERB VV 0 root",
            "他 PRON 2 nsubj / 来 VERB 0 root / ， PUNCT 6 punct / 你 PRON 6 nsubj / 不 ADV 6 advmod / "
            "走 VERB 2 parataxis",
        ),
        (  # a classifier hangs on its numeral
            "一 NUM CD 2 nummod / 个 NOUN NNB 3 nmod / 人 NOUN NN 4 nsubj / 来 VERB VV 0 root",
            "一 NUM 3 nummod / 个 NOUN 1 clf / 人 NOUN 4 nsubj / 来 VERB 0 root",
        ),
        (  # the patient of 把
            "他 PRON PRP 4 nsubj / 把 VERB BB 4 aux:caus / 书 NOUN NN 4 dobj / 卖 VERB VV 0 root",
            "他 PRON 4 nsubj / 把 ADP 3 case / 书 NOUN 4 obl:patient / 卖 VERB 0 root",
        ),
        (  # a name is headed by its first word
            "路易 PROPN NNP 3 nmod / · PUNCT PU 3 punct / 巴斯德 PROPN NNP 4 nsubj / 来 VERB VV 0 root",
            "路易 PROPN 4 nsubj / · PUNCT 3 punct / 巴斯德 PROPN 1 flat:name / 来 VERB 0 root",
        ),
    ],
)
def test_old_labels_become_current_ones(given: str, expected: str) -> None:
    made = tree(given)
    conventions.to_current(made)
    shown = [f"{node.form} {node.upos} {node.head + 1} {node.deprel}" for node in made.nodes]
    assert " / ".join(shown) == expected


@pytest.mark.parametrize("part", ["zh_gsd/zh_gsd-ud1.3-train.conllu", "zh_gsdsimp/zh_gsdsimp-ud-dev.conllu"])
def test_real_trees_stay_trees_and_lose_the_old_labels(part: str, ud_data: Path) -> None:
    for given in editable.read(ud_data / part)[:300]:
        conventions.to_current(given)
        assert conventions.check(given)
        relations = {node.deprel for node in given.nodes}
        assert relations.isdisjoint({"dobj", "nsubjpass", "auxpass", "neg", "dep", "case:dec"})


@pytest.mark.parametrize(
    ("given", "heads"),
    [
        (  # a comma belongs to the clause that it sets off
            "如果 SCONJ IN 2 mark / 来 VERB VV 4 advcl / ， PUNCT , 4 punct / 走 VERB VV 0 root / 。 PUNCT . 2 punct",
            {2: 1, 4: 3},
        ),
        (  # quotes hang on what they enclose
            "说 VERB VV 0 root / “ PUNCT `` 1 punct / 大 ADJ JJ 4 amod / 好 ADJ JJ 1 ccomp / ” PUNCT '' 1 punct",
            {1: 3, 4: 3},
        ),
    ],
)
def test_marks_hang_on_what_they_set_off(given: str, heads: dict[int, int]) -> None:
    made = tree(given)
    attach_punctuation(made)
    assert {place: made[place].head for place in heads} == heads


def test_punctuation_is_attached_as_the_annotators_did(ud_data: Path) -> None:
    same = marks = 0
    for given in editable.read(ud_data / "zh_gsdsimp" / "zh_gsdsimp-ud-dev.conllu"):
        before = [node.head for node in given.nodes]
        attach_punctuation(given)
        heads = [(a, node.head) for a, node in zip(before, given.nodes, strict=True) if node.upos == "PUNCT"]
        marks += len(heads)
        same += sum(a == b for a, b in heads)
    assert same / marks > 0.98
