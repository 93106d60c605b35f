"""The papers' structures in brackets."""

from benchmarks.papers.printed import CENTERS, READ, SCORED, SEMINAR, SPLITS, STRUCTURES, graph


def test_names_continue_units_and_lead_remote_edges() -> None:
    read, wrote = graph(STRUCTURES["book"]).scenes()
    assert (read.main_relation, read.participants) == (((1,),), (((0,),), ((3,),)))
    assert (wrote.main_relation, wrote.participants) == (((6,),), (((5,),), ((3,),)))
    got, gave = graph(STRUCTURES["call"]).scenes()
    assert got.main_relation == ((1,),)
    assert gave.main_relation == ((7,),) and gave.participants == (((5,),), ((0,),))


def test_every_structure_is_of_its_example_s_words() -> None:
    def plain(text: str) -> str:
        return "".join(text.split())

    for example in SCORED:
        if example.structure:
            assert plain(" ".join(graph(example.structure).tokens)) == plain(example.source)
    assert all(graph(structure).scenes() for structures in READ.values() for structure in structures)


def test_units_have_the_papers_centers_and_splits_a_sentence_for_each_scene() -> None:
    for _, structure, center in CENTERS:
        scenes = graph(structure)
        (unit,) = scenes.children(scenes.root, {"C"})
        assert scenes.minimal_centers(unit) == ((scenes.tokens.index(center),),)
    for structure, output in SPLITS:
        assert len(graph(structure).scenes()) == 2 == output.count(". ") + output.endswith(".")


def test_the_chinese_sentence_has_the_papers_relation_and_participants() -> None:
    scenes = graph(SEMINAR)
    (scene,) = scenes.scenes()
    words = [["".join(scenes.tokens[token] for token in center) for center in unit] for unit in scene.participants]
    assert [scenes.tokens[token] for (token,) in scene.main_relation] == ["举行"]
    assert words == [["研讨会"], ["在巴黎"]]
