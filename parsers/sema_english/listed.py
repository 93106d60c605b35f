"""The word tables of English (``tables/``)."""

from __future__ import annotations

from pathlib import Path

from sema.runtime.tables import Tables

FOLDER = Path(__file__).parent / "tables"
_TABLES = Tables(FOLDER)
table, word_list, read_lines = _TABLES.table, _TABLES.words, _TABLES.lines
