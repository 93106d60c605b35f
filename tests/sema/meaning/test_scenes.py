"""The states of Scenes are those of the findings that touch them."""

from dataclasses import replace

import pytest

from sema.meaning.evidence import find
from sema.model.meaning import Meaning
from sema.model.scene_graph import SceneGraph
from tests.marking_reader import FUNCTION, Marks, item


def evidence(source: str, output: str, reader: Marks) -> Meaning:
    """A Scene in the source: its second word is the main relation, the others are Participants."""
    graph = SceneGraph(source.split())
    scene = graph.add_child(graph.root, "H")
    for token, _ in enumerate(graph.tokens):
        graph.add_child(scene, "P" if token == 1 else "A", tokens=[token])
    (one,) = find([replace(item(source, output), graphs=(graph,))], FUNCTION, reader)
    return one.evidence


@pytest.mark.parametrize(
    ("output", "reader", "state", "reasons"),
    [
        ("John loves her", Marks(), "kept", []),
        ("John loves", Marks(missing="Mary"), "partly", ["missing: 'Mary'"]),
        ("he", Marks(missing="John loves Mary"), "lost", ["missing: 'John loves Mary'"]),
        ("John hates Mary", Marks(wrong="loves hates"), "changed", ["wrong: 'loves' became 'hates'"]),
    ],
)
def test_a_scene_has_the_state_of_its_findings(output: str, reader: Marks, state: str, reasons: list[str]) -> None:
    (scene,) = evidence("John loves Mary", output, reader).source_scenes
    assert (scene.state.value, [str(reason) for reason in scene.because]) == (state, reasons)
