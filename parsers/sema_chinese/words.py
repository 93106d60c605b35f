"""The word tables of Chinese (``tables/``): how common words and characters are, and all others by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sema.model.lexicon import WordTable
from sema.runtime.tables import Tables

TABLES = Path(__file__).parent / "tables"
_TABLES = Tables(TABLES)
table, word_list, read_lines = _TABLES.table, _TABLES.words, _TABLES.lines


@cache
def word_table() -> WordTable:
    """Frequencies; ``sema_english/tables/CARD.md`` has origin and licence."""
    return WordTable.read(TABLES / "words.npz", "words-zh")
