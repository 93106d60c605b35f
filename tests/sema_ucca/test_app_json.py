"""UCCAApp's JSON: read as UCCA's toolkit reads it, and refused in one line if it is not a finished task."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from sema_ucca.formats import ucca_app
from sema_ucca.ucca_xml import read_passage, write_passage

from sema.errors import InputError
from sema.model.scene_graph import SceneGraph
from tests.conftest import ROOT

TASK = (ROOT / "tests" / "data" / "ucca" / "task.json").read_text(encoding="utf-8")
"""As the application's server sends it: categories by number, tokens in another order than the text."""
WORDS = ["John", "got", "home", "and", "gave", "Mary", "a", "call", "."]


def task() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(TASK)
    return made


def read(value: Any) -> Any:
    return read_passage(json.dumps(value).encode())


def test_reads_units_copies_implicit_units_and_punctuation(tmp_path: Path) -> None:
    file = tmp_path / "task.json"
    file.write_text(json.dumps(task()), encoding="utf-8")
    (graph,) = ucca_app().read(file)
    assert graph.tokens == tuple(WORDS)
    assert graph.graph.nodes[8]["punctuation"] and not graph.graph.nodes[7]["punctuation"]
    assert graph.graph.graph["passage_id"] == "42"
    assert [scene.to_dict() for scene in graph.scenes()] == [
        {"main_relation": [[1, 2]], "participants": [[[0]]], "leaves": [0, 1, 2]},
        {"main_relation": [[7]], "participants": [[[5]], [], [[0]]], "leaves": [0, 4, 5, 6, 7]},
    ]
    assert any(data.get("uncertain") for _, _, data in graph.graph.edges(data=True))


def test_ucca_s_toolkit_reads_the_same() -> None:
    convert = pytest.importorskip("ucca.convert", reason="needs UCCA's toolkit")
    evaluation = pytest.importorskip("ucca.evaluation")
    (theirs,) = convert.from_json(json.dumps(task()))
    ours = convert.from_standard(ElementTree.fromstring(write_passage(read(task()))))
    results = evaluation.evaluate(ours, theirs, eval_type="labeled")["labeled"].results
    assert all(not result.num_only_guessed and not result.num_only_ref for result in results.values())


def scenes(graph: SceneGraph) -> list[Any]:
    """Every Scene, its Participants in whatever order: the JSON has its units in the order of their tokens."""
    return [(scene.main_relation, sorted(scene.participants), scene.leaves) for scene in graph.scenes()]


def test_annotated_passages_come_back_from_the_toolkit_s_json(ucca_files: list[Path]) -> None:
    convert = pytest.importorskip("ucca.convert", reason="needs UCCA's toolkit")
    compared = 0
    for file in ucca_files:
        passage = convert.from_standard(ElementTree.parse(file).getroot())
        try:
            exported = convert.to_json(passage, return_dict=True)
        except (AssertionError, IndexError):  # the toolkit cannot write linkages and empty units as JSON
            continue
        graph, again = read_passage(file), read(exported)
        assert again.tokens == graph.tokens, file.name
        assert scenes(again) == scenes(graph), file.name
        compared += 1
    assert compared


def broken(**changes: Any) -> dict[str, Any]:
    return {**task(), **changes}


def with_unit(place: int, **changes: Any) -> dict[str, Any]:
    changed = task()
    changed["annotation_units"][place].update(changes)
    return changed


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([1, 2], "no task of UCCAApp's: it has no tokens"),
        ({"tokens": []}, "a task without annotation_units"),
        (broken(tokens=[]), "token 100, which the task lacks"),
        (with_unit(4, parent_tree_id="9"), "unit 1-1 has the parent_tree_id '9', which no unit has"),
        (with_unit(10, cloned_from_tree_id=None), "unit 3-3 has the cloned_from_tree_id None"),
        (with_unit(5, tree_id="1-1"), "two units have the tree_id '1-1'"),
        (with_unit(5, categories=[]), "unit 1-2 has no category"),
        (with_unit(5, categories=[{"id": 99}]), "unit 1-2 has category 99, which no layer of the task has"),
        (with_unit(5, categories=[{"name": "Agent"}]), "the category 'Agent', which UCCA's foundational layer lacks"),
        (with_unit(5, categories=7), "is no task of UCCAApp's"),
    ],
)
def test_unfinished_tasks_are_refused(value: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(value)


def test_a_category_of_a_refining_layer_stands_for_the_one_it_refines() -> None:
    agent = {"id": 50, "name": "Agent", "parent": {"id": 2, "name": "Participant"}}
    changed = with_unit(4, categories=[{"id": 50}])
    changed["project"] = {"layer": {"name": "Roles", "categories": [agent], "parent": task()["project"]["layer"]}}
    assert read(changed).scenes() == read(task()).scenes()


def test_a_file_that_is_no_json_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "task.json"
    file.write_text('{"tokens": [\n1,,]}', encoding="utf-8")
    with pytest.raises(InputError, match=r"task\.json:2: not well-formed JSON"):
        ucca_app().read(file)
