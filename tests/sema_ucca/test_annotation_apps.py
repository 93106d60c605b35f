"""UCCAApp's JSON and its older site XML: read as UCCA's toolkit does, and refused in one line if they are wrong."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from sema_ucca.formats import ucca_app, ucca_xml
from sema_ucca.ucca_xml import read_passage, write_passage

from sema.errors import InputError
from sema.model.scene_graph import SceneGraph
from tests.cases import cases
from tests.conftest import ROOT

FOLDER = ROOT / "tests" / "data" / "ucca"
TASK, SITE = ((FOLDER / name).read_text(encoding="utf-8") for name in ("task.json", "site.xml"))
"""As the applications send them: categories by number, tokens in another order than the text, units in chunks."""


def task(place: int | None = None, **changes: Any) -> dict[str, Any]:
    """The task with changes to it, or to its unit at a place."""
    made: dict[str, Any] = json.loads(TASK)
    (made if place is None else made["annotation_units"][place]).update(changes)
    return made


def read(value: Any) -> SceneGraph:
    return read_passage(json.dumps(value).encode())


def standard(graph: SceneGraph) -> Any:
    """The toolkit's passage of a graph that is written as standard XML."""
    convert = pytest.importorskip("ucca.convert", reason="needs UCCA's toolkit")
    return convert.from_standard(ElementTree.fromstring(write_passage(graph)))


def test_reads_units_copies_implicit_units_and_punctuation_of_json(tmp_path: Path) -> None:
    file = tmp_path / "task.json"
    file.write_text(TASK, encoding="utf-8")
    (graph,) = ucca_app().read(file)
    assert graph.tokens == ("John", "got", "home", "and", "gave", "Mary", "a", "call", ".")
    assert graph.graph.nodes[8]["punctuation"] and not graph.graph.nodes[7]["punctuation"]
    assert graph.graph.graph["passage_id"] == "42"
    assert [scene.to_dict() for scene in graph.scenes()] == [
        {"main_relation": [[1, 2]], "participants": [[[0]]], "leaves": [0, 1, 2]},
        {"main_relation": [[7]], "participants": [[[5]], [], [[0]]], "leaves": [0, 4, 5, 6, 7]},
    ]
    assert any(data.get("uncertain") for _, _, data in graph.graph.edges(data=True))


def test_reads_units_chunks_remotes_implicit_units_and_linkages_of_site_xml(tmp_path: Path) -> None:
    file = tmp_path / "7.xml"
    file.write_text(SITE, encoding="utf-8")
    (graph,) = ucca_xml().read(file)
    assert graph.tokens == ("John", "got", "home", "and", "gave", "Mary", "a", "call", '"')
    assert graph.graph.nodes[8]["punctuation"]
    assert (graph.graph.graph["passage_id"], graph.graph.graph["attributes"]) == ("7", {"lang": "en"})
    scenes = [
        {"main_relation": [[1, 2]], "participants": [[], [[0]]], "leaves": [0, 1, 2]},
        {"main_relation": [[7]], "participants": [[[5]], [[0]]], "leaves": [0, 4, 5, 6, 7]},
    ]
    assert [scene.to_dict() for scene in graph.scenes()] == scenes
    ((_, arguments),) = graph.graph.graph["linkages"]
    assert [role for _, role in arguments] == ["LR", "LA", "LA"]
    write = ucca_xml().write
    assert write is not None
    write([graph], file)
    assert [scene.to_dict() for scene in ucca_xml().read(file)[0].scenes()] == scenes


def scenes(graph: SceneGraph) -> list[Any]:
    """Every Scene, its Participants in whatever order: the JSON has its units in the order of their tokens."""
    return [(scene.main_relation, sorted(scene.participants), scene.leaves) for scene in graph.scenes()]


def test_annotated_passages_come_back_from_the_toolkit_s_files(ucca_files: list[Path]) -> None:
    convert = pytest.importorskip("ucca.convert", reason="needs UCCA's toolkit")
    by_json = by_site = 0
    for file in ucca_files:
        passage = convert.from_standard(ElementTree.parse(file).getroot())
        try:
            again, graph = read(convert.to_json(passage, return_dict=True)), read_passage(file)
        except (AssertionError, IndexError):  # the toolkit cannot write linkages and empty units as JSON
            pass
        else:
            assert (again.tokens, scenes(again)) == (graph.tokens, scenes(graph)), file.name
            by_json += 1
        try:
            site = convert.to_site(passage)
        except (KeyError, IndexError):  # categories that the older format has no name for
            continue
        ours = standard(read_passage(ElementTree.tostring(site)))
        assert ours.equals(convert.from_site(site)), file.name
        by_site += 1
    assert by_json and by_site >= len(ucca_files) // 2 > 0


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([1, 2], "no task of UCCAApp's: it has no tokens"),
        ({"tokens": []}, "a task without annotation_units"),
        (task(tokens=[]), "token 100, which the task lacks"),
        (task(4, parent_tree_id="9"), "unit 1-1 has the parent_tree_id '9', which no unit has"),
        (task(10, cloned_from_tree_id=None), "unit 3-3 has the cloned_from_tree_id None"),
        (task(5, tree_id="1-1"), "two units have the tree_id '1-1'"),
        (task(5, categories=[]), "unit 1-2 has no category"),
        (task(5, categories=[{"id": 99}]), "unit 1-2 has category 99, which no layer of the task has"),
        (task(5, categories=[{"name": "Agent"}]), "the category 'Agent', which UCCA's foundational layer lacks"),
        (task(5, categories=7), "is no task of UCCAApp's"),
    ],
)
def test_unfinished_tasks_are_refused(value: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(value)
    with pytest.raises(InputError, match="not well-formed JSON") as broken:
        read_passage(b'{"tokens": [\n1,,]}')
    assert broken.value.line == 2


def test_a_category_of_a_refining_layer_stands_for_the_one_it_refines() -> None:
    agent = {"id": 50, "name": "Agent", "parent": {"id": 2, "name": "Participant"}}
    changed = task(4, categories=[{"id": 50}])
    changed["project"] = {"layer": {"name": "Roles", "categories": [agent], "parent": task()["project"]["layer"]}}
    assert read(changed).scenes() == read(task()).scenes()


@cases("parser/damaged_site")
def test_errors_of_site_xml_name_their_line(old: str, new: str, message: str) -> None:
    assert old in SITE
    with pytest.raises(InputError, match=message):
        read_passage(SITE.replace(old, new, 1).encode())


def test_deep_nesting_of_site_xml_ends_in_an_error() -> None:
    units = '<unit type="Center" id="1">' * 2000 + "</unit>" * 2000
    with pytest.raises(InputError, match="nested more than"):
        read_passage(f"<root><units passageID='1'>{units}</units></root>".encode())
