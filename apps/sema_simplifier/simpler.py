"""The word rules that ship: for each word more common ones (card: ``tables/CARD.md``)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sema_english.words import word_table

from sema.runtime.pairs import load_pairs

FILE = Path(__file__).parent / "tables" / "simpler.npz"
LEAST_GAIN = 0.3
"""How much more common the simpler word must be, on the Zipf scale: twice as frequent."""


@cache
def simpler_words() -> dict[str, tuple[str, ...]]:
    """The shipped rules: for each word its simpler words, the most common first."""
    table = word_table()
    return {
        word: tuple(sorted(simpler, key=lambda other: (-table.zipf(other), other)))
        for word, others in load_pairs(FILE).items()
        if (simpler := [other for other in others if table.zipf(other) - table.zipf(word) >= LEAST_GAIN])
    }
