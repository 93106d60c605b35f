"""The papers' structures in brackets."""

from __future__ import annotations

from benchmarks.papers.printed import BOOK, CALL, READ, SCORED, graph


def test_names_continue_units_and_lead_remote_edges() -> None:
    read, wrote = graph(BOOK).scenes()
    assert (read.main_relation, read.participants) == (((1,),), (((0,),), ((3,),)))
    assert (wrote.main_relation, wrote.participants) == (((6,),), (((5,),), ((3,),)))
    got, gave = graph(CALL).scenes()
    assert got.main_relation == ((1,),)
    assert gave.main_relation == ((7,),) and gave.participants == (((5,),), ((0,),))


def test_every_structure_is_of_its_example_s_words() -> None:
    def plain(text: str) -> str:
        return "".join(text.split())

    for example in SCORED:
        if example.structure:
            assert plain(" ".join(graph(example.structure).tokens)) == plain(example.source)
    assert all(graph(structure).scenes() for structures in READ.values() for structure in structures)
