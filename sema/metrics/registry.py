"""Metrics by name: built-in ones, means of two (``mean:sari,samsa``), and those of other installed packages.

A package adds a metric with an entry point in the group ``sema.metrics``. Its name is the metric's; its object is a
subclass of :class:`~sema.metrics.base.Metric` (or a function that returns one) whose keyword arguments are its options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module

from sema.errors import UnknownNameError, UsageError
from sema.languages import installed_languages
from sema.metrics.base import Metric, renamed
from sema.metrics.combine import FAMILIES, CombinedMetric
from sema.model.item import Need
from sema.model.language import Language
from sema.options import Settings
from sema.plugins import Broken, Group, contained, factory, load

MetricFactory = Callable[..., Metric]

MODULES: Mapping[str, str] = {
    "meaning": "meaning meaning_recall meaning_precision",
    "scene_metrics": "sema sema_part sema_base samsa samsa_abl",
    "sari": "sari sari_add sari_keep sari_del sari_paper sari_printed sari_authors sari_easse sari_metaeval",
    "bleu": "bleu ibleu",
    "operations": "ld_source ld_reference splits compression copied exact_copies deletions replacements",
    "bertscore": "bertscore_p bertscore_r bertscore_f1",
    "meteor": "meteor meteor_source meteor_qats",
    "stem_recall": "stem_recall",
    "baselines": "rouge1 rouge2 rougeL ter wer tbleu cosine",
    "cefr": "cefr cefr_source cefr_drop cefr_hit cefr_adjacent",
}
"""The names of the built-in metrics by module, in listed order; languages and plug-ins add more."""
BUILTIN: Mapping[str, str] = {name: module for module, names in MODULES.items() for name in names.split()}


def _check(name: str, given: object) -> MetricFactory:
    """The class or function of an entry point, called once to check that it makes a metric with a name."""
    if name in BUILTIN or name in _of_languages():
        raise ValueError(f"sema's own {name!r} is used in its place; give it another name")
    if isinstance(given, Metric):
        raise TypeError("it is a metric and makes none; name its class")
    make = factory(name, given, Metric)  # type: ignore[type-abstract]
    made = make()
    if not isinstance(getattr(made, "name", None), str):
        raise TypeError(f"the metric {type(made).__name__} has no name")
    return make


GROUP = Group("sema.metrics", _check)


def _of_languages() -> dict[str, str]:
    """The places (``"module:Class"``) of the metrics of installed languages, by name."""
    languages = [language for language in installed_languages() if isinstance(language, Language)]
    return {name: place for language in languages for name, place in language.metrics.items() if name not in BUILTIN}


def _builtin(name: str) -> type[Metric]:
    module = import_module(f"sema.metrics.{BUILTIN[name]}")
    return next(
        candidate
        for candidate in vars(module).values()
        if isinstance(candidate, type) and vars(candidate).get("name") == name
    )


def listed_metrics() -> dict[str, type[Metric]]:
    """The metrics of this package and of installed languages, by name; plug-ins are in :data:`GROUP`."""
    return {name: _builtin(name) for name in BUILTIN} | {name: load(at) for name, at in _of_languages().items()}


def installed_metrics() -> Iterator[tuple[str, type[Metric] | Metric | Broken]]:
    """Every metric that can be named, and the plug-ins that are broken."""
    yield from listed_metrics().items()
    for plugin in GROUP.all():
        yield plugin.name, plugin if isinstance(plugin, Broken) else plugin.made()


def metric_names() -> list[str]:
    """All names, built-in ones first; plug-ins are not loaded."""
    return list(dict.fromkeys([*BUILTIN, *_of_languages(), *GROUP.names()]))


def default_metrics(*, scenes: bool = True) -> list[str]:
    """The names of the metrics scored when none is named; without ``scenes`` only those that need no Scenes."""
    defaults = [name for name in BUILTIN if _builtin(name).default]
    return [name for name in defaults if scenes or Need.SCENES not in _builtin(name).requires]


def metric_factory(name: str, language: Language | None = None) -> MetricFactory:
    """What makes a metric, the language's own first; an error if it is not installed (the nearest name) or broken."""
    if name in BUILTIN:
        return _builtin(name)
    own = language.metrics.get(name) if language else None
    place = own or _of_languages().get(name)
    factory: MetricFactory | None = load(place) if place else GROUP.get(name)
    if factory is None:
        raise UnknownNameError("metric", name, metric_names())
    return factory


@contained()
def make_metric(name: str, settings: Settings | None = None, language: Language | None = None) -> Metric:
    """The metric of a name, built with its settings; a family's name must name two metrics.

    A name that the ``language`` gives a metric of its own means that one: ``fk`` is a German formula for German.
    """
    settings = settings or Settings()
    family, parts = _parts(name)
    if not family:
        base, options = _options(name)
        if not options:
            return renamed(settings.build(name, metric_factory(name, language)), name)
        own = {f"{base}.{option}": value for option, value in options.items()}
        Settings(own).check(components([base], language))
        return renamed(settings.updated(own).build(base, metric_factory(base, language)), name)
    if len(parts) != 2 or not all(parts):
        raise UsageError(f"{name!r} must name two metrics, as in {family}:sari,samsa")
    return CombinedMetric(family, *(make_metric(part, settings, language) for part in parts))


def components(names: Sequence[str], language: Language | None = None) -> dict[str, MetricFactory]:
    """The classes of named metrics, those inside families too, by the names that settings use."""
    bases = [_options(part)[0] for name in names for part in _parts(name)[1]]
    return {base: metric_factory(base, language) for base in bases}


COMMA = re.compile(r",(?![^\[\]]*\])")
"""A comma between names, not between a variant's options."""


def _parts(name: str) -> tuple[str, list[str]]:
    """A family with the names after its colon; for any other metric no family, and the name alone."""
    family, colon, rest = name.partition(":")
    if colon and family in FAMILIES:
        return family, [part.strip() for part in COMMA.split(rest)]
    return "", [name]


def _options(name: str) -> tuple[str, dict[str, str]]:
    """The name of a metric and the options of a variant: ``bleu[smoothing=exp]``."""
    base, bracket, rest = name.partition("[")
    if not bracket:
        return name, {}
    pairs = [pair.partition("=") for pair in rest.removesuffix("]").split(",")]
    if not rest.endswith("]") or not all(sign for _, sign, _ in pairs):
        raise UsageError(f"{name!r} is not a variant of a metric; write name[option=value], as in bleu[smoothing=exp]")
    return base.strip(), {option.strip(): value.strip() for option, _, value in pairs}


def parse_names(text: str) -> list[str]:
    """Split a comma-separated list of names, of at least one; a family's name takes the two parts after its colon."""
    parts = [part.strip() for part in COMMA.split(text)]
    names: list[str] = []
    while parts:
        part = parts.pop(0)
        if _parts(part)[0] and parts:
            part = f"{part},{parts.pop(0)}"
        if part and part not in names:
            names.append(part)
    if not names:
        raise UsageError("no metric is named; see `sema metrics` for the names")
    return names
