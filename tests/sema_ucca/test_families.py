import numpy as np
import pytest
from sema_ucca.families import BARE, LINKED, MISFIT, NEVER, PLAIN, SCENE, insides, places

LABELS = ("", "A", "P", "C", "F", "H+A", "P*+C", "A|S", "E+S", "D|T")


def place(label: str) -> list[tuple[str, int]]:
    """Where a child of that label may stand."""
    table = places(LABELS)[:, :, LABELS.index(label)]
    return [(name, kind) for row, name in enumerate(("head", "rest")) for kind in range(3) if not table[row, kind]]


@pytest.mark.parametrize(
    ("label", "where"),
    [
        ("", []),
        ("A", [("rest", SCENE)]),
        ("P", [("head", SCENE)]),
        ("C", [("head", PLAIN)]),
        ("F", [("rest", SCENE), ("rest", PLAIN), ("rest", LINKED)]),
        ("H+A", [("head", LINKED)]),
        ("P*+C", [("rest", SCENE)]),
        ("A|S", [("head", SCENE)]),
        ("E+S", [("rest", PLAIN)]),
        ("D|T", [("rest", SCENE)]),
    ],
)
def test_where_a_child_may_stand(label: str, where: list[tuple[str, int]]) -> None:
    assert place(label) == where


def test_misplaced_labels_cost_and_invalid_heads_are_impossible() -> None:
    table = places(LABELS)
    assert set(table[1, :, 1:].ravel().tolist()) == {0.0, -MISFIT}
    assert set(table[0].ravel().tolist()) == {0.0, float(np.float32(NEVER))}


@pytest.mark.parametrize(
    ("label", "rare"),
    [
        ("A", []),
        ("H+A", []),
        ("C", []),
        ("P", [SCENE, LINKED]),
        ("E+S", [SCENE, LINKED]),
        ("A|S", [SCENE, LINKED]),
        ("F", [SCENE, LINKED]),
    ],
)
def test_what_a_unit_is_hardly_ever(label: str, rare: list[int]) -> None:
    costs = insides(LABELS)[:, LABELS.index(label)]
    assert costs.tolist() == [-MISFIT if kind in rare else 0 for kind in (SCENE, PLAIN, LINKED, BARE)]


def test_a_parallel_scene_is_a_scene() -> None:
    assert insides(("", "H"))[:, 1].tolist() == [0, -MISFIT, -MISFIT, -MISFIT]
