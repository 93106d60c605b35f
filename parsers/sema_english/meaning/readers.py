"""The readers of facts that English hands over."""

from __future__ import annotations

from sema.model.fact import FactReader
from sema.model.lexicon import Lexicon
from sema_english.meaning.alternatives import Alternatives
from sema_english.meaning.attribution import Attribution
from sema_english.meaning.bounds import Bounds
from sema_english.meaning.conditions import Conditions
from sema_english.meaning.dates import Dates
from sema_english.meaning.degrees import Degrees
from sema_english.meaning.hedges import Hedges
from sema_english.meaning.names import Names
from sema_english.meaning.negation import Negation
from sema_english.meaning.numbers import Numbers
from sema_english.meaning.opposites import Opposites
from sema_english.meaning.order import Order
from sema_english.meaning.persons import Persons
from sema_english.meaning.places import Places
from sema_english.meaning.roles import Roles
from sema_english.meaning.tenses import Questions, Tenses
from sema_english.meaning.things import Things
from sema_english.meaning.units import Units


def fact_readers(lexicon: Lexicon | None = None) -> tuple[FactReader, ...]:
    """All readers, those first whose word is taken where two speak of the same words."""
    return (
        Dates(),
        Units(),
        Bounds(),
        Numbers(),
        Names(lexicon),
        Degrees(),
        Order(),
        Opposites(lexicon),
        Attribution(),
        Hedges(),
        Persons(),
        Alternatives(),
        Negation(),
        Roles(),
        Places(lexicon),
        Conditions(),
        Tenses(lexicon),
        Questions(),
        Things(lexicon),
    )
