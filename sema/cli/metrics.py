"""``sema metrics``: what metrics are installed."""

from __future__ import annotations

import argparse

HELP = """List the metrics: name, whether it is a default, whether it needs references, what it measures

example:
  sema metrics"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``sema metrics`` takes none."""


def run(arguments: argparse.Namespace) -> int:
    """Print one line a metric."""
    from sema.metrics import REGISTRY, MetricOptions
    from sema.report.terminal import print_columns

    rows = [
        [name, "default" if entry.default else "", "references" if entry.needs_references else "", entry.description]
        for name, entry in REGISTRY.builtin.items()
    ]
    for name, factory in REGISTRY.plugins().items():
        metric = factory(MetricOptions())
        rows.append([name, "", "references" if metric.needs_references else "", metric.description])
    print_columns(["metric", "", "needs", "what it measures"], rows)
    return 0
