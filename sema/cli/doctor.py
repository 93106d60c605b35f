"""``sema doctor``: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any

from sema.cli.commands import command, flag
from sema.cli.messages import progress_bar
from sema.errors import one_line

if TYPE_CHECKING:
    from sema.model.item import Item
    from sema.model.language import Language, Parts

CORE = ("numpy", "onnxruntime", "tokenizers", "scipy", "sacrebleu", "nltk")
"""Distributions whose versions affect the numbers."""

EXTRAS = {
    "parquet": (("pyarrow",), "tables in Parquet files"),
    "pandas": (("pandas",), "tables in Python"),
    "zh": (("stanza", "opencc"), "Stanza's models for Chinese and other languages"),
    "simalign": (("simalign",), "aligners of multilingual encoders"),
    "bertscore": (("torch", "transformers"), "BERTScore"),
    "hsk": (("openpyxl", "xlrd"), "HSK word lists, and results in Excel files"),
    "report": (("matplotlib",), "figures: sema report, sema compare --figure"),
    "tune": (("cma", "scikit-learn"), "sema tune"),
    "web": (("fastapi", "uvicorn", "python-multipart"), "sema serve"),
}
"""The distributions of each extra, and their purpose."""

LIBRARIES = ("evaluate", "torchmetrics", "lm_eval", "lighteval", "inspect_ai", "mbrs", "pandas", "scikit-learn")
"""Distributions that :mod:`sema.plugs` plugs into."""

WORDS = "1 2 3."
"""A text that every language can be tried on."""

TARGET = 2.0
"""The level that it should reach."""

WORKS, NEEDS, UNSUITED, BROKEN = "works", "needs something", "not for this language", "does not work"


@command(
    flag("--full", "load every model and score a pair with every metric"),
    flag("--quick", argparse.SUPPRESS),  # the default now
)
def doctor(arguments: argparse.Namespace) -> int:
    """Say what is installed, what is missing and how to get it
    Exit status 1 if a language or a metric that is installed does not work. What was left out by choice (an extra, a
    model that must be named) is listed with the remedy and is no fault. --full also loads every model and scores a pair
    with every metric, which takes a few seconds.

    examples:
      sema doctor
      sema doctor --full"""
    import platform

    from sema import __version__
    from sema.display.terminal import print_columns, print_lines

    versions = ", ".join(f"{name} {_version(name)}" for name in CORE)
    print_lines(
        [f"sema {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}", versions]
    )
    print_lines([""])
    print_columns(["extra", "state", "what for", "how to get it"], [_extra(name) for name in EXTRAS])
    print_lines([""])
    plugs = [[name, _version(name) or "", "" if _version(name) else f"pip install {name}"] for name in LIBRARIES]
    print_columns(["library", "version", "how to get it"], plugs)
    models: list[list[str]] = []
    languages, metrics = _languages(models, full=arguments.full)
    metrics += _broken_metrics()
    print_lines([""])
    print_columns(["language", "state", "from", "what to do"], languages)
    if metrics:
        print_lines([""])
        print_columns(["metric", "language", "state", "what to do"], _together(metrics))
    print_lines(["", "models"])
    print_columns(["language", "part", "version and digest"], models)
    return 1 if any(BROKEN in row[1:3] for row in (*languages, *metrics)) else 0


def _version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _extra(name: str) -> list[str]:
    packages, purpose = EXTRAS[name]
    missing = [package for package in packages if _version(package) is None]
    if not missing:
        return [name, ", ".join(f"{package} {_version(package)}" for package in packages), purpose, ""]
    return [name, f"missing: {', '.join(missing)}", purpose, f"pip install {' '.join(missing)}"]


def _languages(models: list[list[str]], *, full: bool) -> tuple[list[list[str]], list[list[str]]]:
    """A row for each language, and one for each metric that cannot be used as it is installed; ``models`` grows."""
    from sema.languages import installed_languages
    from sema.plugins import Broken

    rows, metrics = [], []
    found = installed_languages()
    with progress_bar("loading models") as progress:
        for place, language in enumerate(found, 1):
            if isinstance(language, Broken):
                rows.append([language.name, BROKEN, language.distribution, str(language)])
            elif ":" in language.code:
                remedy = "sema models install CODE"
                rows.append([language.code, "for languages whose models you have", language.source, remedy])
            else:
                state, remedy, unusable = _try(language, models, full=full)
                rows.append([language.code, state, language.source, remedy])
                metrics += unusable
            progress(place, len(found))
    return rows, metrics


def _try(language: Language, models: list[list[str]], *, full: bool) -> tuple[str, str, list[list[str]]]:
    """The language's state, what to do about it, and the metrics that need something or do not work; ``models`` grows.

    With ``full`` every metric scores a pair; without, it is only made for the language, which loads no network.
    """
    from time import perf_counter

    from sema.metrics.registry import default_metrics, metric_names

    start = perf_counter()
    try:
        parts = language.parts()
        models += _models(parts)
        item = _item(parts) if full else None
    except Exception as error:
        left_out = isinstance(error, ImportError) or isinstance(error.__cause__, ImportError)
        return NEEDS if left_out else BROKEN, one_line(error), []
    tried = [[name, language.code, *_try_metric(name, parts, item)] for name in metric_names()]
    unusable = [row for row in tried if row[2] not in (WORKS, UNSUITED)]
    failed = [row for row in unusable if row[0] in default_metrics()]
    if failed:
        return BROKEN, failed[0][3], unusable
    state = f"works ({perf_counter() - start:.1f} s to load and try)" if full else "installed"
    return state, "", unusable


def _item(parts: Parts) -> Item:
    """One analysed pair that has all that any metric asks for."""
    from dataclasses import replace

    from sema.analysis.analyser import Analyser
    from sema.errors import SemaError
    from sema.model.item import Need

    (found,) = Analyser(parts, tuple(Need)).items([WORDS], [WORDS])
    if isinstance(found, SemaError):
        raise found
    return replace(found, references=(WORDS,), target=TARGET)


def _try_metric(name: str, parts: Parts, item: Item | None) -> tuple[str, str]:
    """Whether a metric can score the item (or is there, without one), and what to do where it cannot."""
    from sema.errors import InputError, ResourceError
    from sema.metrics.registry import make_metric

    try:
        metric = make_metric(name).bind(parts)
        for row in metric.rows([item]) if item is not None else ():
            metric.value(row)
    except ResourceError as error:
        return NEEDS, one_line(error)
    except ModuleNotFoundError as error:
        return NEEDS, f"pip install {error.name}"
    except InputError as error:
        return UNSUITED, one_line(error)
    except Exception as error:
        return BROKEN, one_line(error)
    return WORKS, ""


def _together(metrics: list[list[str]]) -> list[list[str]]:
    """Metrics, and then languages, with the same state and remedy together in one row."""
    rows: list[list[str]] = []
    for column in (0, 1):
        joined: dict[tuple[str, ...], list[str]] = {}
        for row in metrics:
            remedy = re.sub(rf"\b{row[0]}\b(?!\.)", "…", row[3])
            known = joined.setdefault((*row[:column], *row[column + 1 : 3], remedy), [*row])
            if row[column] not in known[column].split(", "):
                known[column] += f", {row[column]}"
        rows = metrics = list(joined.values())
    return rows


def _broken_metrics() -> list[list[str]]:
    from sema.metrics.registry import installed_metrics
    from sema.plugins import Broken

    return [[name, "", BROKEN, str(found)] for name, found in installed_metrics() if isinstance(found, Broken)]


def _models(parts: Parts) -> list[list[str]]:
    """A language's parts as signatures name them: version and digest of what ships or is installed."""
    named: dict[str, Any] = {"text": parts.segmenter, "scenes": parts.extractor, "align": parts.aligner}
    named |= {"weights": parts.weigher, "encoder": parts.encoder, "reader": parts.reader}
    named |= {"meaning": parts.pair_reader, "levels": parts.levels}
    return [[parts.code, name, part.signature] for name, part in named.items() if part is not None]
