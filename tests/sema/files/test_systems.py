"""Several systems in one table or folder, and rows that are joined by their ids."""

from pathlib import Path

import pytest

from sema.errors import InputError, UsageError
from sema.files.texts import open_outputs, system_names

TABLE = "id,source,A,B\nx1,one,1a,1b\nx2,two,2a,2b\n"


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "sys.csv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def test_columns_of_one_table_are_systems(table: str) -> None:
    for specs in ([f"{table}:A,B"], [f"{table}:A", f"{table}:B"]):
        columns = open_outputs(specs)
        assert system_names(columns) == ["sys.csv:A", "sys.csv:B"]
        assert [list(column.values) for column in columns] == [["1a", "2a"], ["1b", "2b"]]


def test_a_single_column_is_called_after_its_file(table: str) -> None:
    assert system_names(open_outputs([f"{table}:A"])) == ["sys.csv"]
    assert system_names([]) == []


def test_the_files_of_a_folder_are_systems(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden"):
        (tmp_path / name).write_text("one\n", encoding="utf-8")
    assert system_names(open_outputs([str(tmp_path)])) == ["a.txt", "b.txt"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="without files"):
        open_outputs([str(tmp_path / "empty")])


def test_equal_names_have_their_paths_and_columns(tmp_path: Path) -> None:
    paths = [tmp_path / name / "sys.csv" for name in ("p", "q")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(TABLE, encoding="utf-8")
    assert system_names(open_outputs([f"{path}:A,B" for path in paths])) == [
        f"{path}:{column}" for path in paths for column in "AB"
    ]
    assert system_names(open_outputs([f"{paths[0]}:A", f"{paths[1]}:B"])) == ["sys.csv:A", "sys.csv:B"]
    assert system_names(open_outputs([f"{path}:A" for path in paths])) == [f"{path}:A" for path in paths]
    with pytest.raises(UsageError, match="given twice"):
        system_names(open_outputs([f"{paths[0]}:A", f"{paths[0]}:A"]))


def test_a_column_whose_name_has_a_comma_is_one_column(tmp_path: Path) -> None:
    path = tmp_path / "sys.csv"
    path.write_text('source,"A,B"\none,1ab\n', encoding="utf-8")
    assert [list(column.values) for column in open_outputs([f"{path}:A,B"])] == [["1ab"]]
