"""Excel and Word files as people have them: which rows and paragraphs are items, and what is refused in one line."""

import datetime
import zipfile
from typing import Any

import pytest

from sema.errors import InputError, SemaWarning
from sema.files.texts import open_outputs, read_column
from tests.cases import cases
from tests.commands import write

openpyxl = pytest.importorskip("openpyxl")
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def workbook(*sheets: list[list[Any]]) -> str:
    book = openpyxl.Workbook()
    for number, rows in enumerate(sheets):
        sheet = book.active if number == 0 else book.create_sheet()
        for row in rows:
            sheet.append(row)
    book.save("x.xlsx")
    return "x.xlsx"


def archive(path: str, content: str) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("word/document.xml", content)
    return path


def test_a_sheet_is_read_as_a_table_with_its_own_row_numbers() -> None:
    rows = [[], ["id", "original", None, "A"], [1, "One.", "a note", "Eins."], [], [2.0, "Two.", None, None]]
    source = read_column(workbook(rows), "source")
    assert (source.values, source.lines, source.ids) == (("One.", "Two."), (3, 5), {"id": ("1", "2")})
    (output,) = open_outputs(["x.xlsx:A"])
    assert ([*output.values], output.name) == (["Eins.", None], "x.xlsx")


def test_cells_are_texts_as_a_person_reads_them() -> None:
    cells = [7, 7.0, 2.5, True, datetime.date(2024, 6, 16), "a_x000D_\nb"]
    column = read_column(workbook([["text"], *([cell] for cell in cells)]), "source")
    assert column.values == ("7", "7", "2.5", "TRUE", "2024-06-16", "a\r\nb")


def test_the_first_sheet_with_rows_is_read_and_others_are_named() -> None:
    path = workbook([], [["text"], ["One."]], [["text"], ["Two."]])
    with pytest.warns(SemaWarning, match="has 2 sheets with rows; the first of them, 'Sheet1', is read"):
        assert read_column(path, "source").values == ("One.",)


@cases("sheets_without_names")
def test_a_sheet_without_names_is_refused_with_its_columns(rows: tuple[tuple[Any, ...], ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_column(workbook(rows), "source")


def test_paragraphs_with_text_are_items_and_changes_count_as_accepted() -> None:
    body = """<w:body>
    <w:p><w:r><w:t>The cat </w:t></w:r><w:del><w:r><w:delText>sat</w:delText><w:t>sat</w:t></w:r></w:del>
    <w:ins><w:r><w:t>slept.</w:t><w:br/><w:t>Then</w:t><w:tab/><w:t>x</w:t><w:noBreakHyphen/><w:t>y.</w:t></w:r></w:ins></w:p>
    <w:p/><w:p><w:r><w:t> </w:t></w:r></w:p>
    <w:tbl><w:tr><w:tc><w:p><w:hyperlink><w:r><w:t>A cell.</w:t></w:r></w:hyperlink></w:p></w:tc></w:tr></w:tbl>
    <w:p><w:r><w:t>Before </w:t><w:txbxContent><w:p><w:r><w:t>A box.</w:t></w:r></w:p></w:txbxContent>
    <w:t>after.</w:t></w:r></w:p></w:body>"""
    texts = ["The cat slept. Then x-y.", "A cell.", "Before after.", "A box."]
    for namespace in (W, "http://purl.oclc.org/ooxml/wordprocessingml/main"):
        document = archive("x.docx", f'<w:document xmlns:w="{namespace}">{body}</w:document>')
        column = read_column(document, "source")
        assert (list(column.values), list(column.lines), column.name) == (texts, [1, 4, 5, 6], "x.docx")


@pytest.mark.parametrize("name", ["x.xlsx", "x.docx"])
def test_what_is_no_such_file_is_one_line(name: str) -> None:
    for content in (b"plain text", b"\xd0\xcf\x11\xe0 with a password"):
        write(name, content)
        with pytest.raises(InputError, match=r"is not a readable (Excel|Word) file .*; save it again"):
            read_column(name, "source")
    with pytest.raises(InputError, match="unpacks to more than 64 MiB; divide it"):
        read_column(archive(name, " " * (65 << 20)), "source")


def test_entities_in_a_document_are_refused() -> None:
    with pytest.raises(InputError, match="is a damaged Word file"):
        read_column(archive("x.docx", f'<!DOCTYPE a [<!ENTITY b "c">]><w:p xmlns:w="{W}">&b;</w:p>'), "source")


@pytest.mark.parametrize(("suffix", "better"), [("xls", "xlsx"), ("doc", "docx"), ("ods", "xlsx")])
def test_other_formats_of_an_office_are_named_with_what_to_save_them_as(suffix: str, better: str) -> None:
    write(f"x.{suffix}", "x")
    with pytest.raises(InputError, match=f"save it as .{better}"):
        read_column(f"x.{suffix}", "source")
