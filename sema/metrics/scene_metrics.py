"""The SAMSA and SEMA families behind the metric interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sema.metrics.base import Item, MetricOptions, MetricScores, Registration, mean
from sema.metrics.scene_family import FAMILY

DESCRIPTIONS = {
    "sema": "meaning kept, Scene by Scene: partial credit for Participants, hyponymy counts (sema.txt, formula 5)",
    "sema_part": "sema without hyponymy links",
    "sema_base": "sema_part with Participants all or nothing (sema.txt, formula 4)",
    "samsa": "each Scene kept and in a sentence of its own (Sulem et al. 2018, section 4.2)",
    "samsa_abl": "samsa without the penalty for not splitting",
}


@dataclass(frozen=True)
class SceneMetric:
    """One metric of the family; a passage's score is the mean over its source sentences, a corpus's over its items."""

    name: str
    description: str
    higher_is_better: bool = True
    needs_scenes: bool = True
    needs_references: bool = False
    signature: str = ""

    def score(self, items: Sequence[Item]) -> MetricScores:
        """Scores 0-100; an empty output scores 0."""
        metric = FAMILY[self.name]
        scores = tuple(round(100 * mean([metric(evidence) for evidence in item.evidence]), 10) for item in items)
        return MetricScores(scores, mean(scores))


def registrations() -> dict[str, Registration]:
    """The family's entries for the registry."""

    def factory(name: str) -> Registration:
        def create(_: MetricOptions) -> SceneMetric:
            return SceneMetric(name, DESCRIPTIONS[name])

        return Registration(create, DESCRIPTIONS[name], default=True)

    return {name: factory(name) for name in FAMILY}
