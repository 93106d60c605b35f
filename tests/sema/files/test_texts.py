"""Columns of tables: what is ragged, ambiguous or without names is refused with its line, never guessed."""

import json
from typing import Any

import pytest

from sema.errors import InputError, SemaWarning
from sema.files.texts import Column, read_column, reference_rows
from tests.cases import as_tuple, cases
from tests.commands import write


def column(name: str, content: str | bytes, role: str = "source") -> Column:
    write(name, content)
    return read_column(name, role)


def parquet(**columns: Any) -> str:
    """A Parquet file of columns."""
    arrow = pytest.importorskip("pyarrow", reason="pip install pyarrow")
    pytest.importorskip("pyarrow.parquet", reason="pip install pyarrow").write_table(arrow.table(columns), "x.parquet")
    return "x.parquet"


def errors(texts: Column) -> dict[int, str]:
    pairs = zip(texts.lines, texts.values, strict=True)
    return {line: str(value) for line, value in pairs if isinstance(value, InputError)}


@pytest.mark.parametrize("extra", ["a,b,c", "a", ""])
def test_a_row_with_too_many_or_too_few_cells_is_an_error_in_its_place(extra: str) -> None:
    texts = column("x.csv", f"source,output\none,eins\n{extra}\ntwo,zwei\n")
    assert texts.values[::2] == ("one", "two")
    ((line, message),) = errors(texts).items()
    assert line == 3 and "x.csv:3: " in message and "2" in message


@cases("cells")
def test_cells_are_what_a_format_can_tell(name: str, content: str, values: tuple[object, ...]) -> None:
    assert as_tuple(column(name, content).values) == values


def test_a_missing_reference_is_left_out() -> None:
    columns = [
        column("x.csv", "reference,y\none,1\n,2\n", "reference"),
        column("y.jsonl", '{"reference": ["a", "b"]}\n{"reference": null}\n', "reference"),
    ]
    assert list(reference_rows(columns)) == [["one", "a", "b"], []]


def test_the_first_blank_reference_beside_others_costs_a_warning() -> None:
    columns = [
        column("x.txt", "one\n\n \nfour\n", "reference"),
        column(
            "y.jsonl",
            '{"reference": null}\n{"reference": ""}\n{"reference": ["a"]}\n{"reference": [" "]}\n',
            "reference",
        ),
    ]
    with pytest.warns(SemaWarning) as told:
        assert list(reference_rows(columns)) == [["one"], ["", ""], [" ", "a"], ["four", " "]]
    assert [str(one.message).partition(";")[0] for one in told] == [
        "x.txt:3: a blank reference counts as an empty text"
    ]


@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
@pytest.mark.parametrize("separator", [";", "\t", ",", "|"])
def test_cells_are_separated_as_in_the_header(name: str, separator: str) -> None:
    rows = [["source", "output"], ["one", "eins"], ["two", '"zwei"']]
    assert column(name, "".join(separator.join(row) + "\n" for row in rows), "output").values == ("eins", "zwei")


def test_the_line_of_a_row_counts_line_ends_in_quoted_cells() -> None:
    texts = column("x.csv", 'source,output\n"one\nmore",a\ntwo\n')
    assert texts.lines == (2, 4) and list(errors(texts)) == [4]


@cases("no_tables")
def test_files_that_are_no_table_of_their_kind_are_refused(name: str, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        column(name, content)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"source": "a", "source": "b"}', "has the key 'source' twice"),
        ('{"source": ' + "9" * 5000 + "}", "too many digits"),
        ("[" * 100_000, "nested too deeply"),
        ('{"source": 3}', "must be a string or a list of strings"),
        ('{"source"', "is not valid JSON"),
        ('{"text": "other"}', "has no 'source'"),
        ("null", ""),
    ],
)
def test_a_bad_row_of_jsonl_costs_itself_alone(row: str, message: str) -> None:
    good = [json.dumps({"source": text, "text": "other"}) for text in ("one", "two")]
    for line in (1, 2):
        texts = column("x.jsonl", "\n".join([*good[: line - 1], row, *good[line - 1 :]]))
        (said,) = errors(texts).values()
        assert f"x.jsonl:{line}: " in said and message in said
        assert [value for value in texts.values if isinstance(value, str)] == ["one", "two"]


def test_invalid_utf8_in_parquet_costs_its_row_alone() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = [b"one"] * 300 + [b"\xff\xfe", None]
    binary = pyarrow.array(rows, type=pyarrow.binary())
    texts = read_column(parquet(source=pyarrow.Array.from_buffers(pyarrow.string(), 302, binary.buffers())), "source")
    assert texts.values[:300] == ("one",) * 300
    assert "x.parquet:301: is not UTF-8" in errors(texts)[301] and texts.values[301] is None


def test_headings_are_found_without_regard_to_case() -> None:
    write("x.csv", "Source,Our Final,FINAL\none,two,three\n")
    found = [read_column(f"x.csv{named}", "source").values[0] for named in ("", ":source", ":our final", ":Final")]
    assert found == ["one", "one", "two", "three"]


def test_a_damaged_parquet_file_and_repeated_columns_are_refused() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match="is not a valid Parquet file"):
        column("x.parquet", b"PAR1 nothing")
    table = pyarrow.Table.from_arrays([pyarrow.array(["a"]), pyarrow.array(["b"])], names=["text", "text"])
    pytest.importorskip("pyarrow.parquet").write_table(table, "y.parquet")
    with pytest.raises(InputError, match="names the column 'text' twice"):
        read_column("y.parquet", "source")
