"""What the view of an item says about each word, from evidence only."""

import json
import re
from typing import Any

import pytest

from sema.display.pictures.items import gaps, view_item
from sema.display.pictures.pages import item_html
from tests.conftest import ROOT

EVIDENCE: dict[str, Any] = json.loads((ROOT / "tests" / "data" / "evidence" / "item.json").read_text(encoding="utf-8"))


def test_words_are_kept_lost_and_added() -> None:
    view = view_item(EVIDENCE)
    source = [word for run in view.source for word in run.words]
    output = [word for run in view.output for word in run.words]
    assert [word.state for word in source] == ["kept", "lost", "kept", "kept", "", "kept", "kept", ""]
    assert [word.text for word in output if word.state == "added"] == ["A"]
    assert source[3].links == ((2, "synonym"),) and source[6].links == ((6, "form"),)
    assert output[6].links == ((6, "form"),)
    assert view.counts == {"exact": 2, "lost": 1, "synonym": 1, "form": 2, "added": 1}


def test_words_have_the_sentence_of_their_innermost_scene() -> None:
    runs = [([word.text for word in run.words], run.sentence, run.named) for run in view_item(EVIDENCE).source]
    assert runs == [
        (["The", "old", "man", "sleeps"], 0, True),
        ([","], None, False),
        (["dogs", "bark"], 1, True),
        (["."], None, False),
    ]


def test_scenes_are_kept_partly_or_lost() -> None:
    assert [scene.state for scene in view_item(EVIDENCE).scenes] == ["partly", "kept", "lost"]


def test_nothing_is_reported_lost_without_links() -> None:
    view = view_item({"source": ["a", "b"], "sentences": [["c"]]})
    assert not view.counts
    assert {word.state for run in (*view.source, *view.output) for word in run.words} == {""}


def test_findings_decide_where_they_are_there() -> None:
    missing = {"kind": "missing", "source_tokens": [2], "output_tokens": [], "source_text": "man", "output_text": "",
               "weight": 0.2}  # fmt: skip
    reason = {"kind": "missing", "text": "'man'"}
    evidence = {
        **EVIDENCE,
        "verdict": "1 problem: 1 missing",
        "findings": [missing],
        "not_attributed": 0.1,
        "source_words": [0.9, 0.8, 0.2, None, None, 0.9, 0.9, None],
        "output_words": [0.9] * 7,
        "source_scenes": [
            {"tokens": [0, 1, 2, 3], "state": "partly", "because": [reason]},
            {"tokens": [5, 6], "state": "kept", "because": []},
        ],
        "output_scenes": [{"tokens": [5, 6], "state": "added"}],
    }
    view = view_item(evidence)
    source = [word for run in view.source for word in run.words]
    assert [word.state for word in source][:4] == ["kept", "kept", "lost", "kept"]
    assert [scene.state for scene in view.scenes] == ["partly", "kept", "lost"]
    assert [word.state for _, units in view.scenes[0].units for center in units for word in center] == [
        "kept", "lost", "kept",
    ], "old has no link, and no finding has it"  # fmt: skip
    assert view.meaning["source"][0]["text"] == "The old man sleeps"
    html = item_html(evidence, {"meaning": 71.26})
    assert 'data-p="0.20"' in html and "missing: &#39;man&#39;" in html and "71.3" in html
    assert "Missing: man" in html and "1 problem: 1 missing" in html
    assert "<small>−20.0</small>" in html and "not attributed <small>−10.0</small>" in html
    assert html.index("Missing: man") < html.index("words source") < html.index("<details")


def test_the_words_of_a_problem_have_its_number_on_both_sides() -> None:
    wrong = {"kind": "wrong", "source_tokens": [5], "output_tokens": [5], "source_text": "dogs", "output_text": "dog",
             "weight": 0.4}  # fmt: skip
    missing = {"kind": "missing", "source_tokens": [1, 2], "output_tokens": [], "source_text": "old man",
               "output_text": "", "weight": 0.0}  # fmt: skip
    view = view_item({**EVIDENCE, "findings": [wrong, missing]})
    words = [(word.text, word.finding, word.opens) for run in (*view.source, *view.output) for word in run.words]
    assert [word for word in words if word[1]] == [
        ("old", 2, True), ("man", 2, False), ("dogs", 1, True), ("dog", 1, True),
    ]  # fmt: skip
    html = item_html({**EVIDENCE, "findings": [wrong, missing], "not_attributed": 0.0}, {"meaning": 60.0})
    assert html.count('<sup class="no wrong">1</sup>') == 2 and html.count('<sup class="no lost">2</sup>') == 1
    assert html.count('data-f="1"') == 3, "the button, and a word on each side"


def test_scenes_links_and_their_scores_are_folded_away() -> None:
    plain, folded = item_html(EVIDENCE, {"meaning": 60.0, "sema": 12.34, "fluency": 56.78}).split("<details")
    assert "56.8" in plain and "12.3" not in plain and "main relation" not in plain
    assert "12.3" in folded and "main relation" in folded and " open" not in folded.split(">")[0]


@pytest.mark.parametrize(
    ("words", "text", "shown"),
    [
        (["It", "'s", "John", "."], "It's  John.", "It's John."),
        (["那", "座", "桥", "。"], "那座桥。", "那座桥。"),
        (["那", "座", "old", "bridge"], "", "那座old bridge"),
        (["(", "a", ",", "b", ")"], "", "(a, b)"),
        (["-LRB-", "a"], "(a", "-LRB- a"),
    ],
)
def test_words_stand_as_in_the_text(words: list[str], text: str, shown: str) -> None:
    assert "".join(gap + word for gap, word in zip(gaps(words, text), words, strict=True)) == shown


def test_shown_texts_are_escaped() -> None:
    html = item_html(
        {"source": ["<img src=x onerror=alert(1)>"], "sentences": [["{{ 7 * 7 }}"]]}, {"sema": float("nan")}, name="<s>"
    )
    assert "<img" not in html and "&lt;img" in html and "{{ 7 * 7 }}" in html and "&lt;s&gt;" in html
    assert item_html({"error": "<broken>"}, {}).count("&lt;broken&gt;") == 1


def test_the_words_of_a_chinese_participant_stand_together() -> None:
    center = {"tokens": [0, 1], "links": [[0, 0, "exact"], None]}
    scene = {"sentence": 0, "main_relation": [{"tokens": [2], "links": [None]}], "participants": [[center]]}
    for words, gap in ((["工程", "师", "检查"], ""), (["old", "man", "sleeps"], " ")):
        view = view_item({"source": words, "sentences": [words], "scenes": [scene], "links": [[]]})
        (_, (participant,)) = view.scenes[0].units[1]
        assert [word.gap for word in participant] == ["", gap]


def test_both_texts_and_every_piece_of_them_have_a_direction_of_their_own() -> None:
    center = {"tokens": [0], "links": [[0, 0, "synonym"]]}
    scene = {"sentence": 0, "main_relation": [center], "participants": [], "leaves": [0, 1]}
    wrong = {
        "kind": "wrong", "weight": 0.4, "source_text": "القط", "output_text": "كلب", "source_tokens": [0],
        "output_tokens": [0],
    }  # fmt: skip
    evidence = {
        "source": ["القط", "ينام"], "sentences": [["كلب", "ينام"]], "scenes": [scene], "links": [[[0, 0, "synonym"]]],
    }  # fmt: skip
    html = item_html({**evidence, "findings": [wrong], "not_attributed": 0.0}, {"meaning": 60.0})
    assert 'class="words source" dir="auto"' in html and 'class="words output" dir="auto"' in html
    assert "<bdi>Wrong: &#39;القط&#39;</bdi> → <bdi>&#39;كلب&#39;</bdi>" in html
    assert re.search(r'<span dir="auto"><\w+ class="k-synonym">القط<span class="arrow"> → </span><bdi>كلب</bdi>', html)
    plain = item_html({**evidence, "findings": [{**wrong, "source_text": "<b> → "}]}, {"meaning": 60.0})
    assert "<bdi>Wrong: &#39;&lt;b&gt;</bdi>" in plain and "<b>" not in plain.replace("<b>60.0</b>", "")
