"""The metrics that a scorer is asked for."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sema.errors import Keyword, UsageError, kind_of
from sema.metrics.base import Metric, alike, renamed
from sema.model.language import Language
from sema.scoring.coerce import ordered


def metric_list(metrics: object) -> list[str | Metric]:
    """Names and objects of metrics, each once; objects that share a name get their full names, with their options."""
    if isinstance(metrics, str | Metric):
        raise UsageError("metrics is a single one; give a list")
    chosen: list[str | Metric] = []
    for metric in ordered(metrics, "metrics", "a list of names and metrics"):
        if not isinstance(metric, str | Metric):
            raise UsageError(f"a metric is {kind_of(metric)}; give names, or objects of a subclass of sema.Metric")
        if not isinstance(_name(metric), str):
            raise UsageError(f"the metric {type(metric).__name__} has no name; give its class a name")
        if not any(
            metric == other if isinstance(metric, str) else isinstance(other, Metric) and alike(metric, other)
            for other in chosen
        ):
            chosen.append(metric)
    if not chosen:
        raise UsageError("no metric is named; give one, or leave the argument out for the defaults")
    names = Counter(map(_name, chosen))
    chosen = [
        renamed(metric, metric.full_name) if isinstance(metric, Metric) and names[_name(metric)] > 1 else metric
        for metric in chosen
    ]
    name, count = Counter(map(_name, chosen)).most_common(1)[0]
    if count > 1:
        raise UsageError(f"two metrics are called {name!r}; give each a name or options of its own")
    return chosen


def _name(metric: str | Metric) -> Any:
    return metric if isinstance(metric, str) else getattr(metric, "name", None)


def defined(metrics: tuple[Metric, ...], language: Language, *, segmented: bool, refuse: bool) -> tuple[Metric, ...]:
    """The metrics that are defined for the inputs; ``refuse`` those that are not sentence by sentence (``segmented``).

    Metrics that compare words of sources and outputs are always refused if these are in two languages.
    """
    if language.sides and (unfit := [metric.name for metric in metrics if metric.one_language]):
        what = "words of the source are compared with words of the output"
        raise UsageError(f"{', '.join(unfit)} cannot be scored across languages: {what}; give other metrics")
    unfit = [metric.name for metric in metrics if segmented and metric.whole_sources]
    if unfit and refuse:
        raise UsageError(
            f"{', '.join(unfit)} cannot be scored sentence by sentence of a passage, where the definition gives 0",
            remedy=("score the passage as a whole with ", Keyword("segment", "False")),
        )
    return tuple(metric for metric in metrics if metric.name not in unfit)
