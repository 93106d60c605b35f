"""Metrics by name: built in, in families of names (``mean:sari,samsa``), and of other installed packages.

A package adds a metric with an entry point in the group ``sema.metrics``: the name is the metric's, the object a
subclass of :class:`~sema.metrics.base.Metric` (or a function that returns one) whose keyword arguments are its options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from sema.errors import UnknownNameError, UsageError
from sema.languages import installed_languages
from sema.metrics.base import Metric
from sema.model.language import Language
from sema.options import Settings
from sema.plugins import Broken, Group, load

MetricFactory = Callable[..., Metric]

BUILTIN: Mapping[str, str] = {
    "meaning": "sema.metrics.meaning:MeaningScore",
    "meaning_recall": "sema.metrics.meaning:MeaningRecall",
    "meaning_precision": "sema.metrics.meaning:MeaningPrecision",
    "sema": "sema.metrics.scene_metrics:Sema",
    "sema_part": "sema.metrics.scene_metrics:SemaPart",
    "sema_base": "sema.metrics.scene_metrics:SemaBase",
    "samsa": "sema.metrics.scene_metrics:Samsa",
    "samsa_abl": "sema.metrics.scene_metrics:SamsaAbl",
    "sari": "sema.metrics.sari:Sari",
    "sari_add": "sema.metrics.sari:SariAdd",
    "sari_keep": "sema.metrics.sari:SariKeep",
    "sari_del": "sema.metrics.sari:SariDelete",
    "sari_f1": "sema.metrics.sari:SariF1",
    "sari_types": "sema.metrics.sari:SariTypes",
    "sari_paper": "sema.metrics.sari:SariPaper",
    "sari_authors": "sema.metrics.sari:SariAuthors",
    "sari_easse": "sema.metrics.sari:SariEasse",
    "sari_metaeval": "sema.metrics.sari:SariMetaeval",
    "bleu": "sema.metrics.bleu:Bleu",
    "ibleu": "sema.metrics.bleu:Ibleu",
    "ld_source": "sema.metrics.structure:LdSource",
    "ld_reference": "sema.metrics.structure:LdReference",
    "splits": "sema.metrics.structure:Splits",
    "compression": "sema.metrics.structure:Compression",
    "copied": "sema.metrics.structure:Copied",
    "exact_copies": "sema.metrics.structure:ExactCopies",
    "deletions": "sema.metrics.operations:Deletions",
    "replacements": "sema.metrics.operations:Replacements",
    "bertscore_p": "sema.metrics.bertscore:BertScoreP",
    "bertscore_r": "sema.metrics.bertscore:BertScoreR",
    "bertscore_f1": "sema.metrics.bertscore:BertScoreF1",
    "meteor": "sema.metrics.meteor:Meteor",
    "meteor_source": "sema.metrics.meteor:MeteorSource",
    "meteor_qats": "sema.metrics.meteor:MeteorQats",
    "stem_recall": "sema.metrics.stem_recall:StemRecall",
    "cefr": "sema.metrics.cefr:Cefr",
    "cefr_source": "sema.metrics.cefr:CefrSource",
    "cefr_drop": "sema.metrics.cefr:CefrDrop",
    "cefr_hit": "sema.metrics.cefr:CefrHit",
    "cefr_adjacent": "sema.metrics.cefr:CefrAdjacent",
    "cefr_rmse": "sema.metrics.cefr:CefrRmse",
    "cefr_f1": "sema.metrics.cefr:CefrF1",
}
"""The place of each class by name, in listed order; languages and plug-ins add more."""

FAMILIES: Mapping[str, str] = {
    "mean": "sema.metrics.combine:ArithmeticMean",
    "gmean": "sema.metrics.combine:GeometricMean",
}
"""Classes that make a metric of two others, by the part of the name before the colon."""


def _check(name: str, found: object) -> MetricFactory:
    """The class or function that an entry point names, called once as a check."""
    if not callable(found):
        raise TypeError(f"{name!r} names no Metric class")
    made = found()
    if not isinstance(made, Metric):
        raise TypeError(f"{name!r} makes a {type(made).__name__}, which is no sema.Metric")
    if not isinstance(getattr(made, "name", None), str):
        raise TypeError(f"the metric {type(made).__name__} has no name")
    return cast(MetricFactory, found)


GROUP = Group("sema.metrics", _check)


def _places() -> dict[str, str]:
    """The place of each class by name: those for any language, and those of installed languages."""
    languages = [found for found in installed_languages() if isinstance(found, Language)]
    return {**{name: place for found in languages for name, place in found.metrics.items()}, **BUILTIN}


def listed_metrics() -> dict[str, type[Metric]]:
    """The metrics of this package and of installed languages, by name; plug-ins are in :data:`GROUP`."""
    places = _places()
    return {name: load(places[name]) for name in dict.fromkeys([*BUILTIN, *places])}


def installed_metrics() -> Iterator[tuple[str, type[Metric] | Metric | Broken]]:
    """Every metric that can be named, and the plug-ins that are broken."""
    yield from listed_metrics().items()
    for found in GROUP.all():
        yield found.name, found if isinstance(found, Broken) else found.made()


def metric_names() -> list[str]:
    """All names, built-in ones first; plug-ins are not loaded."""
    return list(dict.fromkeys([*BUILTIN, *_places(), *GROUP.names()]))


def default_metrics() -> list[str]:
    """The names of the metrics that are scored when none is named."""
    return [name for name in BUILTIN if cast(type[Metric], metric_factory(name)).default]


def metric_factory(name: str) -> MetricFactory:
    """The class (or function) that makes a metric.

    Raises:
        UnknownNameError: no metric of that name is installed; the nearest known name is offered.
        ResourceError: the package that offers it is broken.
    """
    place = BUILTIN.get(name) or _places().get(name)
    if place is not None:
        return cast(MetricFactory, load(place))
    plugin = GROUP.get(name)
    if plugin is None:
        raise UnknownNameError("metric", name, metric_names())
    return plugin


def make_metric(name: str, settings: Settings | None = None) -> Metric:
    """The metric of a name, built with its settings.

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
        return cast(MetricFactory, load(FAMILIES[family]))(
            make_metric(parts[0], settings), make_metric(parts[1], settings)
        )
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
