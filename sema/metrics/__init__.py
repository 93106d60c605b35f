"""Metrics: pure functions, one file a family, and the one registry that knows their names."""

from sema.metrics.base import Item, Metric, MetricOptions, MetricScores, Registry
from sema.metrics.scene_family import Evidence, gather_evidence, scene_scores
from sema.metrics.scene_metrics import registrations as _scene_registrations

REGISTRY = Registry()
REGISTRY.builtin.update(_scene_registrations())

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
