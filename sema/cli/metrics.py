"""``sema metrics``: what metrics are installed, and what can be set for each."""

from __future__ import annotations

import argparse
from collections.abc import Callable

HELP = """List the metrics: name, whether it is a default, whether it needs references, what it measures
mean:A,B and gmean:A,B are the arithmetic and the geometric mean of two metrics, as in `--metrics mean:sari,samsa`.
With a name: what the metric measures and its options, which `sema score --set NAME.OPTION=VALUE` sets.

examples:
  sema metrics
  sema metrics bleu"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema metrics``."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="show this metric and its options")


def run(arguments: argparse.Namespace) -> int:
    """Print one line for each metric, or one metric with its options."""
    if arguments.name is not None:
        return _show(arguments.name)
    from sema.display.terminal import print_columns
    from sema.metrics.registry import installed_metrics
    from sema.plugins import Broken

    rows = [
        [name, "broken", "", str(found)] if isinstance(found, Broken) else _row(name, found)
        for name, found in installed_metrics()
    ]
    print_columns(["metric", "", "needs", "what it measures"], rows)
    return 0


def _row(name: str, metric: object) -> list[str]:
    from sema.model.item import Need

    needs = "references" if Need.REFERENCES in getattr(metric, "requires", ()) else ""
    return [name, "default" if getattr(metric, "default", False) else "", needs, getattr(metric, "description", "")]


def _show(name: str) -> int:
    from sema.analysis.matching import Matching
    from sema.display.terminal import print_lines
    from sema.metrics.registry import metric_factory
    from sema.model.item import Need
    from sema.options import options_of
    from sema.scoring.engine import MATCH

    factory = metric_factory(name)
    description = getattr(factory, "description", "") or factory().description
    parts: dict[str, Callable[..., object]] = {name: factory}
    if Need.SCENES in getattr(factory, "requires", ()):
        parts[MATCH] = Matching
    options = [f"  --set {part}.{option}" for part, made in parts.items() for option in options_of(made).values()]
    print_lines([f"{name}: {description}", *(options or ["  it has no options"])])
    return 0
