"""The readers of facts that Chinese hands over."""

from __future__ import annotations

from sema.model.fact import FactReader
from sema_chinese.meaning.alternatives import Alternatives
from sema_chinese.meaning.bounds import Bounds
from sema_chinese.meaning.conditions import Conditions
from sema_chinese.meaning.degrees import Degrees, Hedges
from sema_chinese.meaning.negation import Negation
from sema_chinese.meaning.numbers import Numbers
from sema_chinese.meaning.opposites import Opposites
from sema_chinese.meaning.order import Order
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
