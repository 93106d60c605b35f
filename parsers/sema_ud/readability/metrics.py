"""A metric for each readability formula, made from the table; the class has the name of the formula.

A corpus's value is computed from its items' summed counts. A text without words has none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from sema.errors import UsageError
from sema.metrics.base import Item, Metric, Row
from sema.model.language import base_code
from sema_ud.readability.counts import QUANTITIES, Counts, count
from sema_ud.readability.table import Formula, default_formula, formulas, language_name

if TYPE_CHECKING:
    from sema.model.language import Parts


class ReadabilityMetric(Metric):
    """A formula's value for the output."""

    formula: ClassVar[Formula]
    range = (-math.inf, math.inf)

    def bind(self, parts: Parts) -> Metric:
        """The metric itself, in a language that the formula is for.

        Raises:
            UsageError: the formula is for another language, or counts words where no spaces separate them.
        """
        formula = self.formula
        language = output_language(parts.code)
        if formula.language and language != formula.language:
            own = default_formula(language)
            remedy = f"use {own}, or " if own else "use lix or rix, or " if parts.language.spaced else ""
            raise UsageError(
                f"{formula.name} is a formula for {language_name(formula.language)}, not for language "
                f"{parts.code!r}; {remedy}leave it out"
            )
        if not parts.language.spaced:
            raise UsageError(f"{formula.name} counts words between spaces; leave it out for language {parts.code!r}")
        return self

    @property
    def signature(self) -> str:
        """The formula, and the language whose syllables are counted."""
        language = self.formula.language
        return f"formula={self.formula.name}" + (f",syllables={language}" if language else "")

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The counts of the outputs."""
        return [tuple(count(item.output, self.formula.language)) for item in items]

    def value(self, row: Row) -> float:
        """The formula's value for (summed) counts; NaN without words."""
        counts = Counts(*row)
        if not counts.words:
            return math.nan
        return self.formula.value({name: QUANTITIES[name](counts) for name in self.formula.terms})


def output_language(code: str) -> str:
    """The bare code of the language of outputs: ``es`` for ``any:en-es``, whose sources are English."""
    family, _, member = code.rpartition(":")
    return member.rpartition("-")[2] if family == "any" else base_code(code)


def _made(formula: Formula) -> type[ReadabilityMetric]:
    language = f", for {language_name(formula.language)}" if formula.language else ""
    line = f"{formula.title} ({formula.reference}){language}; {formula.easier} is easier"
    body = {"__doc__": f"{line}.", "__module__": __name__, "formula": formula}
    made: type[ReadabilityMetric] = type(formula.name, (ReadabilityMetric,), body, name=formula.name)
    made.description = line  # with the capitals of names, which the docstring's first line would lose
    made.higher_is_better = formula.easier == "higher"
    return made


globals().update({name: _made(formula) for name, formula in formulas().items()})  # where pickle looks for a class
