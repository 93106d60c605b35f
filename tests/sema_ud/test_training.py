from pathlib import Path

from training.trees import editable
from training.trees.editable import Node, Tree
from training.trees.punctuation import attach_punctuation


def tree(text: str) -> Tree:
    """One line for each word: ``form upos xpos head relation``, heads counted from 1."""
    rows = [line.split() for line in text.strip().splitlines()]
    return Tree([Node(row[0], row[1], row[2], int(row[3]) - 1, row[4]) for row in rows])


def test_a_comma_belongs_to_the_clause_it_sets_off() -> None:
    given = tree("如果 SCONJ IN 2 mark\n来 VERB VV 4 advcl\n， PUNCT , 4 punct\n走 VERB VV 0 root\n。 PUNCT . 2 punct")
    attach_punctuation(given)
    assert (given[2].head, given[4].head) == (1, 3)


def test_quotes_hang_on_what_they_enclose() -> None:
    given = tree("说 VERB VV 0 root\n“ PUNCT `` 1 punct\n大 ADJ JJ 4 amod\n好 ADJ JJ 1 ccomp\n” PUNCT '' 1 punct")
    attach_punctuation(given)
    assert (given[1].head, given[4].head) == (3, 3)


def test_punctuation_is_attached_as_the_annotators_did(ud_data: Path) -> None:
    same = marks = 0
    for given in editable.read(ud_data / "zh_gsdsimp" / "zh_gsdsimp-ud-dev.conllu"):
        before = [node.head for node in given.nodes]
        attach_punctuation(given)
        heads = [(a, node.head) for a, node in zip(before, given.nodes, strict=True) if node.upos == "PUNCT"]
        marks += len(heads)
        same += sum(a == b for a, b in heads)
    assert same / marks > 0.98
