"""Stories: every version has the labels that its marks say, and what is held out teaches nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from training.reader.example import ENTAILED, NEUTRAL, NOT_ENTAILED
from training.reader.stories import ACROSS, FOLDER, stories, within, written
from training.reader.words import any_cut

STORY = {
    "source": "The bridge was closed in May because of ice.",
    "good": "Ice was why the bridge was shut in May.",
    "side": "The bridge was shut because of ice.",
    "free": "The ice came in May because the bridge was closed.",
    "extra": "Ice shut the bridge in May. Boats ran instead.",
    "mostly": "The bridge opened in May.",
    "marks": {
        "side": ["in May"],
        "free": [["because of ice", "because the bridge was closed"]],
        "extra": ["Boats ran instead."],
    },
    "kinds": {"free": "cause"},
}


def test_versions_have_the_labels_of_their_marks(tmp_path: Path) -> None:
    file = tmp_path / "en_x.jsonl"
    file.write_text(f"{json.dumps({'source': 'held out'})}\n{json.dumps(STORY)}\n", encoding="utf-8")
    good, side, extra, free, mostly = written(file, str.split)
    assert (good.output_entailed, good.source_entailed) == (ENTAILED, ENTAILED) and set(good.source_words) == {1}
    assert [w for w, kept in zip(side.source.split(), side.source_words, strict=True) if not kept] == ["in", "May"]
    assert side.source_entailed == NEUTRAL and side.output_entailed == ENTAILED
    assert free.output_entailed == NOT_ENTAILED and free.output_words[-5:] == (0,) * 5
    assert extra.output_words == (1,) * 6 + (0,) * 3
    assert mostly.source_words == mostly.output_words == ()
    assert (
        good.same > side.same > extra.same > free.same > mostly.same and len({one.group for one in (good, free)}) == 1
    )


ABROAD = {
    "lang": "es",
    "source": "The bridge was closed in May.",
    "good": "El puente se cerró en mayo.",
    "good2": "En mayo cerraron el puente.",
    "main": "El puente se cerró.",
    "near": "El puente se cerró en junio.",
    "free": "En mayo abrieron el puente.",
    "extra": "El puente se cerró en mayo por obras.",
    "hint": "El viejo puente se cerró en mayo.",
    "mostly": "El puente abrió en junio.",
    "marks": {
        "main": ["in May"],
        "near": [["in May", "junio"]],
        "free": [["closed", "abrieron"]],
        "extra": ["por obras"],
        "hint": ["viejo"],
    },
}


def test_stories_across_languages_give_pairs_of_two_and_of_one(tmp_path: Path) -> None:
    file = tmp_path / "across.jsonl"
    file.write_text(f"{json.dumps({'source': 'held out'})}\n{json.dumps(ABROAD)}\n", encoding="utf-8")
    across = list(written(file, str.split, any_cut))
    assert {one.source for one in across} == {ABROAD["source"]} and len(across) == 8
    near = next(one for one in across if "junio" in one.output and one.source_words)
    assert near.source_words == (1, 1, 1, 1, 0, 0) and near.output_words == (1, 1, 1, 1, 1, 0)
    one_language = list(within(file, any_cut))
    assert {one.source for one in one_language} == {ABROAD["good"], ABROAD["good2"]}
    hint = next(one for one in one_language if "viejo" in one.output)
    assert hint.output_words == (1, 0, 1, 1, 1, 1, 1) and hint.source_words == () and hint.output_entailed == NEUTRAL
    assert len({one.group for one in one_language}) == 1


def test_words_without_spaces_are_cut_by_unicode() -> None:
    assert any_cut("El puente, en mayo.") == ("El", "puente,", "en", "mayo.")
    assert len(any_cut("橋は五月に閉鎖された。")) > 3


@pytest.mark.parametrize(
    "file", sorted([*FOLDER.glob("*.jsonl"), *ACROSS.glob("*.jsonl")]), ids=lambda file: str(file.name)
)
def test_marks_stand_in_their_texts(file: Path) -> None:
    for story in [*stories(file, held_out=True), *stories(file, held_out=False)]:
        for name, marks in story["marks"].items():
            for mark in marks:
                gone, more = name in ("short", "side", "main"), name in ("extra", "hint")
                lost, new = (mark, "") if gone else ("", mark) if more else mark
                assert lost in story["source"] and new in story[name], story["source"]
