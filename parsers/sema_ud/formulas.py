"""The table of readability formulas: which languages have which, their weights, and the nuclei of their syllables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sema.model.language import base_code
from sema.runtime.tables import Tables

_tables = Tables(Path(__file__).parent / "tables")


@dataclass(frozen=True)
class Formula:
    """A readability formula: ``constant`` and the sum of its ``terms``, weights by the name of a quantity.

    The quantities are those of :data:`sema_ud.readability.QUANTITIES`.
    """

    name: str
    language: str
    """The code of the language that it was made for; empty for any language."""
    title: str
    reference: str
    easier: str
    """Which values mean an easier text: ``higher`` or ``lower``."""
    constant: float
    terms: Mapping[str, float]

    def value(self, quantities: Mapping[str, float]) -> float:
        """The value for a text with these quantities."""
        return self.constant + sum(weight * quantities[name] for name, weight in self.terms.items())


@cache
def formulas() -> Mapping[str, Formula]:
    """Every formula by name."""
    return {name: Formula(name, **entry) for name, entry in _tables.table("formulas")["formulas"].items()}


def default_formula(code: str) -> str:
    """The name of a language's own formula; empty if it has none."""
    return str(_tables.table("formulas")["defaults"].get(code, ""))


def nuclei(code: str) -> str:
    """The regular expression of the nuclei of syllables in lower-case words of a language with a formula."""
    return str(_tables.table("formulas")["syllables"][code])


def readability_metrics(code: str) -> Mapping[str, str]:
    """A language's metrics of readability, ``"module:Class"`` by name, for its ``Language``.

    Each formula has its own name, and the language's own formula is also called ``fk``. ``<code>`` stands for all
    languages: it has every formula, but no ``fk``. A language without a formula has LIX and RIX.
    """
    language = base_code(code)
    found = {name: name for name, one in formulas().items() if code == "<code>" or one.language in ("", language)}
    if own := default_formula(language):
        found = {"fk": own, **found}
    return {name: f"sema_ud.readability:{formula}" for name, formula in found.items()}
