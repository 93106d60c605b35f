"""Meaning: the facts that two texts state, and where the output contradicts its source.

A language hands over readers of facts (``Language.fact_readers``); :func:`conflicts` compares what they read.
"""

from sema.meaning.compare import conflicts
from sema.meaning.kinds import Contraries, Stated
from sema.model.fact import BECAME, Conflict, Fact, FactReader, Kind

__all__ = ["BECAME", "Conflict", "Contraries", "Fact", "FactReader", "Kind", "Stated", "conflicts"]
