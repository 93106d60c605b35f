"""``sema doctor``: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import argparse
import platform
import re
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter
from typing import Any

from sema import __version__
from sema.cli.arguments import flag
from sema.cli.commands import PLUGINS, command
from sema.cli.messages import print_columns, progress_bar
from sema.cli.texts import usable
from sema.errors import InputError, ResourceError, extras, one_line
from sema.languages import installed_languages
from sema.model.item import Item, Need
from sema.model.language import Language, Parts
from sema.plugins import Broken

Rows = list[list[str]]

CORE = ("numpy", "onnxruntime", "tokenizers", "scipy", "sacrebleu", "nltk")  # their versions affect the numbers

EXTRAS = {
    "parquet": "tables in Parquet files",
    "pandas": "tables in Python",
    "zh": "Chinese",
    "languages": "`meaning` in any language, and across languages",
    "stanza": "Stanza's models for other languages (--lang ud:CODE)",
    "bertscore": "BERTScore",
    "hf": "`meaning` with an entailment model of your own",
    "office": "texts and results in Excel files",
    "report": "pictures of scores and levels: --figure, --plot",
    "rouge": "rouge1, rouge2, rougeL",
    "tune": "sema tune",
    "web": "sema serve",
    "ray": "many machines: --runner ray",
}
"""The purpose of each extra."""

LIBRARIES = ("evaluate", "torchmetrics", "lm_eval", "lighteval", "inspect_ai", "mbrs", "pandas", "scikit-learn")
"""Distributions that :mod:`sema.plugs` plugs into."""

WORDS, TARGET = "1 2 3.", 2.0  # a test text for every language, and its target level

WORKS, NEEDS, UNSUITED, BROKEN = "works", "needs something", "not for this language", "does not work"


@command(flag("--full", "load every model and score a pair with every metric"))
def doctor(arguments: argparse.Namespace) -> int:
    """Say what is installed, what is missing and how to get it
    Exit status 1 if an installed language, metric or command does not work. What was left out by choice (an extra, a
    model that must be named) is listed with the remedy and is no fault. --full also loads every model and scores a pair
    with every metric, which takes a few seconds.

    examples:
      sema doctor
      sema doctor --full"""
    from sema.metrics.registry import installed_metrics

    system = f"sema {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    print(system, ", ".join(f"{name} {_version(name)}" for name in CORE), "", sep="\n")
    print_columns(["extra", "state", "what for", "how to get it"], [_extra(name) for name in EXTRAS])
    print()
    plugs = [[name, found := _version(name), "" if found else f"pip install {name}"] for name in LIBRARIES]
    print_columns(["library", "version", "how to get it"], plugs)
    languages: Rows = []
    metrics: Rows = []
    models: Rows = []
    installed = installed_languages()
    with progress_bar("loading models") as progress:
        for place, language in enumerate(installed, 1):
            if isinstance(language, Broken):
                languages.append([language.name, BROKEN, language.distribution, str(language)])
            else:
                state, remedy = "for languages whose models you have", "sema models install CODE"
                if not language.is_family:
                    state, remedy = _try(language, metrics, models, full=arguments.full)
                languages.append([language.code, state, language.source, remedy])
            progress(place, len(installed))
    metrics += [[name, "", BROKEN, str(made)] for name, made in installed_metrics() if isinstance(made, Broken)]
    commands = [[plugin.name, BROKEN, str(plugin)] for plugin in PLUGINS.all() if isinstance(plugin, Broken)]
    for rows, header in (
        (languages, ["language", "state", "from", "what to do"]),
        (_together(metrics), ["metric", "language", "state", "what to do"]),
        (commands, ["command", "state", "what to do"]),
    ):
        if rows:
            print()
            print_columns(header, rows)
    print("\nmodels")
    print_columns(["language", "part", "version and digest"], models)
    return 1 if any(BROKEN in row[1:3] for row in (*languages, *metrics, *commands)) else 0


def _version(package: str) -> str:
    """The version of a distribution; empty if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _extra(name: str) -> list[str]:
    versions = {package: _version(package) for package in extras().get(name, [])}
    if missing := [package for package, version in versions.items() if not version]:
        return [name, f"missing: {', '.join(missing)}", EXTRAS[name], f"pip install {' '.join(missing)}"]
    return [name, ", ".join(map(" ".join, versions.items())), EXTRAS[name], ""]


def _try(language: Language, metrics: Rows, models: Rows, *, full: bool) -> tuple[str, str]:
    """The language's state, and what to do about it.

    Appends the metrics that need something or do not work to ``metrics``, and the language's models to ``models``. With
    ``full`` every metric scores a pair; without, it is only made for the language, which loads no network.
    """
    from sema.metrics.registry import default_metrics, metric_names

    start = perf_counter()
    try:
        parts = language.parts()
        named: dict[str, Any] = {"text": parts.segmenter, "scenes": parts.extractor, "align": parts.aligner}
        named |= {"weights": parts.probabilistic_aligner, "encoder": parts.encoder, "wording": parts.wording}
        named |= {"meaning": parts.cross_encoder, "levels": parts.levels}
        models += [[parts.code, name, part.signature] for name, part in named.items() if part is not None]
        item = _item(parts) if full else None
    except Exception as error:
        left_out = isinstance(error, ImportError) or isinstance(error.__cause__, ImportError)
        return NEEDS if left_out else BROKEN, one_line(error)
    tried = [[name, language.code, *_try_metric(name, parts, item)] for name in metric_names()]
    unusable = [row for row in tried if row[2] not in (WORKS, UNSUITED)]
    metrics += unusable
    for name, _, _, remedy in unusable:
        if name in default_metrics():
            return BROKEN, remedy
    return f"works ({perf_counter() - start:.1f} s to load and try)" if full else "installed", ""


def _item(parts: Parts) -> Item:
    """One analysed pair with everything that any metric needs."""
    from sema.analysis.analyser import Analyser

    (probe,) = usable(Analyser(parts, tuple(Need)).items([WORDS], [WORDS]))
    return replace(probe, references=(WORDS,), target=TARGET)


def _try_metric(name: str, parts: Parts, item: Item | None) -> tuple[str, str]:
    """Whether a metric can score the item (without one: whether it can be made), and what to do if not."""
    from sema.metrics.registry import make_metric

    try:
        metric = make_metric(name, language=parts.language).bind(parts)
        for row in metric.rows([item]) if item is not None else ():
            metric.value(row)
    except ModuleNotFoundError as error:
        return NEEDS, f"pip install {error.name}"
    except Exception as error:
        state = NEEDS if isinstance(error, ResourceError) else UNSUITED if isinstance(error, InputError) else BROKEN
        return state, one_line(error)
    return WORKS, ""


def _together(metrics: Rows) -> Rows:
    """Join rows with the same state and remedy: first over metrics, then over languages."""
    for column in (0, 1):
        joined: dict[tuple[str, ...], list[str]] = {}
        for row in metrics:
            remedy = re.sub(rf"\b{row[0]}\b(?!\.)", "…", row[3])
            known = joined.setdefault((*row[:column], *row[column + 1 : 3], remedy), [*row])
            if row[column] not in known[column].split(", "):
                known[column] += f", {row[column]}"
        metrics = list(joined.values())
    return metrics
