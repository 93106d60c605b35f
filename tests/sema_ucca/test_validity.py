"""Graphs obey UCCA's rules after :mod:`sema_ucca.validity`, by UCCA's own toolkit."""

from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sema_ucca.formats import ucca_xml
from sema_ucca.parser import CONVENTIONS, UccaParser
from sema_ucca.ucca_xml import write_passage
from sema_ucca.validity import valid_graph

from benchmarks.papers.printed import graph
from sema.model.scene_graph import CATEGORIES, SceneGraph
from tests.cases import cases
from tests.conftest import PublicData
from tests.scene_graphs import layered_graphs, scene_graph

validation = pytest.importorskip("ucca.validation", reason="needs UCCA's toolkit: pip install ucca")
convert = pytest.importorskip("ucca.convert")


def faults(graph: SceneGraph) -> list[str]:
    """What the toolkit finds wrong with a graph."""
    return list(validation.validate(convert.from_standard(ElementTree.fromstring(write_passage(graph)))))


def edges(graph: SceneGraph) -> set[tuple[object, ...]]:
    return {
        (unit, child, categories, remote) for unit in graph.units() for child, categories, remote in graph.edges(unit)
    }


SINGLE = st.sampled_from([(name,) for name in CATEGORIES if name != "U"])
NAMES = st.one_of(SINGLE, st.sampled_from([("A", "S"), ("A", "P"), ("C", "Q"), ("D", "T"), ("A", "G")]))


@settings(max_examples=300, derandomize=True)
@given(layered_graphs(NAMES, NAMES))
def test_any_graph_becomes_valid_and_keeps_its_tokens(given_graph: SceneGraph) -> None:
    made = valid_graph(given_graph)
    assert faults(made) == []
    assert made.tokens == given_graph.tokens
    assert made.tokens_below(made.root, punctuation=True) == tuple(range(len(given_graph.tokens)))
    assert edges(valid_graph(made)) == edges(made)


@cases("trees/repaired")
def test_scenes_outlast_the_repair(what: str, structure: str, expected: str) -> None:
    broken = graph(structure)
    assert faults(broken)
    made = valid_graph(broken)
    assert faults(made) == [], what

    def text(centers: Iterable[tuple[int, ...]]) -> str:
        return " ".join(made.tokens[token] for center in centers for token in center)

    found = [f"{text(scene.main_relation)}({', '.join(map(text, scene.participants))})" for scene in made.scenes()]
    assert " ".join(found) == expected


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_what_the_parser_makes_is_valid(convention: str, public_data: PublicData) -> None:
    lines = (public_data("simplification", "turkcorpus") / "test.truecase.detok.orig").read_text("utf-8").split("\n")
    sentences = [line.split() for line in lines[:150]]
    for parsed in UccaParser(convention=convention).extract(sentences):
        assert faults(parsed) == []
        assert edges(valid_graph(parsed)) == edges(parsed)


def test_a_passage_of_any_sentences_is_written_valid(tmp_path: Path) -> None:
    sentences = [
        scene_graph("he slept", ("A", 0), ("P", 1)),
        scene_graph("!", ("U", 0)),
        scene_graph("of dogs", ("R", 0), ("C", 1)),
    ]
    ucca_xml().write(sentences, tmp_path / "passage.xml")
    assert list(validation.validate(convert.file2passage(str(tmp_path / "passage.xml")))) == []
