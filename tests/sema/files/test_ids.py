"""Rows of several files are joined by their ids, and no row is lost silently."""

import json
from pathlib import Path

import pytest

from sema.errors import InputError, SemaWarning
from sema.files.ids import in_order_of, spelled
from sema.files.texts import Column, open_column

SOURCES = "id,source\nx1,one\nx2,two\n"


def put_together(folder: Path, outputs: str, sources: str = SOURCES, *, complete: bool = False) -> Column:
    (folder / "sources.csv").write_text(sources, encoding="utf-8")
    (folder / "outputs.csv").write_text(outputs, encoding="utf-8")
    first = open_column(str(folder / "sources.csv"), "source")
    (column,) = in_order_of(first, [open_column(str(folder / "outputs.csv"), "output")], complete=complete)
    return column


def test_rows_are_put_in_the_order_of_the_first_file(tmp_path: Path) -> None:
    column = put_together(tmp_path, "id,output\nx2,second\nx1,first\n")
    assert (list(column.values), list(column.lines)) == (["first", "second"], [3, 2])
    assert column.ids == {"id": ["x1", "x2"]}


@pytest.mark.parametrize("heading", ["ID", " id ", "sent_id", "Sent-ID", "item", "Sentence Id"])
def test_headings_of_ids_may_differ(tmp_path: Path, heading: str) -> None:
    column = put_together(tmp_path, f"{heading},output\nx2,second\nx1,first\n")
    assert list(column.values) == ["first", "second"]


def test_the_heading_that_both_files_have_counts(tmp_path: Path) -> None:
    sources = "id,sent_id,source\n7,a,one\n8,b,two\n"
    column = put_together(tmp_path, "sent_id,output\nb,second\na,first\n", sources)
    assert list(column.values) == ["first", "second"]


@pytest.mark.parametrize(("first", "second"), [("A", "a"), (" x", "x "), ("1", "1.0"), ("-2.00", "-2"), ("ß", "SS")])
def test_ids_are_compared_as_spelled_in_one_way(tmp_path: Path, first: str, second: str) -> None:
    assert spelled(first) == spelled(second)
    column = put_together(tmp_path, f"id,output\n9,second\n{second},first\n", f"id,source\n{first},one\n9,two\n")
    assert list(column.values) == ["first", "second"]


@pytest.mark.parametrize(("first", "second"), [(1, 1.0), (1, "1"), (10, "10.0"), (True, "true")])
def test_numbers_and_texts_of_json_are_the_same_id(tmp_path: Path, first: object, second: object) -> None:
    (tmp_path / "s.jsonl").write_text(
        "".join(json.dumps({"id": key, "source": "x"}) + "\n" for key in (first, "z")), encoding="utf-8"
    )
    (tmp_path / "o.jsonl").write_text(
        "".join(json.dumps({"id": key, "output": str(key)}) + "\n" for key in ("z", second)), encoding="utf-8"
    )
    (column,) = in_order_of(
        open_column(str(tmp_path / "s.jsonl"), "source"), [open_column(str(tmp_path / "o.jsonl"), "output")]
    )
    assert list(column.values) == [str(second), "z"]


def test_ids_that_differ_in_capitals_alone_stay_apart(tmp_path: Path) -> None:
    column = put_together(tmp_path, "id,output\na,small\nA,large\n", "id,source\nA,one\na,two\n")
    assert list(column.values) == ["large", "small"]


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ("id,output\ny1,first\ny2,second\n", "has no id of .*sources.csv: 'y1', 'y2' here, 'x1', 'x2' there"),
        ("id,output\nx2,second\n", "has no row with the id 'x1', which .*sources.csv has"),
        ("id,output\nx2,second\nx1,first\nx2,third\n", "outputs.csv:4: has the id 'x2' a second time"),
        ("id,output\nx2,second\n,first\n", "outputs.csv:3: has no id; give every row one"),
        ("output\nfirst\n", "has 1 item but .*sources.csv has 2"),
    ],
)
def test_rows_that_do_not_go_together_are_refused(tmp_path: Path, outputs: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        put_together(tmp_path, outputs)


def test_rows_that_the_first_file_lacks_are_named(tmp_path: Path) -> None:
    outputs = "id,output\nx2,second\nx3,third\nx1,first\n"
    with pytest.warns(SemaWarning, match="has the id 'x3', which .*sources.csv has not; these rows are left out"):
        assert list(put_together(tmp_path, outputs).values) == ["first", "second"]
    with pytest.raises(InputError, match=r"outputs.csv:3: has the id 'x3'.*take such rows out"):
        put_together(tmp_path, outputs, complete=True)


@pytest.mark.parametrize("outputs", ["output\nfirst\nsecond\n", "id,output\n,first\n,second\n"])
def test_files_without_ids_keep_their_order(tmp_path: Path, outputs: str) -> None:
    assert list(put_together(tmp_path, outputs).values) == ["first", "second"]


def test_a_repeated_id_is_fine_where_both_files_have_the_same_rows(tmp_path: Path) -> None:
    column = put_together(tmp_path, "id,output\nx,first\nx,second\n", "id,source\nx,one\nx,two\n")
    assert list(column.values) == ["first", "second"]


def test_a_row_that_cannot_be_read_is_named_where_its_id_would_be_needed(tmp_path: Path) -> None:
    outputs = "id,output\nx1,first\nx2,second,more\n"
    values = put_together(tmp_path, outputs).values
    assert values[0] == "first" and isinstance(values[1], InputError)
    with pytest.raises(InputError, match=r"outputs.csv:3: has 3 cells"):
        put_together(tmp_path, outputs.replace("x1", "x2"))
