"""Readers' marks against listed problems: which are found, found of their kind, missed and false."""

from __future__ import annotations

from benchmarks.judges.problems import Counts, Marked, listed, shared

SOURCE, OUTPUT = "Do not use it after May 5, please.", "Use it after May 6, my friend."


def places(source: str = "", output: str = "") -> tuple[frozenset[int], frozenset[int]]:
    def letters(text: str, words: str) -> frozenset[int]:
        start = text.index(words)
        return frozenset(at for at in range(start, start + len(words)) if text[at].isalnum())

    return letters(SOURCE, source), letters(OUTPUT, output)


def finding(kind: str, source: str = "", output: str = "") -> dict[str, object]:
    spans = [[[text.index(words), text.index(words) + len(words)]] if words else []
             for text, words in ((SOURCE, source), (OUTPUT, output))]  # fmt: skip
    return {"kind": kind, "source": spans[0], "output": spans[1]}


def test_half_of_the_letters_of_the_shorter_one_in_either_text() -> None:
    assert shared(places(source="please"), places(source="May 5, please"))
    assert shared(places("not use it", "Use it"), places(output="Use"))
    assert not shared(places(source="not use it"), places(source="it after May"))
    assert not shared(places(source="please"), places(output="my friend"))


def test_problems_are_counted_by_kind() -> None:
    marks = [("wrong", places("Do not use", "Use")), ("missing", places("please")), ("wrong", places("5", "6"))]
    pair = Marked(SOURCE, OUTPUT, marks)
    problems = listed(pair, [finding("missing", "not"), finding("missing", "please"), finding("added", "", "friend")])
    counted = {}
    for kind in ("wrong", "missing", "added"):
        counted[kind] = Counts()
        counted[kind].add(kind, pair.marks, problems)
    found = {kind: (one.marks, one.found, one.named, one.listed, one.false) for kind, one in counted.items()}
    assert found == {"wrong": (2, 1, 0, 0, 0), "missing": (1, 1, 1, 2, 0), "added": (0, 0, 0, 1, 1)}
    assert counted["wrong"].row()["missed"] == 1 and counted["added"].row()["false, %"] == 100
