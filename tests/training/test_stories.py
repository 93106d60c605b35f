"""Stories: every version has the labels that its marks say, and what is held out teaches nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from training.reader.example import ENTAILED, NEUTRAL, NOT_ENTAILED
from training.reader.stories import FOLDER, stories, written

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


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.jsonl")), ids=lambda file: str(file.name))
def test_marks_stand_in_their_texts(file: Path) -> None:
    for story in [*stories(file, held_out=True), *stories(file, held_out=False)]:
        for name, marks in story["marks"].items():
            for mark in marks:
                lost, new = (mark, "") if name in ("side", "main") else ("", mark) if name == "extra" else mark
                assert lost in story["source"] and new in story[name], story["source"]
