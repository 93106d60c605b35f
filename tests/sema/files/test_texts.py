"""Columns of tables: what is ragged, ambiguous or without names is refused with its line, never guessed."""

import gc
import json
import pickle
import weakref
from pathlib import Path

import pytest

from sema.errors import InputError
from sema.files.blocks import BLOCK
from sema.files.tables import ParquetTable
from sema.files.texts import Column, open_column, read_column, read_rows, reference_rows
from tests.cases import cases


def write(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def column(folder: Path, name: str, content: str | bytes, role: str = "source") -> Column:
    return read_column(write(folder, name, content), role)


def errors(texts: Column) -> dict[int, str]:
    return {
        line: str(value) for line, value in zip(texts.lines, texts.values, strict=True) if isinstance(value, InputError)
    }


@pytest.mark.parametrize("extra", ["a,b,c", "a", ""])
def test_a_row_with_too_many_or_too_few_cells_is_an_error_in_its_place(tmp_path: Path, extra: str) -> None:
    texts = column(tmp_path, "x.csv", f"source,output\none,eins\n{extra}\ntwo,zwei\n")
    assert texts.values[0] == "one" and texts.values[2] == "two"
    ((line, message),) = errors(texts).items()
    assert line == 3 and "x.csv:3: " in message and "2" in message


def test_blank_lines_at_the_end_are_no_rows_but_in_a_single_column_they_are_empty_cells(tmp_path: Path) -> None:
    assert column(tmp_path, "x.csv", "source,output\none,eins\n\n\n").values == ("one",)
    assert column(tmp_path, "y.csv", "source\none\n\ntwo\n").values == ("one", None, "two")


def test_an_empty_cell_and_null_are_a_missing_text_in_every_format(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="pip install pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pip install pyarrow")
    parquet.write_table(arrow.table({"output": ["one", None, "two"]}), tmp_path / "x.parquet")
    columns = [
        column(tmp_path, "x.csv", 'output\none\n""\ntwo\n', "output"),
        column(tmp_path, "x.jsonl", '{"output": "one"}\n{"output": null}\n{"output": "two"}\n', "output"),
        read_column(str(tmp_path / "x.parquet"), "output"),
    ]
    assert [one.values for one in columns] == [("one", None, "two")] * 3


def test_an_empty_text_is_not_missing_where_the_format_can_tell(tmp_path: Path) -> None:
    assert column(tmp_path, "x.jsonl", '{"output": "one"}\n{"output": ""}\n', "output").values == ("one", "")
    assert column(tmp_path, "x.txt", "one\n\ntwo\n", "output").values == ("one", "", "two")


def test_a_missing_reference_is_left_out(tmp_path: Path) -> None:
    columns = [
        column(tmp_path, "x.csv", "reference,y\none,1\n,2\n", "reference"),
        column(tmp_path, "y.jsonl", '{"reference": ["a", "b"]}\n{"reference": null}\n', "reference"),
    ]
    assert list(reference_rows(columns)) == [["one", "a", "b"], []]


@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
@pytest.mark.parametrize("separator", [";", "\t", ",", "|"])
def test_cells_are_separated_as_in_the_header(tmp_path: Path, name: str, separator: str) -> None:
    rows = [["source", "output"], ["one", "eins"], ["two", '"zwei"']]
    content = "".join(separator.join(row) + "\n" for row in rows)
    assert column(tmp_path, name, content, "output").values == ("eins", "zwei")


def test_quotation_marks_are_characters_where_cells_separated_by_tabs_are_not_quoted(tmp_path: Path) -> None:
    said = 'source\tid\n"No", she said.\t1\n"Yes\t2\nend"\t3\n'
    assert column(tmp_path, "x.tsv", said).values == ('"No", she said.', '"Yes', 'end"')
    spanning = 'id\tsource\n1\t"Yes\n2\tend"\n'
    assert column(tmp_path, "y.tsv", spanning).values == ('"Yes', 'end"')


def test_quoted_cells_separated_by_tabs_are_unquoted(tmp_path: Path) -> None:
    quoted = 'source\tid\n"a ""b"" c"\t1\n"one\ttwo"\t2\n"three\nfour"\t3\n'
    assert column(tmp_path, "x.tsv", quoted).values == ('a "b" c', "one\ttwo", "three\nfour")


def test_a_quoted_cell_of_several_lines_is_one_where_the_names_are_quoted(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text('"source"\n"one\ntwo"\n', encoding="utf-8")
    assert list(read_column(str(tmp_path / "a.tsv"), "source").values) == ["one\ntwo"]


def test_the_line_of_a_row_counts_line_ends_in_quoted_cells(tmp_path: Path) -> None:
    texts = column(tmp_path, "x.csv", 'source,output\n"one\nmore",a\ntwo\n')
    assert texts.lines == (2, 4) and list(errors(texts)) == [4]


@cases("no_tables")
def test_files_that_are_no_table_of_their_kind_are_refused(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        column(tmp_path, name, content)


def test_no_single_row_of_jsonl_decides_for_another_column(tmp_path: Path) -> None:
    rows = [{"text": "other"}, {"source": "one", "text": "other"}, {"source": "two", "text": "other"}]
    texts = column(tmp_path, "x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert texts.values[1:] == ("one", "two")
    assert "x.jsonl:1: has no 'source'" in errors(texts)[1]


def test_rows_that_are_no_objects_among_objects_are_errors(tmp_path: Path) -> None:
    texts = column(tmp_path, "x.jsonl", '"alone"\n{"source": "one"}\nnull\n')
    assert list(errors(texts)) == [1, 3]
    assert column(tmp_path, "y.jsonl", '"alone"\n["two", "sentences"]\n').values == ("alone", ["two", "sentences"])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"source": "a", "source": "b"}', "has the key 'source' twice"),
        ('{"source": ' + "9" * 5000 + "}", "too many digits"),
        ("[" * 100_000, "nested too deeply"),
        ('{"source": 3}', "neither a text nor a list"),
        ('{"source"', "is not valid JSON"),
    ],
)
def test_a_bad_row_of_jsonl_costs_itself_alone(tmp_path: Path, row: str, message: str) -> None:
    texts = column(tmp_path, "x.jsonl", f'{{"source": "one"}}\n{row}\n{{"source": "two"}}\n')
    assert texts.values[::2] == ("one", "two")
    assert message in errors(texts)[2] and "x.jsonl:2: " in errors(texts)[2]


def test_invalid_utf8_in_parquet_costs_its_row_alone(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = [b"one"] * 300 + [b"\xff\xfe", None]
    binary = pyarrow.array(rows, type=pyarrow.binary())
    broken = pyarrow.Array.from_buffers(pyarrow.string(), len(rows), binary.buffers())
    parquet.write_table(pyarrow.table({"source": broken}), tmp_path / "x.parquet")
    texts = read_column(str(tmp_path / "x.parquet"), "source")
    assert texts.values[:300] == ("one",) * 300
    assert "x.parquet:301: is not UTF-8" in errors(texts)[301] and texts.values[301] is None


def test_a_damaged_parquet_file_and_repeated_columns_are_refused(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    with pytest.raises(InputError, match="is not a valid Parquet file"):
        column(tmp_path, "x.parquet", b"PAR1 nothing")
    table = pyarrow.Table.from_arrays([pyarrow.array(["a"]), pyarrow.array(["b"])], names=["text", "text"])
    parquet.write_table(table, tmp_path / "y.parquet")
    with pytest.raises(InputError, match="names the column 'text' twice"):
        read_column(str(tmp_path / "y.parquet"), "source")


def test_rows_for_meta_evaluation_are_refused_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x\.csv:3: has 1 cell but the first line names 2 columns"):
        read_rows(write(tmp_path, "x.csv", "item,score\n1,2\n3\n"))


def test_parquet_files_with_fewer_rows_than_declared_are_refused(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "x.parquet"
    parquet.write_table(pyarrow.table({"source": ["a", "b", "c"]}), path)
    column = open_column(str(path), "source")
    column.values._sequences[0]._length = 5  # as damaged metadata say
    column.values._length = 5
    with pytest.raises(InputError, match="says that it has 5 rows"):
        list(column.values)


def test_parquet_files_are_read_once_by_one_who_steps_back_a_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    texts = [f"text {number}" for number in range(20 * BLOCK)]
    parquet.write_table(pyarrow.table({"source": texts}), tmp_path / "x.parquet")
    values, starts, plain = open_column(str(tmp_path / "x.parquet"), "source").values, [], ParquetTable._read
    monkeypatch.setattr(ParquetTable, "_read", lambda table, start: starts.append(start) or plain(table, start))
    places = [place for end in range(8, 20) for place in range((end - 8) * BLOCK, end * BLOCK, BLOCK)]
    assert [values[place] for place in places] == [texts[place] for place in places]
    assert starts == [0]


@pytest.mark.parametrize(("name", "content"), [("x.txt", "a\nb\n"), ("x.csv", "source,y\na,1\nb,2\n")])
def test_a_column_pickles_and_is_freed_without_the_garbage_collector(tmp_path: Path, name: str, content: str) -> None:
    texts = open_column(write(tmp_path, name, content), "source")
    assert list(pickle.loads(pickle.dumps(texts)).values) == ["a", "b"] == list(texts.values)
    values = weakref.ref(texts.values)
    gc.disable()
    try:
        del texts
        assert values() is None
    finally:
        gc.enable()
