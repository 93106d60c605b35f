"""The SAMSA and SEMA families as metrics; a passage's score is the mean over its source sentences."""

from __future__ import annotations

from collections.abc import Sequence

from sema.metrics.base import Item, MeanMetric, Need, mean
from sema.metrics.scene_family import FAMILY


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
