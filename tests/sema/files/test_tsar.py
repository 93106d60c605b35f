import json
from pathlib import Path

import pytest

from sema.errors import InputError
from sema.files.texts import open_targets
from sema.files.tsar import is_submission, read_submissions

SHARED = {"original": "He perished.", "reference": "He died."}
ROWS: list[dict[str, object]] = [
    {**SHARED, "text_id": "01-a2", "target_cefr": "A2", "simplified": "He died."},
    {**SHARED, "text_id": "01-b1", "target_cefr": "B1", "simplified": "He is dead."},
]


def write(path: Path, rows: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_a_submission_with_its_originals(tmp_path: Path) -> None:
    path = write(tmp_path / "team.jsonl", ROWS)
    assert is_submission(path)
    submissions = read_submissions([path])
    assert list(submissions.source.values) == ["He perished."] * 2
    assert [list(column.values) for column in submissions.outputs] == [["He died.", "He is dead."]]
    assert [list(column.values) for column in submissions.references] == [["He died."] * 2]
    assert list(submissions.targets) == ["A2", "B1"]


def test_lines_are_put_together_by_text_id(tmp_path: Path) -> None:
    test = write(tmp_path / "test.jsonl", [{k: v for k, v in row.items() if k != "simplified"} for row in ROWS])
    short = [{"text_id": row["text_id"], "simplified": row["simplified"]} for row in reversed(ROWS)]
    team = write(tmp_path / "team.jsonl", short)
    assert not is_submission(team)
    submissions = read_submissions([team], test)
    assert list(submissions.outputs[0].values) == ["He died.", "He is dead."]
    assert list(submissions.outputs[0].lines) == [2, 1]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (ROWS[:1], "has no text '01-b1', which test.jsonl has"),
        ([*ROWS, {**ROWS[0], "text_id": "02-a2"}], "has a text '02-a2', which test.jsonl has not"),
        ([*ROWS, ROWS[0]], "team.jsonl:3: has the text_id '01-a2' twice"),
        ([{"simplified": "He died."}], "team.jsonl:1: has no 'text_id'"),
    ],
)
def test_mismatches_are_named(tmp_path: Path, rows: list[dict[str, object]], message: str) -> None:
    test, team = write(tmp_path / "test.jsonl", ROWS), write(tmp_path / "team.jsonl", rows)
    with pytest.raises(InputError, match=message):
        read_submissions([team], test)


def test_a_missing_level_is_that_items_error(tmp_path: Path) -> None:
    path = write(tmp_path / "team.jsonl", [{**ROWS[0], "target_cefr": ""}, ROWS[1]])
    error, level = read_submissions([path]).targets
    assert isinstance(error, InputError) and "has no level under 'target_cefr'" in error.message
    assert level == "B1"


def test_targets_in_a_column(tmp_path: Path) -> None:
    (tmp_path / "sources.csv").write_text("source,target_cefr\nHe perished.,A2\nShe left.,\n", encoding="utf-8")
    (tmp_path / "plain.txt").write_text("He died.\nShe left.\n", encoding="utf-8")
    targets = open_targets([str(tmp_path / "plain.txt"), str(tmp_path / "sources.csv")])
    assert targets is not None and list(targets.values) == ["A2", None]
    assert open_targets([str(tmp_path / "plain.txt")]) is None
