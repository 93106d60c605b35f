import pytest
from sema_ud.trees import DependencyTree, fault_of

from tests.cases import cases


@cases("trees/faults")
def test_heads_that_make_no_tree_are_named(heads: list[int], fault: str | None) -> None:
    problem = fault_of(heads)
    assert (problem is None) is (fault is None)
    assert fault is None or fault in str(problem)


def test_columns_must_be_of_one_length() -> None:
    with pytest.raises(ValueError, match="one length"):
        DependencyTree(("a", "b"), ("X",), (-1, 0), ("root", "dep"))
