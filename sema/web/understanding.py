"""Detects what a request leaves open: the language, sentences or passages, and the metrics that fit.

The letters of a text decide its language, or else py3langid (BSD) does, the naive Bayes classifier over byte n-grams of
Lui and Baldwin (langid.py: An Off-the-shelf Language Identification Tool, ACL 2012), with a model of 139 languages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any

from starlette.concurrency import run_in_threadpool

from sema.analysis.analyser import Analyser
from sema.display.pictures.words import say
from sema.errors import InputError, SemaError, required
from sema.metrics.registry import default_metrics, make_metric
from sema.model.item import Need
from sema.model.language import Language, base_code
from sema.options import Settings
from sema.scoring.engine import Level
from sema.scoring.letters import LEAST_LETTERS, LEAST_SHARE, share_of
from sema.web.schemas import Detected
from sema.web.service import Service

SAMPLE = 40  # items that are read; a file may have thousands
SURE = 0.5  # the probability from which a guess counts as sure
READ = 4_000  # characters of a text that are read
MEMBERS = {"wuu": "zh", "yue": "zh", "ary": "ar", "arz": "ar", "nn": "no", "sdh": "ku", "uzs": "uz"}
"""The macrolanguages (ISO 639-3) of the members that the identifier knows: written, they are hard to tell apart."""


async def understand(
    service: Service, sources: Sequence[Any], systems: Sequence[Sequence[Any]], lang: str, level: Level | None
) -> Detected:
    """Detect the language and the level of texts where they are not given (``""`` and ``None``).

    The texts of the first items are read, those of ``sources`` and of each of the ``systems``; errors are left out.

    Raises:
        InputError: no language can be told from the texts.
    """
    items = [index for index, source in enumerate(sources[:SAMPLE]) if _is_text(source)]
    guess: tuple[str, bool] | None = (lang, True)
    if not lang:
        texts = [text if isinstance(text := sources[index], str) else " ".join(text) for index in items]
        guess = await run_in_threadpool(detect, "\n".join(texts), service.offered)
    if guess is None:
        raise InputError("the language cannot be told from the original; choose it")
    code, sure = guess
    if level is None:
        columns = [[column[index] for index in items] for column in (sources, *systems)]
        level = await _level(service, code, [[text if _is_text(text) else "" for text in column] for column in columns])
    return Detected(lang=code, name=service.language(code).name, sure=sure, level=level)


async def _level(service: Service, lang: str, columns: Sequence[Sequence[Any]]) -> Level:
    """``passage`` where most items have more than one sentence in the source and in an output."""

    def are_passages(analyser: Analyser) -> list[bool]:
        sides = [analyser.sources, *[analyser.outputs] * (len(columns) - 1)]
        texts = [side.segment(column) for side, column in zip(sides, columns, strict=True)]
        several = ([len(text.sentences) > 1 for text in item] for item in zip(*texts, strict=True))
        return [source and any(outputs) for source, *outputs in several]

    passages = await service.call(lang, are_passages, chain.from_iterable(columns))
    return "passage" if 2 * sum(passages) > len(passages) else "sentence"


def fitting(names: Sequence[str] | None, language: Language, level: Level) -> tuple[list[str] | None, list[str]]:
    """The metrics that are defined for a language and a level, and a sentence about those that are left out.

    ``None`` stands for the defaults, which leave out metrics of Scenes where a language has none.

    Raises:
        InputError: none is left.
    """
    wanted = default_metrics(scenes=bool(language.extractors)) if names is None else names
    reasons: dict[str, str] = {}
    for name in wanted:
        metric = make_metric(name, Settings(local=False))
        if Need.SCENES in metric.requires and not language.extractors:
            reasons[name] = f"nothing finds Scenes in {language.name}"
        elif level == "passage" and metric.whole_sources:
            reasons[name] = "it is about single sentences, and these are passages"
    notes = [say(f"{name} is left out: {reason}.") for name, reason in reasons.items()]
    if reasons.keys() >= set(wanted):
        raise InputError(say(" ").join([*notes, say("Choose another metric")]))
    return None if names is None else [name for name in names if name not in reasons], notes


def detect(text: str, languages: Sequence[Language]) -> tuple[str, bool] | None:
    """The code of the likeliest language, and whether the text says so clearly; ``None`` if it has no letters, or
    none of the languages has its letters.

    Languages that state their letters (``Language.scripts``) are preferred for texts too short to tell.
    """
    text = text[:READ]
    fitting = [language for language in languages if _fits(language, text)]
    if not fitting or not any(char.isalpha() for char in text):
        return None
    likelihoods: defaultdict[str, float] = defaultdict(float)
    for code, likelihood in _identifier().rank(text):
        likelihoods[MEMBERS.get(code, code)] += likelihood
    offered = {language.code: likelihoods[base_code(language.code)] for language in fitting}
    code, best = max(offered.items(), key=lambda entry: entry[1])
    total = sum(offered.values())
    # If a language that is not offered is far likelier, the guess is not sure.
    if total >= SURE and best / total >= SURE:
        return code, True
    known = [language.code for language in fitting if language.scripts]
    return max(known, key=offered.__getitem__) if known else code, False


@cache
def _identifier() -> Any:
    langid = required("py3langid.langid")
    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)


def _fits(language: Language, text: str) -> bool:
    # The text is repeated, since a short one has no share: even a few letters show the script, if not the language.
    share = share_of(text * LEAST_LETTERS, language.scripts) if language.scripts else None
    return share is None or share >= LEAST_SHARE


def _is_text(text: Any) -> bool:
    return text is not None and not isinstance(text, SemaError)
