"""How common Chinese words and characters are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sema.model.lexicon import WordTable

TABLES = Path(__file__).parent / "tables"


@cache
def word_table() -> WordTable:
    """Frequencies; ``sema_english/tables/CARD.md`` has origin and licence."""
    return WordTable.read(TABLES / "words.npz", "words-zh")
