from pathlib import Path

import pytest

from training.chinese import conventions
from training.trees import editable
from training.trees.editable import Node, Tree


def tree(text: str) -> Tree:
    """One line for each word: ``form upos xpos head relation``, heads counted from 1."""
    rows = [line.split() for line in text.strip().splitlines()]
    return Tree([Node(row[0], row[1], row[2], int(row[3]) - 1, row[4]) for row in rows])


def shape(given: Tree) -> list[tuple[str, int, str]]:
    return [(node.upos, node.head + 1, node.deprel) for node in given.nodes]


def test_the_first_of_coordinate_clauses_becomes_the_head() -> None:
    given = tree(
        """
        他 PRON PRP 2 nsubj
        来 VERB VV 6 dep
        , PUNCT , 6 punct
        你 PRON PRP 6 nsubj
        不 ADV RB 6 neg
        走 VERB VV 0 root
        """
    )
    conventions.to_current(given)
    assert shape(given) == [
        ("PRON", 2, "nsubj"),
        ("VERB", 0, "root"),
        ("PUNCT", 6, "punct"),
        ("PRON", 6, "nsubj"),
        ("ADV", 6, "advmod"),
        ("VERB", 2, "parataxis"),
    ]
    assert given[2].form == "，"


def test_a_classifier_hangs_on_its_numeral() -> None:
    given = tree("一 NUM CD 2 nummod\n个 NOUN NNB 3 nmod\n人 NOUN NN 4 nsubj\n来 VERB VV 0 root")
    conventions.to_current(given)
    assert shape(given)[:3] == [("NUM", 3, "nummod"), ("NOUN", 1, "clf"), ("NOUN", 4, "nsubj")]


def test_the_patient_of_ba() -> None:
    given = tree("他 PRON PRP 4 nsubj\n把 VERB BB 4 aux:caus\n书 NOUN NN 4 dobj\n卖 VERB VV 0 root")
    conventions.to_current(given)
    assert shape(given) == [("PRON", 4, "nsubj"), ("ADP", 3, "case"), ("NOUN", 4, "obl:patient"), ("VERB", 0, "root")]


def test_a_name_is_headed_by_its_first_word() -> None:
    given = tree("路易 PROPN NNP 3 nmod\n· PUNCT / 3 punct\n巴斯德 PROPN NNP 4 nsubj\n来 VERB VV 0 root")
    conventions.to_current(given)
    assert shape(given)[:3] == [("PROPN", 4, "nsubj"), ("PUNCT", 3, "punct"), ("PROPN", 1, "flat:name")]


@pytest.mark.parametrize("part", ["zh_gsd/zh_gsd-ud1.3-train.conllu", "zh_gsdsimp/zh_gsdsimp-ud-dev.conllu"])
def test_real_trees_stay_trees_and_lose_the_old_labels(part: str, ud_data: Path) -> None:
    for given in editable.read(ud_data / part)[:300]:
        conventions.to_current(given)
        assert conventions.check(given)
        relations = {node.deprel for node in given.nodes}
        assert relations.isdisjoint({"dobj", "nsubjpass", "auxpass", "neg", "dep", "case:dec"})
