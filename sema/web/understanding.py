"""Detects what a request leaves open: the language, sentences or passages, and the metrics that fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool

from sema.analysis.analyser import Analyser
from sema.display.pictures.words import say
from sema.errors import InputError, SemaError
from sema.metrics.base import Metric
from sema.metrics.registry import default_metrics, make_metric
from sema.model.item import Need
from sema.model.language import Language
from sema.options import Settings
from sema.scoring.engine import Level
from sema.web.lanes import characters
from sema.web.service import Service

SAMPLE = 40
"""Items that are read; a file may have thousands."""


@dataclass(frozen=True)
class Understood:
    """The language and the level of texts.

    Attributes:
        lang: the code of the language that was given or detected.
        name: the language's name.
        sure: whether the language is clear from the texts; true if it was given.
        level: ``passage`` where most items have more than one sentence in the source and in an output.
    """

    lang: str
    name: str
    sure: bool
    level: Level


async def understand(
    service: Service,
    sources: Sequence[Any],
    systems: Sequence[Sequence[Any]],
    lang: str = "",
    level: Level | None = None,
) -> Understood:
    """Detect what was not given.

    Args:
        service: has the languages.
        sources: a text for each item; the first ones are read. Texts that are errors are left out.
        systems: for each system a text for each item.
        lang, level: as given; ``""`` and ``None``: to detect.

    Raises:
        InputError: no language can be told from the texts.
    """
    items = [index for index, source in enumerate(sources[:SAMPLE]) if _is_text(source)]
    sure = True
    if not lang:
        guess = await run_in_threadpool(service.detect, "\n".join(_plain(sources[index]) for index in items))
        if guess is None:
            raise InputError("the language cannot be told from the original; choose it")
        lang, sure = guess
    if level is None:
        outputs = [[system[index] for index in items] for system in systems]
        level = await _level(service, lang, [sources[index] for index in items], outputs)
    return Understood(lang, service.language(lang).name, sure, level)


async def _level(service: Service, lang: str, sources: list[Any], systems: list[list[Any]]) -> Level:
    columns = [sources, *systems]
    texts = [text if _is_text(text) else "" for column in columns for text in column]

    def count(analyser: Analyser) -> list[int]:
        segmented = [*analyser.sources.segment(texts[:size]), *analyser.outputs.segment(texts[size:])]
        return [len(text.sentences) for text in segmented]

    size = len(sources)
    counts = await service.call(lang, count, characters(texts))
    rows = [counts[start : start + size] for start in range(0, len(counts), size or 1)]
    several = sum(rows[0][item] > 1 and any(row[item] > 1 for row in rows[1:]) for item in range(size))
    return "passage" if 2 * several > size else "sentence"


def fitting(names: Sequence[str] | None, language: Language, level: Level) -> tuple[list[str] | None, list[str]]:
    """The metrics that are defined for a language and a level, and a sentence about those that are left out.

    ``None`` stands for the defaults, which leave out metrics of Scenes where a language has none.

    Raises:
        InputError: none is left.
    """
    wanted = default_metrics(scenes=bool(language.extractors)) if names is None else names
    made = {name: make_metric(name, Settings(local=False)) for name in wanted}

    def unfit(metric: Metric) -> str:
        if Need.SCENES in metric.requires and not language.extractors:
            return f"nothing finds Scenes in {language.name}"
        return "it is about single sentences, and these are passages" if _is_unfit(metric, level) else ""

    reasons = {name: reason for name, metric in made.items() if (reason := unfit(metric))}
    notes = [say(f"{name} is left out: {reason}.") for name, reason in reasons.items()]
    if len(reasons) == len(made):
        raise InputError(f"{' '.join(notes)} {say('Choose another metric')}")
    return None if names is None else [name for name in names if name not in reasons], notes


def _is_unfit(metric: Metric, level: Level) -> bool:
    return level == "passage" and metric.whole_sources


def _is_text(text: Any) -> bool:
    return text is not None and not isinstance(text, SemaError)


def _plain(text: Any) -> str:
    return text if isinstance(text, str) else " ".join(text)
