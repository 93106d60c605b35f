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


def sentences(graph: SceneGraph) -> list[str]:
    return [" ".join(graph.tokens[start:end]) for start, end in annotated_sentences(graph)]


def test_a_final_mark_ends_a_sentence_between_scenes() -> None:
    graph = passage("He came . She left !", ("H", 0, 2), ("H", 3, 5))
    assert sentences(graph) == ["He came .", "She left !"]


def test_a_mark_inside_a_unit_ends_nothing() -> None:
    graph = passage("Warner Bros . Records bought it . He left .", ("H", 0, 6), ("A", 0, 4), ("H", 7, 9))
    assert sentences(graph) == ["Warner Bros . Records bought it .", "He left ."]


def test_a_unit_that_is_a_series_of_scenes_is_cut() -> None:
    text = 'He said , " I came . I saw . "'
    graph = passage(text, ("H", 0, 11), ("A", 4, 11), ("H", 4, 6), ("H", 7, 9))
    assert sentences(graph) == ['He said , " I came .', 'I saw . "']


def test_a_series_of_scenes_goes_on_in_lower_case() -> None:
    graph = passage("He said I came ... and saw .", ("H", 0, 7), ("A", 2, 7), ("H", 2, 4), ("L", 5, 6), ("H", 6, 7))
    assert len(sentences(graph)) == 1


def test_closing_marks_go_with_their_sentence_and_opening_ones_with_the_next() -> None:
    graph = passage('" He came . " ( She left . ) " Go . "', ("H", 1, 3), ("H", 6, 8), ("H", 11, 12))
    assert sentences(graph) == ['" He came . "', "( She left . )", '" Go . "']


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
