import os
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sema_ucca import ucca_xml
from sema_ucca.ucca_xml import read_passage, write_file, write_passage

from sema.errors import InputError
from sema.model.scene_graph import SceneGraph
from tests.cases import cases
from tests.conftest import ROOT
from tests.scene_graphs import random_graphs

FILES = ROOT / "tests" / "data" / "ucca"
TUPA, OLD = ((FILES / name).read_bytes() for name in ("tupa.xml", "old.xml"))
"""What TUPA writes, and a file of UCCA 1."""


def content(graph: SceneGraph) -> tuple[object, ...]:
    """All that a graph says, in order."""
    view = graph.graph
    edges = [(unit, list(view.adj[unit].items())) for unit in graph.units()]
    return graph.root, list(view.nodes(data=True)), edges, view.graph


def strict(document: bytes) -> tuple[object, ...]:
    """Tokens, units and edges straight from the XML, without any of the code under test; no linkage nodes."""
    root = ElementTree.fromstring(document)

    def marks(element: ElementTree.Element) -> set[tuple[str, str]]:
        inside = element.find("attributes")
        return {} if inside is None else {*inside.items()} & {("remote", "True"), ("implicit", "True")}

    nodes, edges = [], []
    for node in root.iterfind("layer/node"):
        if node.get("type") != "LKG":
            text = node.find("attributes").get("text")
            nodes.append((node.get("ID"), node.get("type"), text, marks(node)))
            for edge in node.iterfind("edge"):
                categories = [category.get("tag") for category in edge.iterfind("category")] or [edge.get("type")]
                edges += [(node.get("ID"), edge.get("toID"), category, marks(edge)) for category in categories]
    return root.get("passageID"), nodes, edges


def test_reads_what_tupa_writes() -> None:
    graph = read_passage(TUPA)
    assert graph.tokens == ("John", "came", "and", "slept", ".")
    assert graph.punctuation == {4}
    assert graph.graph.graph["passage_id"] == "example_0"
    assert list(graph.edges("1.6")) == [("1.7", ("S", "A"), False), ("1.9", ("A",), False), ("1.3", ("A",), True)]
    assert graph.graph.nodes["1.9"]["implicit"]
    assert [scene.to_dict() for scene in graph.scenes()] == [
        {"main_relation": [[1]], "participants": [[[0]]], "leaves": [0, 1]},
        {"main_relation": [[3]], "participants": [[[3]], [], [[0]]], "leaves": [0, 3]},
    ]
    # a file of UCCA 1 is read without its linkages; tokens by ID, as the toolkit orders them
    old = read_passage(OLD)
    assert (old.tokens, old.units()) == (("After", "left"), ["1.1", "1.2", "1.3", "1.4"])


def test_real_passages_round_trip(ucca_files: list[Path]) -> None:
    for file in ucca_files:
        document = file.read_bytes()
        assert strict(write_passage(read_passage(file))) == strict(document), file.name


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(random_graphs())
def test_random_graphs_round_trip(graph: SceneGraph) -> None:
    again = read_passage(write_passage(graph))
    graph.extra[None]["passage_id"] = "1"
    assert content(again) == content(graph)


def test_units_of_other_names_are_numbered_from_the_root() -> None:
    graph = SceneGraph(["Birds", "sing"], root="top")
    graph.add_edge("top", graph.add_unit("clause"), "H")
    for token, category in enumerate("AP"):
        graph.add_child("clause", category, tokens=[token])
    again = read_passage(write_passage(graph, "x"))
    assert again.units() == ["1.1", "1.2", "1.3", "1.4"] and again.scenes() == graph.scenes()


def test_edges_between_the_same_units_are_gathered() -> None:
    twice = TUPA.replace(
        b'<edge toID="1.9" type="A"><attributes /><category tag="A" /></edge>',
        b'<edge toID="1.7" type="D"><attributes remote="True" /><category tag="D" /></edge>',
    )
    assert next(read_passage(twice).edges("1.6")) == ("1.7", ("S", "A", "D"), False)


LAUGHS = b"""<!DOCTYPE root [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>\n<root>&b;</root>"""
CYCLE = TUPA.replace(b'<edge toID="0.1" type="Terminal">', b'<edge toID="1.2" type="A">').replace(
    b'<attributes/></edge></node>\n<node ID="1.4"', b'<attributes/><category tag="A"/></edge></node>\n<node ID="1.4"'
)


@pytest.mark.parametrize(
    ("document", "message", "line"),
    [
        (b"", "not well-formed XML: no element found", 1),
        (TUPA[:900], "not well-formed XML", None),
        (TUPA.replace(b"John", b"Jo\0hn"), "not well-formed XML", 4),
        (TUPA.replace(b"John", b"Jo\xffhn"), "not well-formed XML", 4),
        (b'<?xml version="1.0" encoding="nonsense-8"?><root/>', "XML: unknown encoding", 1),
        (b'<?xml version="1.0" encoding="gb18030"?><root/>', "not readable as XML", None),
        (LAUGHS, "a document type declaration", 1),
        (b'<!DOCTYPE root [<!ENTITY x SYSTEM "file:///etc/passwd">]><root>&x;</root>', "document type", 1),
        (b"<root>&unknown;</root>", "not well-formed XML: undefined entity", 1),
        (b"<html><body/></html>", "the outermost element is 'html', not 'root'", 1),
        (b"<root/>", "the passage has no tokens", None),
        (b"<root>\n<layer/></root>", "a layer has no layerID", 2),
        (b"<root>" + b"<x>" * 600 + b"</x>" * 600 + b"</root>", "nested more than 500 deep", 1),
        (CYCLE, "primary edges lead from unit '1.2' back to itself", 15),
    ],
)
def test_a_broken_or_hostile_file_is_one_clear_line(
    document: bytes, message: str, line: int | None, tmp_path: Path
) -> None:
    file = tmp_path / "bad.xml"
    file.write_bytes(document)
    with pytest.raises(InputError, match=message) as caught:
        read_passage(file)
    place = f"{file}:{line}: " if line else f"{file}"
    assert str(caught.value).startswith(place) and "\n" not in str(caught.value)
    with pytest.raises(InputError, match=message):  # the same from memory
        read_passage(document)


@cases("parser/damaged")
def test_a_damaged_passage_is_named_with_its_line(file: str, old: str, new: str, message: str, line: int) -> None:
    document = (TUPA if file == "tupa" else OLD).decode()
    assert old in document
    with pytest.raises(InputError, match=message) as caught:
        read_passage(document.replace(old, new).encode())
    assert caught.value.line == line and "\n" not in str(caught.value)


def test_deep_nesting_is_refused_and_deep_enough_is_not() -> None:
    def chain(depth: int) -> SceneGraph:
        graph = SceneGraph(["deep"])
        unit = graph.root
        for _ in range(depth):
            unit = graph.add_child(unit, "C")
        graph.add_edge(unit, 0)
        return graph

    limit = ucca_xml.MAX_NESTING
    assert read_passage(write_passage(chain(limit))).minimal_centers("1.1") == ((0,),)
    with pytest.raises(InputError, match=f"units are nested more than {limit} deep"):
        read_passage(write_passage(chain(limit + 1)))


def test_passages_over_the_limits_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "big.xml"
    file.write_bytes(TUPA)
    monkeypatch.setattr(ucca_xml, "MAX_ELEMENTS", 20)
    with pytest.raises(InputError, match="more than 20 elements"):
        read_passage(file)
    monkeypatch.setattr(ucca_xml, "MAX_BYTES", 1000)
    for source in (file, TUPA):
        with pytest.raises(InputError, match="larger than"):
            read_passage(source)


def test_paths_that_are_no_files_are_refused_in_one_line(tmp_path: Path) -> None:
    none = tmp_path / "none.xml"
    for bad, message in (
        *[(tmp_path, "is not a regular file"), (none, "No such file")],
        *[("a\0b.xml", "cannot be read"), (os.devnull, "is not a regular file")],
    ):
        with pytest.raises(InputError, match=message) as caught:
            read_passage(bad)
        assert re.fullmatch(r"[^\n]+: [^\n]+", str(caught.value))
    with pytest.raises(InputError, match="cannot be written"):
        write_file(SceneGraph(["a"]), tmp_path / "none" / "a.xml")


@settings(deadline=None, max_examples=150)
@given(position=st.integers(0, len(TUPA) - 1), junk=st.binary(max_size=3), width=st.integers(0, 40))
def test_damage_never_gets_past_as_another_error(position: int, junk: bytes, width: int) -> None:
    damaged = TUPA[:position] + junk + TUPA[position + width :]
    try:
        graph = read_passage(damaged)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        graph.scenes()
        write_passage(graph)
