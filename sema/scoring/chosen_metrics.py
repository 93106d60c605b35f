"""The metrics that a scorer is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sema.errors import Keyword, UsageError, kind_of
from sema.metrics.base import Metric, alike, renamed
from sema.model.language import Language
from sema.scoring.coerce import ordered


def metric_list(metrics: object) -> list[str | Metric]:
    """Names and objects of metrics, each once."""
    if isinstance(metrics, str | Metric):
        example = repr(metrics) if isinstance(metrics, str) else f"{type(metrics).__name__}()"
        raise UsageError(f"metrics is a single one; give a list, as in [{example}]")
    chosen: list[str | Metric] = []
    for metric in ordered(metrics, "metrics", "a list of names and metrics"):
        if isinstance(metric, type):
            raise UsageError(f"{metric.__name__} is a class; give an object of it, as in [{metric.__name__}()]")
        if not isinstance(metric, str | Metric):
            raise UsageError(f"a metric is {kind_of(metric)}; give names, or objects of a subclass of sema.Metric")
        if not isinstance(metric, str) and not isinstance(getattr(metric, "name", None), str):
            raise UsageError(f"the metric {type(metric).__name__} has no name; give its class a name")
        if not any(_once(metric, other) for other in chosen):
            chosen.append(metric)
    chosen = _disambiguated(chosen)
    if not chosen:
        raise UsageError("no metric is named; give one, or leave the argument out for the defaults")
    names = [metric if isinstance(metric, str) else metric.name for metric in chosen]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two metrics are called {twice!r}; give each a name or options of its own")
    return chosen


def _once(one: str | Metric, other: str | Metric) -> bool:
    """Whether two names or metrics are the same; a class's own ``==`` may ignore some differences."""
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    return alike(one, other)


def _disambiguated(metrics: Sequence[str | Metric]) -> list[str | Metric]:
    """The metrics; those that share a name get their full names, with their options."""
    names = Counter(metric if isinstance(metric, str) else metric.name for metric in metrics)
    return [
        metric if isinstance(metric, str) or names[metric.name] == 1 else renamed(metric, metric.full_name)
        for metric in metrics
    ]


def refuse_across(metrics: Sequence[Metric], language: Language) -> None:
    """Refuse (``UsageError``) metrics that compare words of sources and outputs, if these are in two languages."""
    unfit = [metric.name for metric in metrics if metric.one_language]
    if unfit and language.sides is not None:
        what = "words of the source are compared with words of the output"
        them = "them" if len(unfit) > 1 else "it"
        raise UsageError(f"{', '.join(unfit)} cannot be scored across languages: {what}; leave {them} out")


def for_passages(metrics: tuple[Metric, ...], *, refuse: bool) -> tuple[Metric, ...]:
    """The metrics that are defined for the sentences of a passage."""
    unfit = [metric.name for metric in metrics if metric.whole_sources]
    if unfit and refuse:
        raise UsageError(
            f"{', '.join(unfit)} cannot be scored sentence by sentence of a passage, where the definition gives 0",
            remedy=("score the passage as a whole with ", Keyword("segment", "False")),
        )
    return tuple(metric for metric in metrics if not metric.whole_sources)
