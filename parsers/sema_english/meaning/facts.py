"""The readers of facts that English hands over."""

from __future__ import annotations

from sema.model.fact import FactReader
from sema.model.lexicon import Lexicon
from sema_english.meaning.clauses import Alternatives, Order, Questions, Tenses
from sema_english.meaning.degrees import Attribution, Degrees, Hedges
from sema_english.meaning.numbers import Bounds, Numbers, Units
from sema_english.meaning.opposites import Negation, Opposites
from sema_english.meaning.roles import Roles
from sema_english.meaning.things import Things
from sema_english.meaning.words import Bases


def fact_readers(lexicon: Lexicon | None = None) -> tuple[FactReader, ...]:
    """All readers; of two conflicts about the same words the earlier reader's is kept."""
    bases = Bases(lexicon)
    return (
        Units(),
        Bounds(),
        Numbers(),
        Degrees(),
        Order(),
        Opposites(bases),
        Attribution(),
        Hedges(),
        Alternatives(),
        Negation(),
        Roles(),
        Tenses(bases),
        Questions(),
        Things(bases),
    )
