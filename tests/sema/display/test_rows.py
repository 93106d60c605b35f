"""Which sentences stand side by side, and what of a text's lines is kept."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema.display.pictures.items import gaps, view_item
from sema.display.pictures.pages import item_html
from sema.display.pictures.rows import rows_of

A, B = ["Dogs", "bark", "."], ["Cats", "sleep", "here", "."]
EVIDENCE: dict[str, Any] = {"source": [*A, *B], "source_sentences": [[0, 3], [3, 7]], "sentences": [A, B]}


@pytest.mark.parametrize(
    ("table", "outputs", "rows"),
    [
        ([[1, 0], [0, 1]], 2, [([0], [0]), ([1], [1])]),
        ([[1, 0, 0], [0, 1, 1]], 3, [([0], [0]), ([1], [1, 2])]),
        ([[1, 0], [1, 0], [0, 1]], 2, [([0, 1], [0]), ([2], [1])]),
        ([[1, 0], [0, 0], [0, 1]], 2, [([0], [0]), ([1], []), ([2], [1])]),
        ([[1, 0, 0], [0, 0, 1]], 3, [([0], [0]), ([], [1]), ([1], [2])]),
        ([[0, 1, 0], [0, 0, 1]], 3, [([], [0]), ([0], [1]), ([1], [2])]),
        ([[0, 0], [0, 0]], 2, [([0, 1], [0, 1])]),
        ([[0.5, 0.5]], 2, [([0], [0, 1])]),
        ([[], []], 0, [([0, 1], [])]),
    ],
)
def test_sentences_share_a_row_with_those_they_are_like(table: Any, outputs: int, rows: Any) -> None:
    assert [(list(row.source), list(row.output)) for row in rows_of(table, outputs)] == rows


@given(st.integers(1, 6), st.integers(0, 6), st.data())
def test_rows_have_every_sentence_once_and_in_order(sources: int, outputs: int, data: Any) -> None:
    share = st.sampled_from([0.0, 0.3, 0.6, 1.0])
    table = [[data.draw(share) for _ in range(outputs)] for _ in range(sources)]
    rows = rows_of(table, outputs)
    assert [source for row in rows for source in row.source] == list(range(sources))
    assert [output for row in rows for output in row.output] == list(range(outputs))


def test_sentences_stand_beside_those_they_are_like() -> None:
    view = view_item({**EVIDENCE, "sentences": [A, ["Cats", "sleep", "."], ["They", "sleep", "here", "."]]})
    shown = [
        ([word.text for run in row.source for word in run.words], [run.sentence for run in row.output])
        for row in view.rows
    ]
    assert shown == [(A, [0]), (B, [1, 2])]
    html = item_html(EVIDENCE, {})
    assert 'class="pair rows"' in html and html.count('<div class="cell"') == 4


def test_links_decide_where_they_are_there() -> None:
    links = [[[3, 0, "synonym"], [4, 1, "synonym"]], [[0, 0, "synonym"], [1, 1, "synonym"]]]
    other = {**EVIDENCE, "sentences": [["X", "y", "."], ["Z", "w", "."]], "links": links}
    assert len(view_item(other).rows) > 1 and len(view_item({**other, "links": [[], []]}).rows) == 1


def test_evidence_of_earlier_runs_is_one_row() -> None:
    old = {key: value for key, value in EVIDENCE.items() if key != "source_sentences"}
    assert len(view_item(old).rows) == 1 and "pair rows" not in item_html(old, {})


@pytest.mark.parametrize(
    ("text", "words", "blanks"),
    [
        ("Hours\n\n\n- nine\n- ten", ["Hours", "-", "nine", "-", "ten"], ["", "\n\n", " ", "\n", " "]),
        ("a \n \n b", ["a", "b"], ["", "\n\n"]),
        ("a" + "\n" * 40 + "b", ["a", "b"], ["", "\n\n"]),
        ("\n\na b", ["a", "b"], ["", " "]),
    ],
)
def test_line_ends_and_paragraphs_are_kept(text: str, words: list[str], blanks: list[str]) -> None:
    assert gaps(words, text) == blanks
    html = item_html({"source": words, "sentences": [words]}, {}, source_text=text, output_text=text)
    assert html.count("<br>") == 2 * sum(blank.count("\n") for blank in blanks)
