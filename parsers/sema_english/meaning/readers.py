"""The readers of facts that English hands over."""

from __future__ import annotations

from sema.model.fact import FactReader
from sema.model.lexicon import Lexicon
from sema_english.meaning.degrees import Attribution, Degrees
from sema_english.meaning.hedges import Hedges
from sema_english.meaning.negation import Negation
from sema_english.meaning.numbers import Bounds, Numbers, Units
from sema_english.meaning.opposites import Opposites
from sema_english.meaning.order import Order
from sema_english.meaning.roles import Roles
from sema_english.meaning.tenses import Alternatives, Questions, Tenses
from sema_english.meaning.things import Things


def fact_readers(lexicon: Lexicon | None = None) -> tuple[FactReader, ...]:
    """All readers; of two conflicts about the same words the earlier reader's is kept."""
    return (
        Units(),
        Bounds(),
        Numbers(),
        Degrees(),
        Order(),
        Opposites(lexicon),
        Attribution(),
        Hedges(),
        Alternatives(),
        Negation(),
        Roles(),
        Tenses(lexicon),
        Questions(),
        Things(lexicon),
    )
