"""Two languages as a pair: the reader and the aligner that know both (``sema.languages``, ``across``)."""

from __future__ import annotations

from collections.abc import Mapping

from sema.alignment.exact import ExactAligner
from sema.model.language import TO, Factory, Language
from sema.model.language import across as pair
from sema.model.links import Aligner
from sema_ud.languages import CROSS_ENCODER, universal


def across(sources: Language | None = None, outputs: Language | None = None) -> Language:
    """Sources in one language and outputs in another; without arguments, what every pair has."""
    if sources is None or outputs is None:
        code, name = f"<code>{TO}<code>", "sources in one language, outputs in another"
        return Language(code, name, universal().segmenter, {}, {"exact": ExactAligner}, cross_encoder=CROSS_ENCODER)

    def contextual() -> Aligner:
        from sema_ud.links import universal_aligner

        return universal_aligner(outputs.code, source=sources.code)

    aligners: Mapping[str, Factory[Aligner]] = {"contextual": contextual, "exact": ExactAligner}
    return pair(sources, outputs, aligners=aligners, cross_encoder=CROSS_ENCODER)
