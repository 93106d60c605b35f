"""The word tables of English (``tables/``)."""

from __future__ import annotations

from pathlib import Path

from sema.runtime.tables import Tables

_TABLES = Tables(Path(__file__).parent / "tables")
table, word_list = _TABLES.table, _TABLES.words
