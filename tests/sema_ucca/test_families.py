from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from sema_ucca.families import fitting_labels, is_head, is_main_relation


def test_good_families_keep_their_best_labels() -> None:
    scene = [[("A", 5.0), ("C", 4.9)], [("P", 3.0), ("C", 2.0)], [("D", 1.0), ("P", 0.9)]]
    assert fitting_labels(scene) == ["A", "P", "D"]
    phrase = [[("E", 2.0), ("P", 1.9)], [("C", 2.0), ("S", 1.0)]]
    assert fitting_labels(phrase) == ["E", "C"]


def test_a_unit_without_a_head_gets_the_cheapest_one() -> None:
    assert fitting_labels([[("A", 3.0), ("C", 2.5)], [("E", 3.0), ("C", 1.5)]]) == ["C", "E"]
    assert fitting_labels([[("A", 9.0), ("C", 2.5)], [("E", 9.0), ("D", 1.5)]]) == ["A", "E"]


def test_a_scene_keeps_one_main_relation() -> None:
    assert fitting_labels([[("P", 3.0), ("D", 1.0)], [("S", 3.0), ("D", 2.5)]]) == ["P", "D"]
    assert fitting_labels([[("P", 3.0)], [("P", 3.0)]]) == ["P", "P"]


def test_a_main_relation_has_none_of_its_own() -> None:
    took = [[("P", 3.0), ("F", 1.0)], [("C", 3.0), ("A", 2.0)]]
    assert fitting_labels(took) == ["P", "C"]
    assert fitting_labels(took, inside_relation=True) == ["F", "C"]


def test_participants_stand_beside_a_main_relation_and_not_a_center() -> None:
    assert fitting_labels([[("A", 3.0)], [("C", 2.0), ("S", 1.0)]]) == ["A", "S"]
    assert fitting_labels([[("A", 3.0)], [("C", 4.0), ("S", 1.0)]]) == ["A", "C"], "too dear"
    assert fitting_labels([[("A", 3.0)], [("C", 2.0), ("S", 1.0)], [("P", 1.0)]]) == ["A", "C", "P"]


def test_later_pieces_and_chains() -> None:
    assert not is_head("P*+C")
    assert is_main_relation("A|S")
    assert is_head("H+A")
    assert not is_main_relation("E+S")


labels = st.sampled_from(["A", "C", "D", "E", "F", "H", "P", "S", "A|P", "E+S", "P*"])
choices = st.lists(labels, min_size=1, max_size=4, unique=True).flatmap(
    lambda names: st.lists(st.floats(-5, 5), min_size=len(names), max_size=len(names)).map(
        lambda scores: list(zip(names, sorted(scores, reverse=True), strict=True))
    )
)


@given(st.lists(choices, min_size=2, max_size=5))
def test_every_label_is_one_of_its_childs_choices(children: list[list[tuple[str, float]]]) -> None:
    found = fitting_labels(children)
    assert all(label in dict(one) for label, one in zip(found, children, strict=True))
    if all(any(not is_main_relation(label) for label, _ in one) for one in children):
        assert sum(map(is_main_relation, found)) <= 1
