"""Metrics: pure functions, one file a family, and the one registry that knows their names."""

from sema.metrics import (
    bertscore,
    bleu,
    combine,
    hsk,
    levenshtein,
    meteor,
    operations,
    readability,
    sari,
    structure,
)
from sema.metrics.base import Item, Metric, MetricOptions, MetricScores, Registry
from sema.metrics.scene_family import Evidence, gather_evidence, scene_scores
from sema.metrics.scene_metrics import registrations as _scene_registrations

REGISTRY = Registry()
REGISTRY.builtin.update(_scene_registrations())
for _family in (sari, bleu, readability, levenshtein, structure, operations, bertscore, meteor, hsk):
    REGISTRY.builtin.update(_family.registrations())
REGISTRY.families.update({name: combine.create for name in combine.MEANS})

__all__ = [
    "REGISTRY",
    "Evidence",
    "Item",
    "Metric",
    "MetricOptions",
    "MetricScores",
    "Registry",
    "gather_evidence",
    "scene_scores",
]
