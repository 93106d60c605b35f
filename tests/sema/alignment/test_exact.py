"""Links between identical words only."""

from sema.alignment.exact import ExactAligner
from sema.model.links import Link, LinkKind


def test_copies_are_linked_in_order_and_what_the_source_has_more_of_to_the_last() -> None:
    source, output = ["a", "dog", "saw", "a", "cat", "and", "a", "bird"], ["a", "bird", "saw", "a", "dog"]
    (links,) = ExactAligner().align([(source, output)])
    assert [(link.source, link.output) for link in links] == [(0, 0), (1, 4), (2, 2), (3, 3), (6, 3), (7, 1)]
    assert {link.kind for link in links} == {LinkKind.EXACT}


def test_case_matters_by_default() -> None:
    pair = (["The", "dog"], ["Dog", "the"])
    assert ExactAligner().align([pair]) == [[]]
    assert ExactAligner(lowercase=True).align([pair]) == [[Link(0, 1, LinkKind.FORM), Link(1, 0, LinkKind.FORM)]]
    assert ExactAligner().signature != ExactAligner(lowercase=True).signature
