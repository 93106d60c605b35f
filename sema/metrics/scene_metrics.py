"""SAMSA and SEMA: formulas over the evidence of one source (or source sentence) against one output, and the metrics.

SAMSA: Sulem, Abend and Rappoport (NAACL 2018), section 4.2. SEMA: formulas 4 and 5 of its paper. The formulas give
shares in [0, 1], and 0 for an output without sentences. A passage's score is the mean over its source sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import methodcaller
from types import MappingProxyType

from sema.metrics.base import Item, MeanMetric, Need, mean
from sema.model.evidence import Evidence


def samsa_abl(evidence: Evidence) -> float:
    """SAMSA without the factor ``n_out / n_inp``; 0 without Scenes or with fewer Scenes than output sentences."""
    if not evidence.has_scenes or len(evidence.scenes) < evidence.sentences:
        return 0.0
    return evidence.mean(partial=False, hyponymy=False)


def samsa(evidence: Evidence) -> float:
    """SAMSA: :func:`samsa_abl` times ``n_out / n_inp`` (section 4.2)."""
    if not evidence.scenes:
        return 0.0
    return samsa_abl(evidence) * evidence.sentences / len(evidence.scenes)


FAMILY: Mapping[str, Callable[[Evidence], float]] = MappingProxyType(
    {
        "sema": methodcaller("mean", partial=True, hyponymy=True),
        "sema_part": methodcaller("mean", partial=True, hyponymy=False),
        "sema_base": methodcaller("mean", partial=False, hyponymy=False),
        "samsa": samsa,
        "samsa_abl": samsa_abl,
    }
)


class SceneMetric(MeanMetric):
    """One metric of the family, 0-100; an empty output scores 0."""

    requires = frozenset({Need.SCENES})

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        formula = FAMILY[type(self).name]
        return [round(100 * mean([formula(evidence) for evidence in item.evidence]), 10) for item in items]


class Sema(SceneMetric, name="sema"):
    """Meaning kept, Scene by Scene: partial credit for Participants, a wider word counts (SEMA, formula 5)."""

    default = True


class SemaPart(SceneMetric, name="sema_part"):
    """sema without wider words."""


class SemaBase(SceneMetric, name="sema_base"):
    """sema_part with Participants all or nothing (SEMA, formula 4)."""


class Samsa(SceneMetric, name="samsa"):
    """Each Scene kept and in a sentence of its own (Sulem et al. 2018, section 4.2).

    A sentence of a passage has fewer Scenes than the simplified passage has sentences, which is 0 by definition.
    """

    default = True
    whole_sources = True


class SamsaAbl(SceneMetric, name="samsa_abl"):
    """samsa without the penalty for not splitting."""

    whole_sources = True
