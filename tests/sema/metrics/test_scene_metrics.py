from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema.analysis.matching import OutputLinks, gather_evidence
from sema.metrics.scene_metrics import FAMILY
from sema.model.links import Link, LinkKind
from sema.model.scene_graph import Scene, SceneGraph
from tests.scene_graphs import scene_graph
from tests.sema import worked_cases as cases


def scene_scores(scenes: list[Scene], links: list[list[Link]], *, without: Scene | None = None) -> dict[str, float]:
    evidence = gather_evidence(scenes, OutputLinks(links), without_scenes=without)
    return {name: 100 * metric(evidence) for name, metric in FAMILY.items()}


def scores(graph: SceneGraph, source: str, *sentences: str) -> dict[str, float]:
    return scene_scores(graph.scenes(), cases.links(source, *sentences), without=graph.root_scene())


@pytest.mark.parametrize(
    ("graph", "source", "sentences", "expected"),
    [
        (cases.book(), cases.BOOK, ["John wrote a book .", "I read that book ."], {"samsa": 100, "samsa_abl": 100}),
        # The writing Scene keeps John and wrote but loses the book: 1/4 * ((1 + 1) + (1 + 1/2)).
        (cases.book(), cases.BOOK, ["John wrote .", "I read the book ."], {"samsa": 87.5}),
        # A word is linked in every sentence that repeats it.
        (cases.call(), cases.CALL, ["John got home .", "John gave Mary a call ."], {"samsa": 100}),
        # Both Scenes find only one sentence each: home with got; Mary alone of the call.
        (cases.call(), cases.CALL, ["John got home and gave .", "Mary called ."], {"samsa": 50 * (1 + 1 / 2 / 2)}),
        (cases.syrians(), cases.SYRIANS, ["About 13 million had to leave their homes ."],
         dict.fromkeys(("samsa", "samsa_abl"), 250 / 3)),
        # Of a coordinated Participant one center of three is kept.
        (cases.fruit(), cases.FRUIT, ["I like apple ."], {"sema_base": 75, "sema_part": 50 * (1 + (1 + 1 / 3) / 2)}),
        # Partial credit is for Participants alone.
        (scene_graph("we came and went", ("H", ("A", 0), ("P", ("C", 1), ("C", 3)))), "we came and went",
         ["we came ."], {"sema_part": 50}),
        # Implicit units and Scenes without Participants give a half.
        (scene_graph("came", ("H", ("P", 0))), "came", ["came"], {"samsa": 75}),
        (scene_graph("came", ("H", ("P", 0), ("A",))), "came", ["came"], {"samsa": 75}),
        # More sentences than Scenes.
        (cases.tower(), cases.TOWER, cases.TOWER_OUTPUT, {"samsa": 0, "samsa_abl": 0}),
    ],
)  # fmt: skip
def test_worked_cases(graph: SceneGraph, source: str, sentences: Sequence[str], expected: dict[str, float]) -> None:
    values = scores(graph, source, *sentences)
    assert {name: values[name] for name in expected} == pytest.approx(expected)
    assert values["sema_base"] > 0


def test_hyponymy_counts_for_sema_alone_and_does_not_decide_the_match() -> None:
    scene = Scene(((1,),), (((0,),), ((2,),)), (0, 1, 2))
    kinds = LinkKind.EXACT, LinkKind.EXACT, LinkKind.HYPONYMY
    values = scene_scores([scene], [[Link(place, place, kind) for place, kind in enumerate(kinds)]])
    assert values == {"sema": 100, "sema_part": 75, "sema_base": 75, "samsa": 75, "samsa_abl": 75}
    scene = Scene(((0,),), (((1,),),), (0, 1))
    links = [[Link(0, 0, LinkKind.HYPONYMY), Link(1, 1, LinkKind.HYPONYMY)], [Link(0, 0, LinkKind.EXACT)]]
    assert gather_evidence([scene], OutputLinks(links)).scenes[0].sentence == 1


def test_an_unmatched_scene_keeps_nothing_and_uses_up_no_sentence() -> None:
    lost, kept = Scene(((0,),), (((3,),),), (0, 3)), Scene(((1,),), (((2,),),), (1, 2))
    evidence = gather_evidence(
        [lost, kept], OutputLinks([[Link(1, 0, LinkKind.EXACT), Link(2, 1, LinkKind.EXACT)], []])
    )
    assert [scene.sentence for scene in evidence.scenes] == [None, 0]
    assert FAMILY["samsa"](evidence) == 0.5


@pytest.mark.parametrize(
    ("lost", "expected"),
    [
        (Scene(((0,),), (), (0,)), (0 + 0.5) / 2),  # no Participant
        (Scene(((0,),), ((),), (0,)), (0 + 0.5) / 2),  # an implicit one
        (Scene(((0,),), ((), ((3,),)), (0, 3)), (0 + (0.5 + 0) / 2) / 2),
        (Scene((), (((0,),),), (0,)), (0.5 + 0) / 2),  # an implicit main relation
        (Scene((), (), ()), 0.5),
    ],
)
def test_an_unmatched_scene_gives_a_half_for_what_has_no_tokens(lost: Scene, expected: float) -> None:
    values = scene_scores([lost], [[Link(9, 0, LinkKind.EXACT)]])
    assert values == dict.fromkeys(FAMILY, pytest.approx(100 * expected))
    assert set(scene_scores([lost], []).values()) == {0}  # an empty output


tokens = st.integers(0, 7)
centers = st.lists(st.lists(tokens, min_size=1, max_size=2, unique=True).map(tuple), max_size=3).map(tuple)
scene_lists = st.lists(
    st.builds(
        Scene,
        main_relation=centers,
        participants=st.lists(centers, max_size=3).map(tuple),
        leaves=st.lists(tokens, unique=True).map(lambda found: tuple(sorted(found))),
    ),
    min_size=1,
    max_size=5,
)
link_lists = st.lists(
    st.dictionaries(tokens, st.tuples(tokens, st.sampled_from(LinkKind))).map(
        lambda found: [Link(source, output, kind) for source, (output, kind) in sorted(found.items())]
    ),
    max_size=5,
)


@given(scene_lists, link_lists)
def test_the_family_is_ordered(scenes: list[Scene], links: list[list[Link]]) -> None:
    values = scene_scores(scenes, links)
    assert set(values) == set(FAMILY)
    assert all(0 <= score <= 100 + 1e-9 for score in values.values())
    assert values["sema"] >= values["sema_part"] - 1e-9 >= values["sema_base"] - 2e-9
    assert values["sema_base"] >= values["samsa_abl"] - 1e-9 >= values["samsa"] - 2e-9
