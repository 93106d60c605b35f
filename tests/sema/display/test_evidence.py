"""Evidence in the terminal: the verdict, each problem once with its points, each Scene where its own words are."""

import re
import sys
from typing import Any

import pytest

from sema.display.pictures.items import view_item
from sema.display.pictures.pages import item_html
from sema.display.terminal import print_evidence
from tests.sema.display.shown import center, finding

EVIDENCE: dict[str, Any] = {
    "item": 0,
    "source": ["The", "cat", "sat"],
    "sentences": [["A", "dog", "sat"]],
    "scenes": [],
    "verdict": "2 problems: 1 wrong · 1 missing",
    "findings": [finding("wrong", "cat", "dog", [1], [1], 0.4), finding("missing", "The", "", [0], [], 0.0)],
    "not_attributed": 0.2,
}


def museum() -> dict[str, Any]:
    """The outer Scene holds the inner one, so most of its leaves stand in the sentence of the inner one.

    As published, it takes that sentence, and none is left for the inner Scene but the other.
    """
    return {
        "item": 0,
        "source": ["The", "museum", ",", "which", "opened", "in", "1998", ",", "burned", "in", "2010", "."],
        "sentences": [["The", "museum", "opened", "in", "1998", "."], ["In", "2010", "it", "burned", "."]],
        "scenes": [
            {"sentence": 0, "main_relation": [center(8)], "participants": [[center(1)]],
             "leaves": [0, 1, 3, 4, 5, 6, 8, 9, 10]},
            {"sentence": None, "main_relation": [center(4)], "participants": [[center(1)]], "leaves": [1, 3, 4, 5, 6]},
        ],
        "links": [
            [[0, 0, "exact"], [1, 1, "exact"], [4, 2, "exact"], [5, 3, "exact"], [6, 4, "exact"]],
            [[1, 2, "contextual"], [8, 3, "exact"], [9, 0, "form"], [10, 1, "exact"]],
        ],
    }  # fmt: skip


def test_each_problem_is_printed_once_with_its_points(capsys: pytest.CaptureFixture[str]) -> None:
    print_evidence(EVIDENCE, {"meaning": 40.0}, "item 0 of system")
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[1:3] == ["item 0 of system: meaning 40.00", "2 problems: 1 wrong · 1 missing."]
    assert {"Wrong: 'cat' → 'dog'  −40.0", "Missing: The", "not attributed  −20.0"} <= {*lines}
    assert lines[-2:] == ["source    [-The-] [!cat!] sat", "output 1  A [!dog!] sat"]


def test_texts_are_shown_as_they_were_written_and_marks_span_the_words_between(capsys) -> None:
    evidence = {
        "item": 1, "scenes": [], "source": ["It", "(", "x", ")", "."],
        "sentences": [["It", ":", "a", ",", "b", "."], []], "verdict": "1 problem: 1 added",
        "findings": [finding("added", "", "a, b", [], [2, 4], 0.1)], "not_attributed": 0.0,
    }  # fmt: skip
    print_evidence(evidence, {"meaning": 90.0}, "id 7", ("It (x).", "It: a, b."), brief=True)
    assert "  source    It (x).\n  output 1  It: {+a, b+}.\n" in capsys.readouterr().out


def test_lines_break_between_words_where_a_terminal_ends(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("COLUMNS", "48"), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    words = ["closed"] * 9
    found = finding("missing", " ".join(words), "", range(9), [], 0.475)
    evidence = {**EVIDENCE, "source": words, "findings": [found]}
    print_evidence(evidence, {"meaning": 40.0}, "item 0", brief=True)
    shown = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out).splitlines()
    assert max(map(len, shown)) <= 48
    assert "    closed closed closed closed  −47.5" in shown
    source = next(at for at, line in enumerate(shown) if line.startswith("  source    [-closed"))
    assert shown[source + 1].startswith(f"{'':12}closed") and shown[source + 1].endswith("closed-]")


def test_each_scene_is_where_its_own_words_are_and_every_surface_says_where_it_was_counted(capsys) -> None:
    outer, inner = view_item(museum()).scenes
    assert (outer.sentence, outer.counted) == (1, 0), "burned, in, 2010 and it"
    assert [(role, [(word.text, word.kind, word.target) for word in center]) for role, (center,) in outer.units] == [
        ("main relation", [("burned", "exact", "burned")]),
        ("Participant", [("museum", "contextual", "it")]),
    ]
    assert (inner.sentence, inner.counted) == (0, None)
    assert [scene.state for scene in (outer, inner)] == ["kept", "kept"]
    html = item_html(museum(), {"sema": 50.0})
    assert html.count("as published") == 2 and "counted in no sentence" in html
    print_evidence(museum(), {"sema": 50.0}, "system")
    shown = capsys.readouterr().out
    assert "Scene 1 -> output 2 (counted in output 1, as published)" in shown
    assert "Scene 2 -> output 1 (counted in no output sentence, as published)" in shown
    assert "opened = opened (exact)" in shown and "opened (lost)" not in shown


@pytest.mark.parametrize(
    ("links", "counted", "sentence"),
    [
        ([[[8, 2, "hyponymy"]], []], 0, None),  # wider words do not place it
        ([[[8, 2, "exact"]], [[8, 3, "exact"]]], 1, 1),  # of equal sentences the counted one
    ],
)
def test_links_place_a_scene(links: Any, counted: int, sentence: int | None) -> None:
    shown = {**museum(), "links": links}
    shown["scenes"][0]["sentence"] = counted
    assert view_item(shown).scenes[0].sentence == sentence
