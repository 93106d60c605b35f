"""Metrics by name: built in, in families of names (``mean:sari,samsa``), and of other installed packages.

A package adds a metric with an entry point in the group ``sema.metrics``: the name is the metric's, the object a
subclass of :class:`~sema.metrics.base.Metric` (or a function that returns one) whose keyword arguments are its options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import cast

from sema.errors import UnknownNameError, UsageError
from sema.metrics.base import Metric
from sema.options import Settings
from sema.plugins import Broken, Group, Plugin

MetricFactory = Callable[..., Metric]

BUILTIN: Mapping[str, str] = {
    "meaning": "meaning.metrics:MeaningScore",
    "meaning_recall": "meaning.metrics:MeaningRecall",
    "meaning_precision": "meaning.metrics:MeaningPrecision",
    "sema": "scene_metrics:Sema",
    "sema_part": "scene_metrics:SemaPart",
    "sema_base": "scene_metrics:SemaBase",
    "samsa": "scene_metrics:Samsa",
    "samsa_abl": "scene_metrics:SamsaAbl",
    "sari": "sari:Sari",
    "sari_add": "sari:SariAdd",
    "sari_keep": "sari:SariKeep",
    "sari_del": "sari:SariDelete",
    "sari_f1": "sari:SariF1",
    "sari_types": "sari:SariTypes",
    "sari_paper": "sari:SariPaper",
    "sari_authors": "sari:SariAuthors",
    "sari_easse": "sari:SariEasse",
    "sari_metaeval": "sari:SariMetaeval",
    "bleu": "bleu:Bleu",
    "ibleu": "bleu:Ibleu",
    "fkgl": "readability:Fkgl",
    "fk": "readability:Fk",
    "fkbleu": "readability:Fkbleu",
    "fkbleu_gmean": "readability:FkbleuGmean",
    "fkbleu_paper": "readability:FkbleuPaper",
    "ld_source": "levenshtein:LdSource",
    "ld_reference": "levenshtein:LdReference",
    "splits": "structure:Splits",
    "compression": "structure:Compression",
    "copied": "structure:Copied",
    "exact_copies": "structure:ExactCopies",
    "deletions": "operations:Deletions",
    "replacements": "operations:Replacements",
    "bertscore_p": "bertscore:BertScoreP",
    "bertscore_r": "bertscore:BertScoreR",
    "bertscore_f1": "bertscore:BertScoreF1",
    "meteor": "meteor:Meteor",
    "meteor_source": "meteor:MeteorSource",
    "meteor_qats": "meteor:MeteorQats",
    "stem_recall": "stem_recall:StemRecall",
    "hsk_low": "hsk:HskLow",
    "hsk_high": "hsk:HskHigh",
}
"""Module of :mod:`sema.metrics` and class, by name, in the order in which they are listed."""

FAMILIES: Mapping[str, str] = {"mean": "combine:ArithmeticMean", "gmean": "combine:GeometricMean"}
"""Classes that make a metric of two others, by the part of the name before the colon."""


def _check(name: str, found: object) -> MetricFactory:
    """The class or function that an entry point names, tried once."""
    if not callable(found):
        raise TypeError(f"{name!r} names no Metric class")
    made = found()
    if not isinstance(made, Metric):
        raise TypeError(f"{name!r} makes a {type(made).__name__}, which is no sema.Metric")
    if not isinstance(getattr(made, "name", None), str):
        raise TypeError(f"the metric {type(made).__name__} has no name")
    return cast(MetricFactory, found)


GROUP = Group("sema.metrics", _check)


def metric_names() -> list[str]:
    """All names, built-in ones first; plug-ins are not loaded."""
    return [*BUILTIN, *(name for name in GROUP.names() if name not in BUILTIN)]


def default_metrics() -> list[str]:
    """The names of the metrics that are scored where none is named."""
    return [name for name in BUILTIN if cast(type[Metric], metric_factory(name)).default]


def metric_factory(name: str) -> MetricFactory:
    """The class (or function) that makes a metric.

    Raises:
        UnknownNameError: no metric of that name is installed; the nearest known name is offered.
        ResourceError: the package that offers it is broken.
    """
    if name in BUILTIN:
        return _builtin(BUILTIN[name])
    plugin = GROUP.get(name)
    if plugin is None:
        raise UnknownNameError("metric", name, metric_names())
    return plugin


def installed_metrics() -> list[MetricFactory | Plugin[MetricFactory] | Broken]:
    """Everything that ``sema metrics`` lists: built-in classes, plug-ins, and broken ones with their reasons."""
    return [*map(metric_factory, BUILTIN), *GROUP.all()]


def make_metric(name: str, settings: Settings | None = None) -> Metric:
    """The metric of a name, with what was set for it.

    Raises:
        UnknownNameError: no metric of that name is installed.
        ResourceError: the package that offers it is broken.
        InputError: a setting has a wrong value, or a family's name does not name two metrics.
    """
    settings = settings or Settings()
    family, colon, rest = name.partition(":")
    if colon and family in FAMILIES:
        parts = [part.strip() for part in rest.split(",")]
        if len(parts) != 2 or not all(parts):
            raise UsageError(f"{name!r} must name two metrics, as in {family}:sari,samsa")
        return _builtin(FAMILIES[family])(make_metric(parts[0], settings), make_metric(parts[1], settings))
    return settings.build(name, metric_factory(name))


def components(names: Sequence[str]) -> dict[str, MetricFactory]:
    """The classes behind names, those inside families too, as settings address them."""
    found: dict[str, MetricFactory] = {}
    for name in names:
        family, colon, rest = name.partition(":")
        inner = [part.strip() for part in rest.split(",")] if colon and family in FAMILIES else [name]
        found.update((part, metric_factory(part)) for part in inner)
    return found


def parse_names(text: str) -> list[str]:
    """Split a comma-separated list of names; a family's name takes the two parts after its colon.

    Raises:
        InputError: no metric is named.
    """
    parts = [part.strip() for part in text.split(",")]
    names: list[str] = []
    while parts:
        part = parts.pop(0)
        if part.partition(":")[0] in FAMILIES and ":" in part and parts:
            part = f"{part},{parts.pop(0)}"
        if part and part not in names:
            names.append(part)
    if not names:
        raise UsageError("no metric is named; see `sema metrics` for the names")
    return names


def _builtin(place: str) -> MetricFactory:
    module, _, name = place.partition(":")
    return cast(MetricFactory, getattr(import_module(f"sema.metrics.{module}"), name))
