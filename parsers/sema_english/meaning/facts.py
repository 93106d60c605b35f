"""The readers of facts that English hands over."""

from __future__ import annotations

from sema.model.fact import FactReader
from sema.model.lexicon import Lexicon
from sema_english.meaning.numbers import Numbers, Units
from sema_english.meaning.opposites import Opposites
from sema_english.meaning.roles import Roles
from sema_english.meaning.things import Things
from sema_english.meaning.words import Bases


def fact_readers(lexicon: Lexicon | None = None) -> tuple[FactReader, ...]:
    """All readers; of two conflicts about the same words the earlier reader's is kept."""
    bases = Bases(lexicon)
    return (Units(), Numbers(), Opposites(bases), Roles(), Things(bases))
