"""The view of an item: what it says of each word, which sentences stand side by side, and the verdict."""

import json
import re
from itertools import chain
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sema.display.pictures.items import gaps, view_item
from sema.display.pictures.pages import item_html
from sema.display.pictures.rows import rows_of
from sema.display.pictures.verdicts import verdict_of
from sema.model.meaning import plain_verdict, verdict
from tests.cases import cases
from tests.conftest import ROOT
from tests.sema.display.shown import center, finding

EVIDENCE: dict[str, Any] = json.loads((ROOT / "tests" / "data" / "evidence" / "item.json").read_text(encoding="utf-8"))
A, B = ["Dogs", "bark", "."], ["Cats", "sleep", "here", "."]
PAIRED: dict[str, Any] = {"source": [*A, *B], "source_sentences": [[0, 3], [3, 7]], "sentences": [A, B]}
SCHOOL = ["the", "school", "closed", "for", "two", "days", "in", "March"]


def test_words_and_scenes_are_kept_lost_and_added() -> None:
    view = view_item(EVIDENCE)
    source, output = view.source, list(chain(*view.output))
    assert [word.state for word in source] == ["kept", "lost", "kept", "kept", "", "kept", "kept", ""]
    assert [word.text for word in output if word.state == "added"] == ["A"]
    assert source[3].links == ((2, "synonym"),) and source[6].links == output[6].links == ((6, "form"),)
    assert view.counts == {"exact": 2, "lost": 1, "synonym": 1, "form": 2, "added": 1}
    assert [scene.state for scene in view.scenes] == ["partly", "kept", "lost"]


def test_findings_decide_where_they_are_there() -> None:
    evidence = {
        **EVIDENCE,
        "verdict": "1 problem: 1 missing",
        "findings": [finding("missing", "man", "", [2], [], 0.2)],
        "not_attributed": 0.1,
        "source_scenes": [
            {"tokens": [0, 1, 2, 3], "state": "partly", "because": [{"kind": "missing", "text": "'man'"}]},
            {"tokens": [5, 6], "state": "kept", "because": []},
        ],
    }
    view = view_item(evidence)
    assert [word.state for word in view.source][:4] == ["kept", "kept", "lost", "kept"]
    html = item_html(evidence, {"meaning": 71.26})
    assert "missing: &#39;man&#39;" in html and "71.3" in html
    assert "Missing: <bdi>man</bdi>" in html and "1 problem: 1 missing" in html
    assert "<small>−20.0</small>" in html and "not attributed <small>−10.0</small>" in html
    assert html.index("Missing: <bdi>man") < html.index("words source") < html.index("<details")


def test_the_words_of_a_problem_have_its_number_on_both_sides() -> None:
    found = [finding("wrong", "dogs", "dog", [5], [5], 0.4), finding("missing", "old man", "", [1, 2], [], 0.0)]
    view = view_item({**EVIDENCE, "findings": found})
    marked = [word for word in chain(view.source, *view.output) if word.finding]
    words = [(word.text, word.finding, word.opens) for word in marked]
    assert words == [("old", 2, True), ("man", 2, False), ("dogs", 1, True), ("dog", 1, True)]
    html = item_html({**EVIDENCE, "findings": found, "not_attributed": 0.0}, {"meaning": 60.0})
    assert html.count('<sup class="no wrong">1</sup>') == 2 and html.count('<sup class="no lost">2</sup>') == 1
    assert html.count('data-f="1"') == 3, "the button, and a word on each side"


@cases("gaps")
def test_words_stand_as_in_the_text_with_its_line_ends_and_paragraphs(words: list[str], text: str, shown: str) -> None:
    assert "".join(gap + word for gap, word in zip(gaps(words, text), words, strict=True)) == shown
    html = item_html({"source": words, "sentences": [words]}, {}, source_text=text, output_text=text)
    assert html.count("<br>") == 2 * shown.count("\n")


def test_shown_texts_are_escaped() -> None:
    texts = {"source": ["<img src=x onerror=alert(1)>"], "sentences": [["{{ 7 * 7 }}"]]}
    html = item_html(texts, {"sema": float("nan")}, name="<s>")
    assert "<img" not in html and "&lt;img" in html and "{{ 7 * 7 }}" in html and "&lt;s&gt;" in html
    assert item_html({"error": "<broken>"}, {}).count("&lt;broken&gt;") == 1


def test_both_texts_and_every_piece_of_them_have_a_direction_of_their_own() -> None:
    link = [0, 0, "synonym"]
    scene = {"sentence": 0, "main_relation": [center(0)], "participants": [], "leaves": [0, 1]}
    wrong = finding("wrong", "القط", "كلب", [0], [0], 0.4)
    evidence = {"source": ["القط", "ينام"], "sentences": [["كلب", "ينام"]], "scenes": [scene], "links": [[link]]}
    html = item_html({**evidence, "findings": [wrong], "not_attributed": 0.0}, {"meaning": 60.0})
    assert 'class="words source" dir="auto"' in html and 'class="words output" dir="auto"' in html
    assert "Wrong: '<bdi>القط</bdi>' → '<bdi>كلب</bdi>'" in html
    assert re.search(r'<span dir="auto"><\w+ class="k-synonym">القط<span class="arrow"> → </span><bdi>كلب</bdi>', html)
    plain = item_html({**evidence, "findings": [{**wrong, "source_text": "<b> → x"}]}, {"meaning": 60.0})
    assert "Wrong: '<bdi>&lt;b&gt;" in plain and "<b>" not in plain.replace("<b>60.0</b>", "")


@cases("sentence_rows")
def test_sentences_share_a_row_with_those_they_are_like(table: Any, outputs: int, rows: Any) -> None:
    assert tuple((tuple(row.source), tuple(row.output)) for row in rows_of(table, outputs)) == rows


@given(st.integers(1, 6), st.integers(0, 6), st.data())
def test_rows_have_every_sentence_once_and_in_order(sources: int, outputs: int, data: Any) -> None:
    share = st.sampled_from([0.0, 0.3, 0.6, 1.0])
    rows = rows_of([[data.draw(share) for _ in range(outputs)] for _ in range(sources)], outputs)
    assert [source for row in rows for source in row.source] == list(range(sources))
    assert [output for row in rows for output in row.output] == list(range(outputs))


def test_sentences_stand_beside_those_that_their_words_or_links_say() -> None:
    view = view_item({**PAIRED, "sentences": [A, ["Cats", "sleep", "."], ["They", "sleep", "here", "."]]})
    shown = [([word.text for word in row.source], row.output) for row in view.rows]
    assert shown == [(A, [0]), (B, [1, 2])]
    html = item_html(PAIRED, {})
    assert 'class="pair rows"' in html and html.count('<div class="cell"') == 4
    links = [[[3, 0, "synonym"], [4, 1, "synonym"]], [[0, 0, "synonym"], [1, 1, "synonym"]]]
    other = {**PAIRED, "sentences": [["X", "y", "."], ["Z", "w", "."]], "links": links}
    assert len(view_item(other).rows) > 1 and len(view_item({**other, "links": [[], []]}).rows) == 1


@cases("verdicts")
def test_the_verdict_says_what_was_found(output: str, score: float, found: Any, sentence: str, tone: str) -> None:
    words = output.split()
    findings = [
        finding(kind, " ".join(SCHOOL[at] for at in old), " ".join(words[at] for at in new), old, new, weight)
        for kind, old, new, weight in found
    ]
    said = plain_verdict(SCHOOL, words) or verdict(score, [kind for kind, *_ in found])
    given = {"source": SCHOOL, "sentences": [words], "scenes": [], "verdict": said, "findings": findings}
    shown = verdict_of(given, {"sema": 3.0, "meaning": score}, view_item(given))
    assert (shown.sentence, shown.tone, shown.metric) == (sentence, tone, "meaning")


def test_without_a_reader_the_scenes_are_counted() -> None:
    link = [1, 1, "exact"]
    scene = {"sentence": 0, "main_relation": [center(1)], "participants": []}
    evidence = {"source": SCHOOL, "sentences": [["the", "school"]], "scenes": [scene], "links": [[link]]}
    shown = verdict_of(evidence, {"sema": 75.0}, view_item(evidence))
    assert shown.sentence == "1 of 1 Scene kept whole; 7 words lost, 1 word added."
    assert (shown.tone, shown.metric, shown.score) == ("good", "sema", 75.0)
