import shutil
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sema_ud import ltp
from sema_ud.conllu import read_trees
from sema_ud.extraction import extract_scenes
from sema_ud.formats import conll, conllu
from sema_ud.trees import ROOT, DependencyTree

from sema.errors import InputError
from tests.conftest import ROOT as PROJECT
from tests.sema_ud.building import scenes

FOLDER = PROJECT / "tests" / "data" / "chinese"
LTP, BAIDU, ZONE, LINKED = (FOLDER / f"{name}.conll" for name in ("ltp", "baidu", "zone", "linked"))
"""BAIDU is the sentence of SEMA's paper, section 4.3."""


def read(file: Path, heads: Literal["clauses", "root"] = "clauses") -> list[Any]:
    """Each Scene's main relation and Participants, by the words of their minimal centers."""
    return scenes(conll(heads=heads).read(file)[0])


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (BAIDU, [(["举行"], [["研讨会"], ["大学生城"]])]),
        (ZONE, [(["工作"], [["他们"], ["贸易区"]])]),
        (LINKED, [(["做"], [["孩子", "老师"], ["作业"]])]),
        (
            LTP,
            [
                *[(["提出"], [["时"]]), (["调研"], [["李克强"], ["外高桥"]]), (["支持"], [["上海"], ["探索"]])],
                (["探索"], [["机制"], ["上海"]]),
            ],
        ),
    ],
    ids=["the paper's", "preposition and localizer", "coordination, particles", "clauses below and beside the root"],
)
def test_scenes_of_the_labels_of_ltp_and_baidu(file: Path, expected: list[Any]) -> None:
    assert read(file) == expected and read(file, "root") == expected[:1]


def test_a_preposition_and_a_localizer_mark_their_noun() -> None:
    (tree,) = read_trees(ZONE)
    found = list(zip(tree.words, tree.heads, tree.relations, strict=True))[1:4]
    assert found == [("在", 2, "case"), ("贸易区", 5, "obl"), ("内", 2, "case")]


def test_another_name_is_the_same_format(tmp_path: Path) -> None:
    path = shutil.copy(ZONE, tmp_path / "tree.conllu")
    assert conllu().read(path)[0].scenes() == conll().read(path)[0].scenes()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("SBV", "XYZ", r"tree\.conll:1: 'XYZ' is not a relation of UD 2 or a label of LTP and Baidu; correct it"),
        ("POB", "nsubj", r"tree\.conll:4: 'nsubj' is none of the labels of LTP and Baidu, as 'SBV' is; use one set"),
        ("HED", "dobj", r"tree\.conll:6: 'dobj' is none of the labels of LTP and Baidu"),
    ],
)
def test_other_inputs_are_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "tree.conll"
    path.write_text(ZONE.read_text("utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_trees(path)


@st.composite
def trees(draw: st.DrawFn) -> tuple[DependencyTree, list[str]]:
    size = draw(st.integers(1, 8))
    order = draw(st.permutations(range(size)))
    heads = [ROOT] * size
    for place, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, place - 1))]
    names = draw(st.lists(st.sampled_from(sorted(ltp.LABELS - {"HED"})), min_size=size, max_size=size))
    labels = ["HED" if head == ROOT else name for head, name in zip(heads, names, strict=True)]
    tags = draw(
        st.lists(st.sampled_from(["n", "v", "p", "nd", "d", "u", "a", "m", "nt", "r"]), min_size=size, max_size=size)
    )
    words = ("词",) * size
    return DependencyTree(words, words, tuple(heads), tuple(labels)), tags


@settings(deadline=None)
@given(trees())
def test_any_tree_of_any_labels_becomes_a_tree(case: tuple[DependencyTree, list[str]]) -> None:
    """Exchanging words never makes a circle, whatever stands below a preposition."""
    extract_scenes(ltp.to_ud(*case))  # refuses graphs that are not trees
