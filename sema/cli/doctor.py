"""``sema doctor``: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import argparse
import platform
from importlib.metadata import PackageNotFoundError, version

from sema import __version__
from sema.cli.arguments import flag
from sema.cli.commands import PLUGINS, command
from sema.cli.messages import print_columns, progress_bar
from sema.errors import extras, one_line
from sema.languages import installed_languages
from sema.model.language import Language
from sema.plugins import Broken

CORE = ("numpy", "onnxruntime", "tokenizers", "scipy", "sacrebleu", "nltk")  # their versions affect the numbers
NOT_FOR_USERS = {"all", "dev", "train", "plugs", "docs"}
PARTS = ("segmenter", "extractor", "aligner", "probabilistic_aligner", "encoder", "wording", "cross_encoder", "levels")
NEEDS, BROKEN = "needs something", "does not work"


@command(flag("--full", "load every language's models and score a pair with its default metrics"))
def doctor(arguments: argparse.Namespace) -> int:
    """Say what is installed, what is missing and how to get it
    Exit status 1 if an installed language, metric or command does not work. What was left out by choice is listed with
    the remedy and is no fault.

    examples:
      sema doctor
      sema doctor --full"""
    from sema.metrics.registry import installed_metrics

    system = f"sema {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    print(system, ", ".join(f"{name} {_version(name)}" for name in CORE), "", sep="\n")
    extras_shown = [_extra(name, packages) for name, packages in extras().items() if name not in NOT_FOR_USERS]
    print_columns(["extra", "state", "how to get it"], extras_shown)
    found = []
    installed = installed_languages()
    with progress_bar("loading models") as progress:
        for place, language in enumerate(installed, 1):
            if isinstance(language, Broken):
                found.append(["language", language.name, BROKEN, language.distribution, str(language)])
            elif not language.is_family:
                found.append(["language", language.code, *_try(language, full=arguments.full)])
            progress(place, len(installed))
    broken = [("metric", made) for _, made in installed_metrics() if isinstance(made, Broken)]
    broken += [("command", plugin) for plugin in PLUGINS.all() if isinstance(plugin, Broken)]
    found += [[kind, plugin.name, BROKEN, plugin.distribution, str(plugin)] for kind, plugin in broken]
    print()
    print_columns(["part", "name", "state", "from", "what to do"], found)
    return 1 if any(row[2] == BROKEN for row in found) else 0


def _version(package: str) -> str:
    """The version of a distribution; empty if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _extra(name: str, packages: list[str]) -> list[str]:
    versions = {package: _version(package) for package in packages}
    if missing := [package for package, version in versions.items() if not version]:
        return [name, f"missing: {', '.join(missing)}", f"pip install {' '.join(missing)}"]
    return [name, ", ".join(map(" ".join, versions.items())), ""]


def _try(language: Language, *, full: bool) -> list[str]:
    """The language's state, its distribution, and what to do about it; with ``full`` a pair is scored."""
    from sema.scoring.scorer import Scorer

    try:
        if full:
            Scorer(language).score(["1 2 3."], ["1 2 3."])
        else:
            parts = language.parts()
            for name in PARTS:
                getattr(parts, name)  # which makes it
    except Exception as error:
        left_out = isinstance(error, ImportError) or isinstance(error.__cause__, ImportError)
        return [NEEDS if left_out else BROKEN, language.source, one_line(error)]
    return ["works" if full else "installed", language.source, ""]
