"""Scenes are shown in the sentence that has their words, wherever the published scores looked for them."""

from typing import Any

from sema.display.pictures.items import view_item
from sema.display.pictures.pages import item_html
from sema.display.terminal import print_evidence

SOURCE = ["The", "museum", ",", "which", "opened", "in", "1998", ",", "burned", "in", "2010", "."]


def unit(*tokens: int, links: list[list[Any] | None] | None = None) -> list[dict[str, Any]]:
    return [{"tokens": list(tokens), "links": links or [None] * len(tokens)}]


def evidence() -> dict[str, Any]:
    """The outer Scene holds the inner one, so most of its leaves stand in the sentence of the inner one.

    As published, it takes that sentence, and none is left for the inner Scene but the other.
    """
    return {
        "item": 0,
        "source": SOURCE,
        "sentences": [["The", "museum", "opened", "in", "1998", "."], ["In", "2010", "it", "burned", "."]],
        "scenes": [
            {"sentence": 0, "main_relation": unit(8), "participants": [unit(1, links=[[1, 1, "exact"]])],
             "leaves": [0, 1, 3, 4, 5, 6, 8, 9, 10]},
            {"sentence": None, "main_relation": unit(4), "participants": [unit(1)], "leaves": [1, 3, 4, 5, 6]},
        ],
        "links": [
            [[0, 0, "exact"], [1, 1, "exact"], [4, 2, "exact"], [5, 3, "exact"], [6, 4, "exact"]],
            [[1, 2, "contextual"], [8, 3, "exact"], [9, 0, "form"], [10, 1, "exact"]],
        ],
    }  # fmt: skip


def test_each_scene_is_where_its_own_words_are() -> None:
    outer, inner = view_item(evidence()).scenes
    assert (outer.sentence, outer.counted) == (1, 0), "burned, in, 2010 and it"
    assert [(role, [(word.text, word.kind, word.target) for word in center]) for role, (center,) in outer.units] == [
        ("main relation", [("burned", "exact", "burned")]),
        ("Participant", [("museum", "contextual", "it")]),
    ]
    assert (inner.sentence, inner.counted) == (0, None)
    assert [scene.state for scene in (outer, inner)] == ["kept", "kept"]


def test_every_surface_says_where_the_published_score_looked(capsys: Any) -> None:
    html = item_html(evidence(), {"sema": 50.0})
    assert html.count("as published") == 2 and "counted in no sentence" in html
    print_evidence(evidence(), {"sema": 50.0}, "system")
    shown = capsys.readouterr().out
    assert "Scene 1 -> output 2 (counted in output 1, as published)" in shown
    assert "Scene 2 -> output 1 (counted in no output sentence, as published)" in shown
    assert "opened = opened (exact)" in shown and "opened (lost)" not in shown


def test_without_links_scenes_are_where_they_were_counted() -> None:
    bare = {name: value for name, value in evidence().items() if name != "links"}
    assert [(scene.sentence, scene.counted) for scene in view_item(bare).scenes] == [(0, 0), (None, None)]


def test_wider_words_do_not_place_a_scene() -> None:
    shown = evidence()
    shown["links"] = [[[8, 2, "hyponymy"]], []]
    assert view_item(shown).scenes[0].sentence is None


def test_of_equal_sentences_the_counted_one_is_shown() -> None:
    shown = evidence()
    shown["links"] = [[[8, 2, "exact"]], [[8, 3, "exact"]]]
    shown["scenes"][0]["sentence"] = 1
    assert view_item(shown).scenes[0].sentence == 1
