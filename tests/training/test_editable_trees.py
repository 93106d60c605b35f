"""Treebanks brought to one set of conventions, and punctuation attached as annotators attach it."""

from pathlib import Path

from tests.cases import cases
from training.chinese import conventions
from training.trees import editable
from training.trees.editable import Node, Tree, attach_punctuation


def tree(text: str) -> Tree:
    """From ``form upos xpos head relation`` by word, between slashes; heads count from 1."""
    rows = [row.split() for row in text.split(" / ")]
    return Tree([Node(row[0], row[1], row[2], int(row[3]) - 1, row[4]) for row in rows])


@cases("trees/current_labels")
def test_old_labels_become_current_ones(what: str, given: str, expected: str) -> None:
    made = tree(given)
    conventions.to_current(made)
    shown = [f"{node.form} {node.upos} {node.head + 1} {node.deprel}" for node in made]
    assert " / ".join(shown) == expected, what


@cases("trees/punctuation")
def test_marks_hang_on_what_they_set_off(given: str, heads: dict[str, int]) -> None:
    made = tree(given)
    attach_punctuation(made)
    assert {place: made[int(place)].head for place in heads} == heads


def test_punctuation_is_attached_as_the_annotators_did(ud_data: Path) -> None:
    trees = editable.read(ud_data / "zh_gsdsimp" / "zh_gsdsimp-ud-dev.conllu")
    before = [[node.head for node in given] for given in trees]
    same = []
    for given, heads in zip(trees, before, strict=True):
        attach_punctuation(given)
        same += [a == node.head for a, node in zip(heads, given, strict=True) if node.upos == "PUNCT"]
    assert sum(same) / len(same) > 0.98
