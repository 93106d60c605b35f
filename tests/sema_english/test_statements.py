"""Statements by Heilman and Smith's five constructions, on graphs written by hand."""

from sema_english.features.statements import statements

from benchmarks.papers.printed import graph
from tests.cases import cases


@cases("en/statements")
def test_statements_by_their_construction(structure: str, expected: dict[str, int]) -> None:
    assert +statements(graph(structure)) == expected
