"""Pictures of plain data: well-formed, complete, and no text can break out of them."""

from xml.etree import ElementTree

import pytest

from sema import Alignment, Link, LinkKind, SceneGraph, Scorer
from tests.esperanto import WordCount, esperanto
from tests.scene_graphs import scene_graph
from tests.sema.worked_cases import call

SVG = "{http://www.w3.org/2000/svg}"
NASTY = '<script>alert("x")</script>&\x07"\''


def found(svg: str, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(f"{SVG}{name}"))


def texts(svg: str) -> list[str]:
    """The words of a picture, its title and style left out."""
    return [entry.text or "" for entry in found(svg, "text")]


def places(svg: str) -> dict[str | None, float]:
    return {entry.text: float(entry.get("x", "nan")) for entry in found(svg, "text")}


def classes(svg: str, name: str) -> list[str]:
    return [entry.get("class", "") for entry in found(svg, name)]


def test_a_scene_graph_shows_words_categories_scenes_and_remote_edges() -> None:
    svg = call().to_svg()
    words = texts(svg)
    assert [word for word in words if word in call().tokens] == list(call().tokens)
    assert words.count("P") == 2 and words.count("A*") == 1 and words.count("H") == 2
    assert classes(svg, "circle").count("scene") == 2
    assert classes(svg, "path").count("remote") == 1
    spots = [(float(entry.get("cx", 0)), float(entry.get("cy", 0))) for entry in found(svg, "circle")]
    apart = [abs(a[0] - b[0]) >= 20 for a in spots for b in spots if a is not b and a[1] == b[1]]
    assert apart and all(apart), "units of one height do not stand on each other"


def alignment(word: str = "John") -> Alignment:
    links = ((Link(0, 0, LinkKind.EXACT),), (Link(0, 1, LinkKind.CONTEXTUAL), Link(2, 0, LinkKind.HYPONYMY)))
    return Alignment((word, "got", "home", "."), ((word, "went", "."), ("There", "he", "was")), links)


def test_links_have_their_kinds_and_what_has_none_is_marked() -> None:
    svg = alignment().to_svg()
    drawn = [name for name in classes(svg, "path") if name.startswith("link")]
    # each kind once in the picture and once in the legend
    assert sorted(drawn) == sorted(2 * ["link k-exact", "link k-contextual", "link k-hyponymy"])
    marks = {entry.text: entry.get("class") for entry in found(svg, "text")}
    assert marks["got"] == "lost" and marks["went"] == "added"
    assert not marks["."], "punctuation is neither"


@pytest.mark.parametrize("styled", [True, False])
def test_nothing_breaks_out_of_a_picture(styled: bool) -> None:
    for svg in (SceneGraph([NASTY]).to_svg(styled=styled), alignment(NASTY).to_svg(styled=styled)):
        assert not found(svg, "script") and any("<script>" in text for text in texts(svg))
        assert bool(found(svg, "style")) is styled
        assert ElementTree.fromstring(svg).get("aria-label") == found(svg, "title")[0].text


def test_empty_texts_are_drawn() -> None:
    assert texts(Alignment((), (), ()).to_svg()) == ["source", "output"]
    assert ElementTree.fromstring(SceneGraph([]).to_svg()).tag == f"{SVG}svg"


def test_notebooks_show_results() -> None:
    report = Scorer(esperanto(), ["sema", WordCount()]).score(["La kato dormas."], {"<b>": ["La <i>kato</i> dormas."]})
    html = report._repr_html_()
    assert "&lt;b&gt;" in html and "<b>" not in html and "words ↓" in html
    item = report.systems[0].items[0]
    assert "&lt;" in item._repr_html_() and "<i>kato" not in item._repr_html_()


def test_words_of_scripts_from_right_to_left_run_from_right_to_left() -> None:
    source, sentence = ("القط", "ينام"), ("the", "cat", "sleeps")
    linked = places(Alignment(source, (sentence,), ((Link(0, 1, LinkKind.SYNONYM),),)).to_svg())
    assert linked["القط"] > linked["ينام"] and linked["the"] < linked["cat"] < linked["sleeps"]
    tree = places(scene_graph("القط ينام", ("H", ("A", 0), ("P", 1))).to_svg())
    assert tree["القط"] > tree["ينام"] > 0 and tree["A"] > tree["P"]
