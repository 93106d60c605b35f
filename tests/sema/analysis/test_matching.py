"""Which sentence a Scene goes to: as published, by the best total, and by a Scene's own words."""

from collections.abc import Collection, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema import Scorer
from sema.analysis.matching import Matching, OutputLinks, gather_evidence
from sema.errors import InputError
from sema.metrics import scene_metrics
from sema.model.links import Link, LinkKind
from sema.model.scene_graph import Scene
from tests.esperanto import esperanto
from tests.sema import worked_cases as cases


def samsa(matching: Matching) -> float:
    graph = cases.day()
    links = cases.links(cases.DAY, "Tom arrived in Beijing .", "That day was Friday .")
    return 100 * scene_metrics.samsa(gather_evidence(graph.scenes(), OutputLinks(links), matching=matching))


def test_an_enclosing_scene_takes_the_inner_scenes_sentence_by_default() -> None:
    """As published *the day was Friday* holds four words of the first sentence and three of the second."""
    assert samsa(Matching()) == 0
    for matching in (ASSIGNED, Matching(leaves="own"), Matching(order="assignment", leaves="own")):
        assert samsa(matching) == 100


def exact(linked: Sequence[Collection[int]]) -> OutputLinks:
    """Links of each output sentence's source tokens."""
    return OutputLinks([[Link(token, 0, LinkKind.EXACT) for token in tokens] for tokens in linked])


def scene(*leaves: int, own: tuple[int, ...] = ()) -> Scene:
    return Scene((leaves[:1],), (), leaves, own)


ASSIGNED = Matching(order="assignment")


def test_the_best_total_goes_before_the_best_for_the_first() -> None:
    scenes, linked = [scene(0, 1, 2), scene(0, 1)], [{0, 1, 2}, {0, 2}]
    assert Matching().match(scenes, exact(linked)) == [0, 1]  # 3 + 1
    scenes.reverse()
    assert Matching().match(scenes, exact(linked)) == [0, 1]  # 2 + 2
    assert ASSIGNED.match(scenes, exact(linked)) == [0, 1]  # as good as 1 + 3, and in order
    assert ASSIGNED.match(scenes, exact([{0, 1, 2}, {0, 1}])) == [1, 0]  # 2 + 3 for 2 + 2
    assert ASSIGNED.match([scene(5), scene(0)], exact([{0}, {1}])) == [None, 0], "without links it stays unmatched"
    assert ASSIGNED.match([], exact([])) == []


def test_order_is_ignored_with_fewer_sentences_than_scenes() -> None:
    scenes, linked = [scene(0, 1, own=(0,)), scene(1)], exact([{1}])
    assert ASSIGNED.match(scenes, linked) == Matching().match(scenes, linked) == [0, 0]
    assert Matching(leaves="own").match(scenes, linked) == [None, 0]
    assert ASSIGNED.match(scenes, exact([{0, 1}, {1}]), one_to_one=False) == [0, 0]


tokens = st.sets(st.integers(0, 7), max_size=6)
sides = st.integers(1, 5).flatmap(lambda size: st.lists(st.tuples(tokens, tokens), min_size=size, max_size=size))


@given(sides)
def test_no_map_has_more_linked_leaves_than_the_assignment(case: list[tuple[set[int], set[int]]]) -> None:
    leaves, linked = zip(*case, strict=True)

    def total(order: Sequence[int | None]) -> int:
        return sum(len(own & linked[s]) for own, s in zip(leaves, order, strict=True) if s is not None)

    scenes = [Scene((), (), tuple(sorted(own))) for own in leaves]
    matched = ASSIGNED.match(scenes, exact(linked))
    for found in (matched, Matching().match(scenes, exact(linked))):
        taken = [sentence for sentence in found if sentence is not None]
        assert len(set(taken)) == len(taken), "a sentence is given once"
    assert total(matched) == max(map(total, permutations(range(len(linked)))))


def test_the_options_reach_a_scorer_and_its_signature() -> None:
    assert "|match:v2|" in Scorer(esperanto(), ["sema"]).signature
    scorer = Scorer(esperanto(), ["sema"], options={"match.order": "assignment", "match.leaves": "own"})
    assert "|match:v2,order=assignment,leaves=own|" in scorer.signature
    with pytest.raises(InputError, match="did you mean 'assignment'"):
        Scorer(esperanto(), ["sema"], options={"match.order": "assigment"})


def test_a_book_is_matched_in_time_that_grows_with_its_length() -> None:
    """Every Scene with every sentence would be 400 million comparisons."""
    scenes = [Scene(((token,),), (), (token, token + 1)) for token in range(0, 40_000, 2)]
    linked = [(token, token + 1) for token in range(0, 40_000, 2)]
    assert Matching().match(scenes, exact(linked)) == list(range(20_000))
