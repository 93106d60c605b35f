"""Evidence in the terminal: each problem once with its points; nothing shown of a pair contradicts its findings."""

import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from sema import Scorer
from sema.display.pictures.items import KEPT, STATES, view_item
from sema.display.pictures.pages import item_html
from sema.display.pictures.verdicts import points_text, problems_of, verdict_of
from sema.display.pictures.words import speaking
from sema.display.tables import cut
from sema.display.terminal import print_evidence
from sema.model.meaning import FAIR, WHOLE
from sema.model.text import visible
from tests.cases import cases
from tests.conftest import ROOT
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


def test_a_problem_is_one_line_and_the_rest_is_shown_without_problems_too(capsys) -> None:
    found = finding("missing", "The\ncat", "", [0, 1], [], 0.3)
    print_evidence({**EVIDENCE, "findings": [found]}, {"meaning": 50.0}, "item 0", brief=True)
    print_evidence({**EVIDENCE, "findings": []}, {"meaning": 80.0}, "item 1", brief=True)
    shown = capsys.readouterr().out
    assert "    Missing: The cat  −30.0\n" in shown and shown.count("    not attributed  −20.0\n") == 2
    html = item_html({**EVIDENCE, "findings": []}, {"meaning": 80.0})
    assert "not attributed <small>−20.0</small>" in html and "not attributed" not in item_html(museum(), {"sema": 50.0})


def test_a_word_of_a_scene_is_wrong_where_its_finding_is(capsys) -> None:
    participants = [[center(1)], [center(0)]]
    scene = {"sentence": 0, "main_relation": [center(2)], "participants": participants, "leaves": [0, 1, 2]}
    print_evidence({**EVIDENCE, "scenes": [scene], "links": [[[2, 2, "exact"]]]}, {"meaning": 40.0}, "item 0")
    shown = capsys.readouterr().out
    assert "Participant   cat (wrong)" in shown and "Participant   The (lost)" in shown and "sat = sat (exact)" in shown


def test_texts_are_shown_as_they_were_written_and_marks_span_the_words_between(capsys) -> None:
    evidence = {
        "item": 1, "scenes": [], "source": ["It", "(", "x", ")", "."],
        "sentences": [["It", ":", "a", ",", "b", "."], []], "verdict": "1 problem: 1 added",
        "findings": [finding("added", "", "a, b", [], [2, 4], 0.1)], "not_attributed": 0.0,
    }  # fmt: skip
    print_evidence(evidence, {"meaning": 90.0}, "id 7", ("It (x).", "It: a, b."), brief=True)
    assert "  source    It (x).\n  output 1  It: {+a, b+}.\n" in capsys.readouterr().out


def test_two_problems_side_by_side_are_marked_each_by_itself(capsys) -> None:
    evidence = {
        "item": 0, "scenes": [], "source": ["Dogs", "bark", ".", "Cats", "sleep", "."], "sentences": [["Rain", "."]],
        "verdict": "2 problems: 2 missing",
        "findings": [
            finding("missing", "Dogs bark", "", [0, 1], [], 0.2),
            finding("missing", "Cats", "", [3], [], 0.1),
        ],
    }  # fmt: skip
    print_evidence(evidence, {"meaning": 70.0}, "item 0", brief=True)
    assert "source    [-Dogs bark-]. [-Cats-] sleep.\n" in capsys.readouterr().out


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


# Contradictions

EXAMPLES = ROOT / "examples"


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def shown_points(found: dict[str, Any]) -> float:
    """A problem's points as they are shown."""
    return float(points_text(found["weight"]).lstrip("\N{MINUS SIGN}") or 0)


def contradictions(evidence: dict[str, Any], score: float) -> list[str]:
    """What is shown of one pair and does not follow from its findings."""
    found, said, scenes = evidence["findings"], evidence["verdict"], evidence["source_scenes"]
    view = view_item(evidence)
    sentence = verdict_of(evidence, {"meaning": score}, view).sentence
    marked = {
        (side, word.number, word.state)
        for side, words in (("source", view.source), ("output", [word for words in view.output for word in words]))
        for word in words if word.state in STATES.values()
    }  # fmt: skip
    named = {
        (side, token, STATES[one["kind"]])
        for one in found for side in ("source", "output") for token in one[f"{side}_tokens"]
    }  # fmt: skip
    struck = [
        (scene.state, word.text) for scene in view.scenes for _, centers in scene.units
        for words in centers for word in words if word.state in STATES.values()
    ]  # fmt: skip
    gone = {evidence["source"][token] for one in found for token in one["source_tokens"]}
    states = {tuple(scene["tokens"]): scene["state"] for scene in scenes}
    kinds = [one["kind"] for one in found]
    plain = said.startswith("nothing is")
    points = sum(one["weight"] for one in found) + evidence["not_attributed"]
    checks = {
        "marked words are not those of the findings": marked == named,
        "it says that all is kept": plain or ("matters is kept" in said) == (not found and score >= WHOLE),
        "it says reworded": plain or ("reworded" in said) == (not found and FAIR <= score < WHOLE),
        "it says that nothing is changed": ("is a copy" in said) <= (not found and score == 100),
        "it does not say that the meaning is gone": plain or ("not preserved" in said) == (score < FAIR),
        "a problem is miscounted": plain or all(f"{kinds.count(kind)} {kind}" in said for kind in kinds),
        "the sentence is not the verdict's": sentence.lower() == f"{said}.".lower(),
        "a problem has no words, or those of another kind": all(
            bool(one["source"]) == (one["kind"] != "added") and bool(one["output"]) == (one["kind"] != "missing")
            for one in found
        ),
        "the worst problem is not the first": [*map(shown_points, found)]
        == sorted(map(shown_points, found), reverse=True),
        "points do not add up": abs(points - (1 - score / 100)) < 2e-3,
        "a Scene strikes a word that no finding has": {word for _, word in struck} <= gone,
        "a Scene's state is not the findings'": all(
            scene.state == states[tuple(shown["leaves"])]
            for scene, shown in zip(view.scenes, evidence["scenes"], strict=True)
        ),
        "a kept Scene has a marked word": KEPT not in {state for state, _ in struck},
        "a Scene has a reason that is no finding": all(
            one["kind"] in kinds and scene["state"] != "kept" for scene in scenes for one in scene["because"]
        ),
    }
    return [what for what, holds in checks.items() if not holds]


def assert_none(lang: str, sources: Sequence[str], outputs: Sequence[str]) -> None:
    metrics = ["meaning", "sema"] if lang in ("en", "zh") else ["meaning"]
    report = Scorer(lang, metrics).score(sources, outputs, keep_items=True)
    found = {}
    for place, item in enumerate(report.systems[0].items):
        evidence, texts = report.evidence(place)["output"], (sources[place], outputs[place])
        wrong = contradictions(evidence, item.scores["meaning"]) + misplaced(evidence, item.scores, texts)
        if wrong:
            found[texts] = wrong
    assert not found


def misplaced(evidence: dict[str, Any], scores: dict[str, float], texts: tuple[str, str]) -> list[str]:
    """What of the findings is not as in the texts, or not on the page."""
    found = evidence["findings"]
    html = item_html(evidence, scores, source_text=texts[0], output_text=texts[1])
    marks = re.findall(r'<(?:del|ins|mark) class="w[^>]*data-f="(\d+)"', html)
    named = [number for number, one in enumerate(found, 1) for _ in one["source_tokens"] + one["output_tokens"]]
    listed = [f"{visible(str(one))}  {one.cost}".rstrip() for one in problems_of(evidence)]
    with redirect_stdout(StringIO()) as printed:
        print_evidence(evidence, scores, "item", texts, brief=True)
    with speaking("zh"):
        chinese = item_html(evidence, scores, source_text=texts[0], output_text=texts[1])
    checks = {
        "its words are not those at its place": all(
            " … ".join(text[start:end] for start, end in one[side]) == one[f"{side}_text"]
            for one in found for side, text in zip(("source", "output"), texts, strict=True)
        ),
        "the page marks other words": sorted(map(int, marks)) == named,
        "the terminal has other problems": [
            line.strip() for line in printed.getvalue().splitlines() if re.match("    (Wrong|Missing|Added): ", line)
        ] == listed,
        "a Chinese view has English words": not re.search(
            " problems?: |Missing: |Added: |Wrong: |not attributed|is preserved|is kept|Reworded|Nothing", chinese
        ),
        "the page has another number of problems": html.count('<button type="button" data-f') == len(found),
        "the page has a tag of the texts": "<script" not in html and "<i>some" not in html,
    }  # fmt: skip
    return [what for what, holds in checks.items() if not holds]


@pytest.mark.parametrize("lang", ["en", "zh", "fr"])
def test_nothing_contradicts_the_findings_of_the_examples(lang: str) -> None:
    sources = lines(EXAMPLES / lang / "original.txt")
    others = [path for path in sorted((EXAMPLES / lang).glob("*.txt")) if path.stem not in ("original", "reference")]
    assert others
    for path in others:
        assert_none(lang, sources, lines(path))


@cases("unusual_pairs")
def test_nothing_contradicts_the_findings_of_unusual_texts(lang: str, source: str, output: str) -> None:
    assert_none(lang, [source], [output])


@pytest.mark.stress  # it is slow
@pytest.mark.parametrize(
    ("lang", "path", "versions", "items"),
    [("en", "simplification/asset/asset.test", 10, 200), ("zh", "simplification/mcts/dataset/mcts.dev", 5, 100)],
)
def test_nothing_contradicts_the_findings_of_public_sets(public_data, lang: str, path: str, versions: int, items: int):
    *folder, name = path.split("/")
    texts = [lines(public_data(*folder) / f"{name}.simp.{number}") for number in range(versions)]
    outputs = [texts[place % versions][place] for place in range(items)]
    assert_none(lang, lines(public_data(*folder) / f"{name}.orig")[:items], outputs)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one two three four", "one two…"),
        ("one two three", "one two three"),
        ("一二三四五六七八九十一二三四", "一二三四五六七八九十一二…"),
        ("a extraordinarily", "a extraordin…"),
    ],
)
def test_long_texts_are_cut_between_words(text: str, expected: str) -> None:
    assert cut(text, 13) == expected
