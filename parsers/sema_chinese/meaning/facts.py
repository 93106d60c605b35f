"""The readers of facts that Chinese hands over."""

from __future__ import annotations

from sema.model.fact import FactReader
from sema_chinese.meaning.degrees import Degrees
from sema_chinese.meaning.numbers import Numbers
from sema_chinese.meaning.opposites import Opposites
from sema_chinese.meaning.roles import Roles


def fact_readers() -> tuple[FactReader, ...]:
    """All readers; of two conflicts about the same words the earlier reader's is kept."""
    return (Numbers(), Degrees(), Opposites(), Roles())
