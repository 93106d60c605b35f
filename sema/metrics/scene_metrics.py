"""SAMSA and SEMA: formulas over the evidence of one source (or source sentence) against one output, and the metrics.

SAMSA: Sulem, Abend and Rappoport (NAACL 2018), section 4.2. SEMA: formulas 4 and 5 of its paper. The formulas give
shares in [0, 1], and 0 for an output without sentences. A passage's score is the mean over its source sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from sema.metrics.base import Item, MeanMetric, Need, mean
from sema.model.evidence import Evidence


def sema(evidence: Evidence) -> float:
    """SEMA: the mean Scene score with partial credit for Participants, hyponymy links counted (formula 5)."""
    return evidence.mean(partial=True, hyponymy=True)


def sema_part(evidence: Evidence) -> float:
    """SEMA without hyponymy links."""
    return evidence.mean(partial=True, hyponymy=False)


def sema_base(evidence: Evidence) -> float:
    """SEMA without hyponymy links, Participants all or nothing (formula 4)."""
    return evidence.mean(partial=False, hyponymy=False)


def samsa_abl(evidence: Evidence) -> float:
    """SAMSA without the factor ``n_out / n_inp``; 0 for a source without Scenes or with fewer than output sentences."""
    if not evidence.has_scenes or len(evidence.scenes) < evidence.sentences:
        return 0.0
    return evidence.mean(partial=False, hyponymy=False)


def samsa(evidence: Evidence) -> float:
    """SAMSA: :func:`samsa_abl` times ``n_out / n_inp`` (section 4.2)."""
    if not evidence.scenes:
        return 0.0
    return samsa_abl(evidence) * evidence.sentences / len(evidence.scenes)


FAMILY: Mapping[str, Callable[[Evidence], float]] = MappingProxyType(
    {"sema": sema, "sema_part": sema_part, "sema_base": sema_base, "samsa": samsa, "samsa_abl": samsa_abl}
)


class SceneMetric(MeanMetric):
    """One metric of the family, 0-100; an empty output scores 0."""

    requires = frozenset({Need.SCENES})

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The family's formula for every item."""
        formula = FAMILY[self.name]
        return [round(100 * mean([formula(evidence) for evidence in item.evidence]), 10) for item in items]


class Sema(SceneMetric):
    """SEMA, formula 5."""

    name = "sema"
    description = "meaning kept, Scene by Scene: partial credit for Participants, a wider word counts (SEMA, formula 5)"
    default = True


class SemaPart(SceneMetric):
    """SEMA without hyponymy links."""

    name = "sema_part"
    description = "sema without wider words"


class SemaBase(SceneMetric):
    """SEMA with Participants all or nothing, formula 4."""

    name = "sema_base"
    description = "sema_part with Participants all or nothing (SEMA, formula 4)"


class Samsa(SceneMetric):
    """SAMSA, section 4.2.

    A sentence of a passage has fewer Scenes than the simplified passage has sentences, which is 0 by definition.
    """

    name = "samsa"
    description = "each Scene kept and in a sentence of its own (Sulem et al. 2018, section 4.2)"
    default = True
    whole_sources = True


class SamsaAbl(SceneMetric):
    """SAMSA without its factor for splitting."""

    name = "samsa_abl"
    description = "samsa without the penalty for not splitting"
    whole_sources = True
