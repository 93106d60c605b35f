from __future__ import annotations

import numpy as np
import pytest

from benchmarks.judges.agreement import pearson_interval, person
from benchmarks.judges.problems import Counts, Marked, listed
from benchmarks.overlap import Overlap, overlap
from benchmarks.papers.printed import READ, SCORED, graph


def test_precision_recall_and_f1_over_items() -> None:
    counts = overlap([{(0, 0), (1, 1)}, {(0, 1)}], [{(0, 0)}, {(0, 0), (0, 1), (2, 2)}])
    assert counts == Overlap(both=2, predicted=3, gold=4)
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx((2 / 3, 2 / 4, 4 / 7))
    assert overlap([["a", "a", "b"]], [["a", "c"]]) == Overlap(1, 3, 2), "repeated tokens count twice"
    assert overlap([[]], [[]]).f1 == 0


def test_copies_of_items_make_no_interval_narrower() -> None:
    x, noise = np.random.default_rng(1).normal(size=(2, 60))
    y, sources = x + noise, list(range(60))
    low, high = pearson_interval(x, y, sources)
    assert low < np.corrcoef(x, y)[0, 1] < high
    assert pearson_interval(np.tile(x, 5), np.tile(y, 5), sources * 5) == pytest.approx((low, high))


def test_a_rater_is_compared_with_the_others_alone() -> None:
    figure, (low, high), count = person([[1, 1, 1], [3, 3, 3], [2, 2], [5]], ["a", "b", "c", "d"])
    assert figure == pytest.approx(1) and count == 8 and low <= high <= 1 + 1e-9
    assert person([[1, 3], [3, 1], [1, 3], [3, 1]], list("abcd"))[0] == pytest.approx(-1)


SOURCE, OUTPUT = "Do not use it after May 5, please.", "Use it after May 6, my friend."


def span(text: str, words: str) -> list[int]:
    return [text.index(words), text.index(words) + len(words)]


def places(source: str = "", output: str = "") -> tuple[frozenset[int], ...]:
    """The letters of words of both texts."""
    given = ((SOURCE, source), (OUTPUT, output))
    return tuple(frozenset(at for at in range(*span(text, words)) if text[at].isalnum()) for text, words in given)


def finding(kind: str, source: str = "", output: str = "") -> dict[str, object]:
    both = {"source": (SOURCE, source), "output": (OUTPUT, output)}
    return {"kind": kind, **{side: [span(text, words)] if words else [] for side, (text, words) in both.items()}}


def test_problems_are_counted_by_kind() -> None:
    marks = [("wrong", places("Do not use", "Use")), ("missing", places("please")), ("wrong", places("5", "6"))]
    pair = Marked(SOURCE, OUTPUT, marks)
    problems = listed(pair, [finding("missing", "not"), finding("missing", "please"), finding("added", "", "friend")])
    counted = {kind: Counts() for kind in ("wrong", "missing", "added")}
    for kind, counts in counted.items():
        counts.add(kind, pair.marks, problems)
    found = {kind: (one.marks, one.found, one.named, one.listed, one.false) for kind, one in counted.items()}
    assert found == {"wrong": (2, 1, 0, 0, 0), "missing": (1, 1, 1, 2, 0), "added": (0, 0, 0, 1, 1)}
    assert counted["wrong"].row()["missed"] == 1 and counted["added"].row()["false, %"] == 100


def test_every_structure_is_of_its_example_s_words() -> None:
    for example in SCORED:
        if example.structure:
            assert "".join(graph(example.structure).tokens) == "".join(example.source.split())
    assert all(graph(structure).scenes() for structures in READ.values() for structure in structures)
