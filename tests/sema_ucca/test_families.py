import numpy as np
import pytest
from sema_ucca.families import BARE, LINKED, MISFIT, NEVER, PLAIN, SCENE, insides, places

LABELS = ("", "A", "P", "C", "F", "H+A", "P*+C", "A|S", "E+S", "D|T")


@pytest.mark.parametrize(
    ("label", "head", "rest"),
    [
        ("", [], []),
        ("A", [], [SCENE]),
        ("P", [SCENE], []),
        ("C", [PLAIN], []),
        ("F", [], [SCENE, PLAIN, LINKED]),
        ("H+A", [LINKED], []),
        ("P*+C", [], [SCENE]),
        ("A|S", [SCENE], []),
        ("E+S", [], [PLAIN]),
        ("D|T", [], [SCENE]),
    ],
)
def test_misplaced_children_cost_and_misplaced_heads_are_impossible(
    label: str, head: list[int], rest: list[int]
) -> None:
    as_head, as_rest = places(LABELS)[:, :3, LABELS.index(label)].tolist()
    assert as_head == [0 if kind in head else np.float32(NEVER) for kind in range(3)]
    assert as_rest == [0 if kind in rest else np.float32(NEVER if not label else -MISFIT) for kind in range(3)]


@pytest.mark.parametrize(
    ("label", "rare"),
    [
        *[(label, []) for label in ("A", "H+A", "C")],
        *[(label, [SCENE, LINKED]) for label in ("P", "E+S", "A|S", "F")],
        ("H", [PLAIN, LINKED, BARE]),
    ],
)
def test_a_unit_of_a_rare_kind_costs(label: str, rare: list[int]) -> None:
    costs = insides(("", label))[:, 1]
    assert costs.tolist() == [-MISFIT if kind in rare else 0 for kind in (SCENE, PLAIN, LINKED, BARE)]
