"""`sema languages`: what a language has, and what would add the rest."""

from dataclasses import replace
from pathlib import Path

from sema.cli.installed import HEADER, NONE, language_table, parts_of
from tests.esperanto import esperanto


def test_what_a_language_lacks_has_a_remedy() -> None:
    bare = dict(zip(HEADER[2:-1], parts_of(esperanto()), strict=True))
    assert bare["Scenes"] == "endings" and bare["meaning"] == "links" and bare["levels"] == NONE
    assert "`meaning`: --lang any:eo (extra `languages`)" in bare["to add"], "a plug-in has taken the place of eo"
    assert "Scenes:" not in bare["to add"]
    unknown = parts_of(replace(esperanto(), code="tlh"))
    assert any("--lang CODE (extra `languages`)" in cell for cell in unknown), "no network knows it"
    without = replace(esperanto(), extractors={}, metrics={"eo_level": "module:Class"}, judges=Path("judges"))
    cells = dict(zip(HEADER[2:-1], parts_of(without), strict=True))
    assert (cells["Scenes"], cells["levels"], cells["judges"]) == (NONE, "EO", "yes")
    assert "sema models install" in cells["to add"]


def test_every_installed_language_has_a_row_as_wide_as_the_header() -> None:
    table = language_table()
    rows = {str(row[0]): row for row in table.rows}
    assert all(len(row) == len(HEADER) for row in table.rows)
    assert rows["en"][4] == "CEFR" and rows["zh"][4] == "HSK"
    assert rows["en"][3] == "network"
