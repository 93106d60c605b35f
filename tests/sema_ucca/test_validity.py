"""Graphs obey UCCA's rules after :mod:`sema_ucca.validity`, by UCCA's own toolkit."""

from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sema_ucca.conventions import CONVENTIONS
from sema_ucca.formats import ucca_xml
from sema_ucca.parser import UccaParser
from sema_ucca.ucca_xml import write_passage
from sema_ucca.validity import valid_graph

from benchmarks.papers.printed import graph
from sema.model.scene_graph import CATEGORIES, SceneGraph
from tests.cases import cases
from tests.conftest import PublicData
from tests.scene_graphs import scene_graph

validation = pytest.importorskip("ucca.validation", reason="needs UCCA's toolkit: pip install ucca")
convert = pytest.importorskip("ucca.convert")


def faults(graph: SceneGraph) -> list[str]:
    """What the toolkit finds wrong with a graph."""
    return list(validation.validate(convert.from_standard(ElementTree.fromstring(write_passage(graph)))))


def edges(graph: SceneGraph) -> set[tuple[object, ...]]:
    return {
        (unit, child, categories, remote) for unit in graph.units() for child, categories, remote in graph.edges(unit)
    }


@st.composite
def graphs(draw: st.DrawFn) -> SceneGraph:
    """Random graphs: any categories anywhere, words beside units, punctuation, remote edges."""
    size = draw(st.integers(1, 7))
    marks = draw(st.sets(st.integers(0, size - 1), max_size=2))
    graph = SceneGraph([f"w{index}" for index in range(size)], marks)
    single = st.sampled_from([(name,) for name in CATEGORIES if name != "U"])
    names = st.one_of(single, st.sampled_from([("A", "S"), ("A", "P"), ("C", "Q"), ("D", "T"), ("A", "G")]))
    units: list[str] = []

    def fill(unit: str, words: list[int], depth: int) -> None:
        while words:
            some, words = words[: (taken := draw(st.integers(1, len(words))))], words[taken:]
            if len(some) == 1 and some[0] in marks:
                graph.add_child(unit, "U", tokens=some)
            elif depth == 4 or (len(some) == 1 and draw(st.booleans())):
                for word in some:
                    graph.add_edge(unit, word)
            else:
                units.append(child := graph.add_child(unit, *draw(names)))
                fill(child, some, depth + 1)

    fill(graph.root, list(range(size)), 0)
    for _ in range(draw(st.integers(0, 3)) if len(units) > 1 else 0):
        above, below = draw(st.sampled_from(units)), draw(st.sampled_from(units))
        if above != below and not graph.has_edge(above, below):
            graph.add_edge(above, below, *draw(names), remote=True)
    return graph


@settings(max_examples=300, derandomize=True)
@given(graphs())
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
