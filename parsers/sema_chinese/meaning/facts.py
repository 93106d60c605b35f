"""The readers of facts that Chinese hands over."""

from __future__ import annotations

from sema.model.fact import FactReader
from sema_chinese.meaning.clauses import Alternatives, Conditions, Order
from sema_chinese.meaning.degrees import Degrees, Hedges
from sema_chinese.meaning.numbers import Bounds, Numbers
from sema_chinese.meaning.opposites import Negation, Opposites
from sema_chinese.meaning.roles import Roles
from sema_chinese.meaning.things import Names, Tenses, Things


def fact_readers() -> tuple[FactReader, ...]:
    """All readers; of two conflicts about the same words the earlier reader's is kept."""
    return (
        Bounds(),
        Numbers(),
        Names(),
        Degrees(),
        Order(),
        Opposites(),
        Tenses(),
        Hedges(),
        Alternatives(),
        Negation(),
        Roles(),
        Conditions(),
        Things(),
    )
