"""Statements by Heilman and Smith's five constructions, on graphs by hand."""

from sema_english.features.statements import statements

from benchmarks.papers.printed import graph
from tests.cases import cases

PUTIN = (
    "[H [A:1 [C Putin] [U ,] [E [E the] [C country] [R 's] [E paramount] [C leader]]] [U ,] [P cut short] "
    "[A a trip to Siberia]] [U ,] [H [P returning] [A [R to] [C Moscow]] [A^1]] [L to] "
    "[H [P oversee] [A the federal response] [A^1]] [U .]"
)
"""After the example of Heilman and Smith: a main clause, an appositive and a participial phrase; no infinitive."""


@cases("en/statements")
def test_statements_by_their_construction(structure: str, expected: dict[str, int]) -> None:
    assert +statements(graph(structure)) == expected
