"""The word tables of English (``tables/``): closed classes, how common words are, and all others by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sema.model.lexicon import WordTable
from sema.runtime.tables import Tables

TABLES = Path(__file__).parent / "tables"
_TABLES = Tables(TABLES)
table, word_list, read_lines = _TABLES.table, _TABLES.words, _TABLES.lines

_CLASSES = {name: word_list("closed_classes", name) for name in table("closed_classes")}
PRONOUNS = _CLASSES["pronouns"]
PERSONAL = _CLASSES["personal"]
RELATIVE = _CLASSES["relative"]
CONNECTIVES = _CLASSES["connectives"]
SUBORDINATORS = _CLASSES["subordinators"]
BE = _CLASSES["be"]
AUXILIARIES = BE | _CLASSES["other_auxiliaries"]
PREPOSITIONS = _CLASSES["prepositions"]
DETERMINERS = _CLASSES["determiners"]
NEGATIONS = _CLASSES["negations"]
FUNCTION_WORDS = PRONOUNS | RELATIVE | CONNECTIVES | AUXILIARIES | PREPOSITIONS | DETERMINERS | NEGATIONS | {"there"}
DANGLING = (DETERMINERS - _CLASSES["not_dangling"]) | _CLASSES["dangling_only"]
"""Words that cannot end a sentence."""
IRREGULAR_PARTICIPLES = _CLASSES["irregular_participles"]


@cache
def word_table() -> WordTable:
    """Frequencies, syllables by the CMU dictionary, and function words; ``tables/CARD.md`` has origin and licence."""
    return WordTable.read(TABLES / "words.npz", "words-en", FUNCTION_WORDS)
