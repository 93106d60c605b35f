import pytest

from benchmarks.overlap import Overlap, links_of_other_words, overlap, scene_participants, scene_relations
from sema.model.scene_graph import Scene


def test_precision_recall_and_f1_over_items() -> None:
    counts = overlap([{(0, 0), (1, 1)}, {(0, 1)}], [{(0, 0)}, {(0, 0), (0, 1), (2, 2)}])
    assert counts == Overlap(both=2, predicted=3, gold=4)
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx((2 / 3, 2 / 4, 4 / 7))


def test_repeated_tokens_count_twice() -> None:
    assert overlap([["a", "a", "b"]], [["a", "c"]]) == Overlap(1, 3, 2)
    with pytest.raises(ValueError, match="argument"):
        overlap([["a"]], [])


def test_empty_texts_overlap_by_0() -> None:
    nothing = overlap([[]], [[]])
    assert (nothing.precision, nothing.recall, nothing.f1) == (0, 0, 0)


def test_scenes_by_relation_and_participants_with_their_scene() -> None:
    scenes = [Scene(((1,),), (((0,),), ()), (0, 1)), Scene(((3,),), (((0,), (2,)),), (0, 2, 3))]
    assert scene_relations(scenes) == [((1,),), ((3,),)]
    assert scene_participants(scenes) == [(((1,),), ((0,),)), (((3,),), ((0,), (2,)))]


def test_links_of_other_words() -> None:
    assert links_of_other_words(["The", "car"], ["the", "auto"], [(0, 0), (1, 1)]) == {(1, 1)}
