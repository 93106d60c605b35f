"""Statements by Heilman and Smith's five constructions, on graphs by hand."""

from __future__ import annotations

import pytest

from benchmarks.judges.statements import statements
from benchmarks.papers.printed import graph

PUTIN = (
    "[H [A:1 [C Putin] [U ,] [E [E the] [C country] [R 's] [E paramount] [C leader]]] [U ,] [P cut short] "
    "[A a trip to Siberia]] [U ,] [H [P returning] [A [R to] [C Moscow]] [A^1]] [L to] "
    "[H [P oversee] [A the federal response] [A^1]] [U .]"
)
"""After the example of Heilman and Smith: a main clause, an appositive and a participial phrase; no infinitive."""


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        (PUTIN, {"main": 1, "appositive": 1, "participial": 1}),
        ("[H [A John] [P slept]] [U .]", {"main": 1}),
        ("[H [A:1 John] [P got] [A home]] [L and] [H [P gave] [A Mary] [A a call] [A^1]] [U .]", {"main": 2}),
        (
            "[H [A [C:1 John] [U ,] [E [F who] [S was] [A first] [A^1]]] [U ,] [P brought] [A the wine]] [U .]",
            {"main": 1, "relative": 1},
        ),
        (  # a relative clause that is not set off belongs to its noun
            "[H [A I] [P read] [A [F the] [C:1 book] [E [F that] [A John] [P wrote] [A^1]]]] [U .]",
            {"main": 1},
        ),
        ("[L Because] [H [A he] [S was tired]] [U ,] [H [A John] [P slept]] [U .]", {"main": 1, "subordinate": 1}),
        ("[H [A John] [P slept]] [L when] [H [A she] [P called]] [U .]", {"main": 1, "subordinate": 1}),
        (
            "[H [A [C:1 [E The] [C company]] [U ,] [E [P founded] [T in 1901] [A^1]]] [U ,] [P makes] [A cars]] [U .]",
            {"main": 1, "participial": 1},
        ),
        ("[H [P Returning] [A home] [A^1]] [U ,] [H [A:1 John] [P slept]] [U .]", {"main": 1, "participial": 1}),
        ("[H [A [C Paris] [U ,] [E [R in] [C France]]] [U ,] [S is] [A old]] [U .]", {"main": 1}),
        ("[H [A He] [P said] [A [A he] [F will be] [S late]]] [U .]", {"main": 1}),
        ("[C A] [C title]", {"main": 1}),
    ],
)
def test_statements_by_their_construction(structure: str, expected: dict[str, int]) -> None:
    assert +statements(graph(structure)) == expected
