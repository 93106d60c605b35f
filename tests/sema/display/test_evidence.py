"""Evidence in the terminal: the verdict, then each problem once, with its cost in points."""

import re
import sys

import pytest

from sema.display.terminal import print_evidence

EVIDENCE = {
    "item": 0,
    "source": ["The", "cat", "sat"],
    "sentences": [["A", "dog", "sat"]],
    "scenes": [],
    "verdict": "2 problems: 1 wrong · 1 missing",
    "findings": [
        {"kind": "wrong", "source_text": "cat", "output_text": "dog", "source_tokens": [1], "output_tokens": [1],
         "weight": 0.4},
        {"kind": "missing", "source_text": "The", "output_text": "", "source_tokens": [0], "output_tokens": [],
         "weight": 0.0},
    ],
    "not_attributed": 0.2,
    "source_words": [0.2, 0.1, 0.9],
    "output_words": [0.9, 0.1, 0.9],
}  # fmt: skip


def test_each_problem_is_printed_once_with_its_points(capsys: pytest.CaptureFixture[str]) -> None:
    print_evidence(EVIDENCE, {"meaning": 40.0}, "item 0 of system")
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[1:3] == ["item 0 of system: meaning 40.00", "2 problems: 1 wrong · 1 missing."]
    assert "Wrong: 'cat' → 'dog'  −40.0" in lines and "Missing: The" in lines
    assert "not attributed  −20.0" in lines
    assert lines[-2:] == ["source    [-The-] [!cat!] sat", "output 1  A [!dog!] sat"]


def test_a_word_is_lost_where_a_finding_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    scene = {"sentence": 0, "participants": [[{"tokens": [1], "links": [None]}]], "leaves": [1, 2],
             "main_relation": [{"tokens": [2], "links": [None]}]}  # fmt: skip
    print_evidence({**EVIDENCE, "scenes": [scene]}, {"meaning": 40.0}, "item 0 of system")
    shown = capsys.readouterr().out
    assert "sat (no link)" in shown and "cat (lost)" in shown


def test_texts_are_shown_as_they_were_written_and_marks_span_the_words_between(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = {"kind": "added", "source_text": "", "output_text": "a, b", "source_tokens": [], "weight": 0.1}
    evidence = {
        "item": 1, "scenes": [],
        "source": ["It", "(", "x", ")", "."], "sentences": [["It", ":", "a", ",", "b", "."], []],
        "verdict": "1 problem: 1 added", "findings": [{**found, "output_tokens": [2, 4]}], "not_attributed": 0.0,
    }  # fmt: skip
    print_evidence(evidence, {"meaning": 90.0}, "id 7", ("It (x).", "It: a, b."), brief=True)
    shown = capsys.readouterr().out
    assert "  source    It (x).\n  output 1  It: {+a, b+}.\n" in shown


def test_lines_break_between_words_where_a_terminal_ends(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("COLUMNS", "48"), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    words = ["closed"] * 9
    found = {"kind": "missing", "source_text": " ".join(words), "output_text": "", "source_tokens": list(range(9)),
             "output_tokens": [], "weight": 0.475}  # fmt: skip
    evidence = {**EVIDENCE, "source": words, "findings": [found], "source_words": [0.1] * 9}
    print_evidence(evidence, {"meaning": 40.0}, "item 0", brief=True)
    shown = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out).splitlines()
    assert max(map(len, shown)) <= 48
    assert "    closed closed closed closed  −47.5" in shown
    source = next(at for at, line in enumerate(shown) if line.startswith("  source    [-closed"))
    assert shown[source + 1].startswith(f"{'':12}closed") and shown[source + 1].endswith("closed-]")
