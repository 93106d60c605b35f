import pytest

from sema.model.scene_graph import SceneGraph
from tests.conftest import PublicData
from training.ucca.corpus import annotated_sentences, wiki_passages


def passage(text: str, *parts: tuple[str, int, int]) -> SceneGraph:
    """A passage of units (category, first token, behind the last) that contain one another as their ranges do."""
    tokens = text.split()
    marks = {index for index, token in enumerate(tokens) if not any(map(str.isalnum, token))}
    graph = SceneGraph(tokens, marks)
    above = [(graph.root, len(tokens))]
    home = dict.fromkeys(range(len(tokens)), graph.root)
    for category, start, end in parts:
        while above[-1][1] <= start:
            above.pop()
        unit = graph.add_child(above[-1][0], category)
        above.append((unit, end))
        home.update(dict.fromkeys(range(start, end), unit))
    for token, unit in home.items():
        graph.add_edge(unit, token)
    return graph


@pytest.mark.parametrize(
    ("expected", "units"),
    [
        ("He came . | She left !", [("H", 0, 2), ("H", 3, 5)]),
        # a mark inside a unit ends nothing
        ("Warner Bros . Records bought it . | He left .", [("H", 0, 6), ("A", 0, 4), ("H", 7, 9)]),
        # a unit that is a series of Scenes is cut, unless the next one begins in lower case
        ('He said , " I came . | I saw . "', [("H", 0, 11), ("A", 4, 11), ("H", 4, 6), ("H", 7, 9)]),
        ("He said I came ... and saw .", [("H", 0, 7), ("A", 2, 7), ("H", 2, 4), ("L", 5, 6), ("H", 6, 7)]),
        # closing marks go with their sentence and opening ones with the next
        ('" He came . " | ( She left . ) | " Go . "', [("H", 1, 3), ("H", 6, 8), ("H", 11, 12)]),
    ],
)
def test_final_marks_between_scenes_end_sentences(expected: str, units: list[tuple[str, int, int]]) -> None:
    graph = passage(expected.replace(" | ", " "), *units)
    assert " | ".join(" ".join(graph.tokens[start:end]) for start, end in annotated_sentences(graph)) == expected


def test_no_unit_of_the_corpus_is_cut_unless_it_holds_parallel_scenes(public_data: PublicData) -> None:
    public_data("ucca", "english-wiki")
    for graph in wiki_passages("dev"):
        spans = annotated_sentences(graph)
        assert [start for start, _ in spans] == [0, *(end for _, end in spans[:-1])]
        assert spans[-1][1] == len(graph.tokens)
        for unit in graph.units():
            tokens = graph.tokens_below(unit, remote=False)
            inside = {number for number, (start, end) in enumerate(spans) for t in tokens if start <= t < end}
            series = any(graph.children(below, {"H"}) for below in (unit, *descendants(graph, unit)))
            assert len(inside) < 2 or unit == graph.root or series


def descendants(graph: SceneGraph, unit: str) -> list[str]:
    below = []
    for child, _, remote in graph.edges(unit):
        if isinstance(child, str) and not remote:
            below += [child, *descendants(graph, child)]
    return below
