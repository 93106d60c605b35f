from pathlib import Path

from training.ud import treebank
from training.ud.punctuation import attach_punctuation
from training.ud.treebank import Node, Tree


def tree(text: str) -> Tree:
    """One line for each word: ``form upos xpos head relation``, heads counted from 1."""
    rows = [line.split() for line in text.strip().splitlines()]
    return Tree([Node(row[0], row[1], row[2], int(row[3]) - 1, row[4]) for row in rows])


def shape(given: Tree) -> list[tuple[str, int, str]]:
    return [(node.upos, node.head + 1, node.deprel) for node in given.nodes]


def test_a_comma_belongs_to_the_clause_it_sets_off() -> None:
    given = tree("如果 SCONJ IN 2 mark\n来 VERB VV 4 advcl\n， PUNCT , 4 punct\n走 VERB VV 0 root\n。 PUNCT . 2 punct")
    attach_punctuation(given)
    assert (given[2].head, given[4].head) == (1, 3)


def test_quotes_hang_on_what_they_enclose() -> None:
    given = tree("说 VERB VV 0 root\n“ PUNCT `` 1 punct\n大 ADJ JJ 4 amod\n好 ADJ JJ 1 ccomp\n” PUNCT '' 1 punct")
    attach_punctuation(given)
    assert (given[1].head, given[4].head) == (3, 3)


def test_trees_survive_a_round_trip(tmp_path: Path) -> None:
    given = tree("他 PRON PRP 2 nsubj\n来 VERB VV 0 root")
    treebank.write(tmp_path / "a.conllu", [given], "a")
    assert treebank.read(tmp_path / "a.conllu")[0].nodes == [
        Node("他", "PRON", "PRP", 1, "nsubj"),
        Node("来", "VERB", "VV", -1, "root", True),
    ]


def test_punctuation_is_attached_as_the_annotators_did(ud_data: Path) -> None:
    same = marks = 0
    for given in treebank.read(ud_data / "zh_gsdsimp" / "zh_gsdsimp-ud-dev.conllu"):
        before = [node.head for node in given.nodes]
        attach_punctuation(given)
        heads = [(a, node.head) for a, node in zip(before, given.nodes, strict=True) if node.upos == "PUNCT"]
        marks += len(heads)
        same += sum(a == b for a, b in heads)
    assert same / marks > 0.98
