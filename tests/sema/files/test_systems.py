"""Several systems in one table or folder, and rows of several files that are joined by their ids: none is lost."""

import json
import warnings
from pathlib import Path

import pytest

from sema.errors import InputError, SemaWarning, UsageError
from sema.files.ids import in_order_of
from sema.files.texts import Column, open_column, open_outputs, open_targets, system_names
from tests.cases import cases
from tests.commands import write

TABLE = "id,source,A,B\nx1,one,1a,1b\nx2,two,2a,2b\n"


def test_columns_of_one_table_are_systems() -> None:
    write("sys.csv", TABLE)
    for specs in (["sys.csv:A,B"], ["sys.csv:A", "sys.csv:B"]):
        columns = open_outputs(specs)
        assert system_names(columns) == ["sys.csv:A", "sys.csv:B"]
        assert [list(column.values) for column in columns] == [["1a", "2a"], ["1b", "2b"]]
    assert system_names(open_outputs(["sys.csv:A"])) == ["sys.csv"]
    write("one.csv", 'source,"A,B"\none,1ab\n')
    assert [list(column.values) for column in open_outputs(["one.csv:A,B"])] == [["1ab"]]


def test_the_files_of_a_folder_are_systems(folder: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden"):
        write(name, "one\n")
    assert system_names(open_outputs([str(folder)])) == ["a.txt", "b.txt"]
    Path("empty").mkdir()
    with pytest.raises(InputError, match="without files"):
        open_outputs(["empty"])


def test_equal_names_have_their_paths_and_columns() -> None:
    for name in ("p", "q"):
        Path(name).mkdir()
        write(f"{name}/sys.csv", TABLE)
    for specs, names in (
        (["p/sys.csv:A,B", "q/sys.csv:A,B"], ["p/sys.csv:A", "p/sys.csv:B", "q/sys.csv:A", "q/sys.csv:B"]),
        (["p/sys.csv:A", "q/sys.csv:B"], ["sys.csv:A", "sys.csv:B"]),
        (["p/sys.csv:A", "q/sys.csv:A"], ["p/sys.csv:A", "q/sys.csv:A"]),
    ):
        assert system_names(open_outputs(specs)) == names
    with pytest.raises(UsageError, match="given twice"):
        system_names(open_outputs(["p/sys.csv:A", "p/sys.csv:A"]))


# Ids


def put_together(outputs: str, sources: str = "id,source\nx1,one\nx2,two\n", *, complete: bool = False) -> Column:
    write("sources.csv", sources)
    write("outputs.csv", outputs)
    first = open_column("sources.csv", "source")
    (column,) = in_order_of(first, [open_column("outputs.csv", "output")], complete=complete)
    return column


def test_rows_are_put_in_the_order_of_the_first_file() -> None:
    column = put_together("id,output\nx2,second\nx1,first\n")
    assert (list(column.values), list(column.lines)) == (["first", "second"], [3, 2])
    assert column.ids == {"id": ["x1", "x2"]}


@cases("rows_that_find_each_other")
@pytest.mark.filterwarnings("ignore:.*has no ids, but")
def test_rows_find_each_other_however_their_ids_are_spelled(outputs: str, sources: str) -> None:
    assert list(put_together(outputs, sources).values) == ["first", "second"]


@pytest.mark.parametrize(("first", "second"), [(1, 1.0), (10, "10.0"), (True, "true")])
def test_numbers_and_texts_of_json_are_the_same_id(first: object, second: object) -> None:
    write("s.jsonl", "".join(json.dumps({"id": key, "source": "x"}) + "\n" for key in (first, "z")))
    write("o.jsonl", "".join(json.dumps({"id": key, "output": str(key)}) + "\n" for key in ("z", second)))
    (column,) = in_order_of(open_column("s.jsonl", "source"), [open_column("o.jsonl", "output")])
    assert list(column.values) == [str(second), "z"]


@cases("rows_that_do_not_go_together")
@pytest.mark.filterwarnings("ignore:.*has no ids, but")
def test_rows_that_do_not_go_together_are_refused(outputs: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        put_together(outputs)


def test_a_row_that_cannot_be_read_is_an_error_in_its_place_where_its_id_is_not_needed() -> None:
    values = put_together("id,output\nx1,first\nx2,second,more\n").values
    assert values[0] == "first" and isinstance(values[1], InputError)


def test_rows_that_the_first_file_lacks_are_named() -> None:
    outputs = "id,output\nx2,second\nx3,third\nx1,first\n"
    with pytest.warns(SemaWarning, match="has the id 'x3', which .*sources.csv lacks; these rows are left out"):
        assert list(put_together(outputs).values) == ["first", "second"]
    with pytest.raises(InputError, match=r"outputs.csv:3: has the id 'x3'.*take such rows out"):
        put_together(outputs, complete=True)


def test_target_levels_are_a_column_of_any_file() -> None:
    write("sources.csv", "source,target_cefr\nHe perished.,A2\nShe left.,\n")
    write("plain.txt", "He died.\nShe left.\n")
    targets = open_targets(["plain.txt", "sources.csv"])
    assert targets is not None and list(targets.values) == ["A2", None]
    assert open_targets(["plain.txt"]) is None
    write("two.csv", "id,A,B,target_cefr\nx1,He died.,Dead.,A2\nx2,She left.,Left.,B1\n")
    targets = open_targets(["plain.txt", "two.csv:A,B"])
    assert targets is not None and (list(targets.values), list(targets.ids["id"])) == (["A2", "B1"], ["x1", "x2"])


def test_a_table_without_ids_beside_one_with_ids_costs_a_warning() -> None:
    write("sources.csv", "ID,source\nx1,a\nx2,b\n")
    write("outputs.csv", "index,output\nx2,B\nx1,A\n")
    write("outputs.txt", "A\nB\n")
    first = open_column("sources.csv", "source")
    with pytest.warns(
        SemaWarning, match="outputs.csv: has no ids, .* taken in their order; name its column of ids 'ID'"
    ):
        (column,) = in_order_of(first, [open_column("outputs.csv", "output")])
    assert list(column.values) == ["B", "A"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        in_order_of(first, [open_column("outputs.txt", "output")])
