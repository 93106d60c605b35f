"""Word tables: JSON parts as sets, lists of lines, and errors for missing or damaged files."""

from pathlib import Path

import pytest

from sema.errors import ResourceError
from sema.runtime.tables import Tables


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    (tmp_path / "colours.json").write_text('{"warm": ["red", "orange"], "cold": "blue green"}', encoding="utf-8")
    (tmp_path / "broken.json").write_text('{"warm": [', encoding="utf-8")
    (tmp_path / "names.txt").write_text("Ann\nBo\n", encoding="utf-8")
    return Tables(tmp_path)


def test_a_part_is_a_set_whether_listed_or_in_one_string(tables: Tables) -> None:
    assert tables.words("colours", "warm") == {"red", "orange"}
    assert tables.words("colours", "cold") == {"blue", "green"}
    assert tables.table("colours")["cold"] == "blue green"
    assert tables.lines("names.txt") == ["Ann", "Bo"]


def test_a_table_is_read_once(tables: Tables) -> None:
    tables.words("colours", "warm")
    (tables.folder / "colours.json").unlink()
    assert "green" in tables.words("colours", "cold")


@pytest.mark.parametrize(("name", "message"), [("broken", "damaged"), ("shapes", "no word table at .*shapes.json")])
def test_a_missing_or_damaged_table_is_named(tables: Tables, name: str, message: str) -> None:
    with pytest.raises(ResourceError, match=message):
        tables.table(name)
