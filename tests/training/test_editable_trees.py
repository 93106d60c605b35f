"""Treebanks brought to one set of conventions, and punctuation attached as annotators attach it."""

from pathlib import Path

import pytest
from sema_ud.trees import fault_of

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


@pytest.mark.parametrize("part", ["zh_gsd/zh_gsd-ud1.3-train.conllu", "zh_gsdsimp/zh_gsdsimp-ud-dev.conllu"])
def test_real_trees_stay_trees_and_lose_the_old_labels(part: str, ud_data: Path) -> None:
    for given in editable.read(ud_data / part)[:300]:
        conventions.to_current(given)
        assert fault_of([node.head for node in given]) is None
        relations = {node.deprel for node in given}
        assert relations.isdisjoint({"dobj", "nsubjpass", "auxpass", "neg", "dep", "case:dec"})


@cases("trees/punctuation")
def test_marks_hang_on_what_they_set_off(given: str, heads: dict[str, int]) -> None:
    made = tree(given)
    attach_punctuation(made)
    assert {place: made[int(place)].head for place in heads} == heads


def test_punctuation_is_attached_as_the_annotators_did(ud_data: Path) -> None:
    same = marks = 0
    for given in editable.read(ud_data / "zh_gsdsimp" / "zh_gsdsimp-ud-dev.conllu"):
        before = [node.head for node in given]
        attach_punctuation(given)
        heads = [(a, node.head) for a, node in zip(before, given, strict=True) if node.upos == "PUNCT"]
        marks += len(heads)
        same += sum(a == b for a, b in heads)
    assert same / marks > 0.98
