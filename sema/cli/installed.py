"""What is installed: ``sema languages``, ``metrics``, ``models``, ``doctor``; completion of commands in a shell."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, entry_points, version

from sema import __version__
from sema.analysis.matching import Matching
from sema.cli.arguments import Given, Target, argument, choice, flag
from sema.cli.commands import PLUGINS, command
from sema.cli.messages import print_columns, progress_bar
from sema.display.tables import Row, Table
from sema.errors import ResourceError, extras, one_line
from sema.languages import find_language, installed_languages
from sema.model.item import Need
from sema.model.language import Language
from sema.model.text import visible
from sema.options import options_of
from sema.plugins import Broken

MODELS = "sema.models"
"""The group of entry points that install models: functions that take a model's code and return its place."""


@command(argument("code", "CODE", "show this language and its options", nargs="?"))
def languages(arguments: argparse.Namespace) -> int:
    """List the installed languages and what each one has
    The first extractor (under Scenes) and the first aligner of a language are its defaults. With a code: the language's
    parts and their options, which `--set PART.OPTION=VALUE` sets.

    examples:
      sema languages
      sema languages zh"""
    if arguments.code is None:
        table = language_table()
        blocks = []
        for code, name, *parts, source in (map(str, row) for row in table.rows):
            named = zip(table.header[2:], parts, strict=False)
            lines = [f"  {part:<10} {text}" for part, text in named if text not in ("", NONE)]
            blocks.append("\n".join(map(visible, [f"{code}  {name} ({source})", *lines])))
        print("\n\n".join(blocks))
        return 0
    language = find_language(arguments.code)
    lines = [f"{language.code}: {language.name}{f', {language.models}' if language.models else ''}"]
    if language.figures:
        measured = ", ".join(f"{name} {value:.1f}" for name, value in language.figures.items())
        lines.append(f"  measured, in percent: {measured}")
    for name, factory in language.components().items():
        role = "extractor" if name in language.of_sources.extractors else "aligner" if name in language.aligners else ""
        options = _options("    ", name, factory)
        if options or role:
            lines += [f"  {name} ({role})" if role else f"  {name}", *options]
    print(*map(visible, lines), sep="\n")
    return 0


def _options(indent: str, name: str, factory: Callable[..., object]) -> list[str]:
    return [f"{indent}--set {name}.{option}" for option in options_of(factory).values()]


NONE = "-"


def language_table() -> Table:
    """The installed languages with their parts, for the list and the documentation."""
    rows: list[Row] = []
    header = ["code", "language", *_parts(next(one for one in installed_languages() if isinstance(one, Language)))]
    for language in installed_languages():
        if isinstance(language, Broken):
            rows.append([language.name, str(language), *[""] * (len(header) - 2), language.distribution])
        else:
            cells = [text or NONE for text in _parts(language).values()]
            rows.append([language.code, language.name, *cells, language.source])
    return Table("Languages", [*header, "from"], rows)


def _parts(language: Language) -> dict[str, str]:
    """What a language has, by kind; empty where it has none."""
    own = [name.removesuffix("_level").upper() for name in language.metrics if name.endswith("_level")]
    scenes = " ".join(language.extractors)
    return {
        "Scenes": f"{scenes} ({language.models})" if scenes and language.models else scenes,
        "meaning": "links" if language.cross_encoder is None else "network",
        "levels": " ".join([*(["CEFR"] if language.levels is not None else []), *own]),
        "lexicon": "yes" * (language.lexicon is not None),
        "BERTScore": "yes" * (language.token_encoder is not None),
        "judges": "yes" * (language.judges is not None),
        "aligners": " ".join(language.aligners),
    }


@command(argument("name", "NAME", "show this metric and its options", nargs="?"))
def metrics(arguments: argparse.Namespace) -> int:
    """List the metrics: name, whether it is a default, whether it needs references, what it measures
    mean:A,B and gmean:A,B are the arithmetic and the geometric mean of two metrics, as in `--metrics mean:sari,samsa`.
    With a name: what the metric measures and its options, which `sema score --set NAME.OPTION=VALUE` sets.

    examples:
      sema metrics
      sema metrics bleu"""
    from sema.metrics.registry import installed_metrics, metric_factory

    if arguments.name is not None:
        from sema.scoring.engine import MATCH

        factory = metric_factory(arguments.name)
        options = _options("  ", arguments.name, factory)
        if Need.SCENES in getattr(factory, "requires", ()):
            options += _options("  ", MATCH, Matching)
        description = getattr(factory, "description", "") or factory().description
        print(*map(visible, [f"{arguments.name}: {description}", *(options or ["  it has no options"])]), sep="\n")
        return 0
    rows = []
    for name, metric in installed_metrics():
        if isinstance(metric, Broken):
            rows.append([name, "broken", "", str(metric)])
        else:
            default = "default" if getattr(metric, "default", False) else ""
            needs = "references" if Need.REFERENCES in getattr(metric, "requires", ()) else ""
            rows.append([name, default, needs, getattr(metric, "description", "")])
    print_columns(["metric", "", "needs", "what it measures"], rows)
    return 0


@command(
    choice("action", ("install",), "what to do"),
    argument("code", "CODE", "Stanza's code of the language: zh-hans, en, fr ..."),
)
def models(arguments: argparse.Namespace) -> int:
    """Install models that do not ship (needs the network; nothing else in sema does)
    Scoring uses them where they are installed; without, it uses the models that ship.

    example:
      sema models install zh-hans"""
    installers = list(entry_points(group=MODELS))
    if not installers:
        raise ResourceError("no installed package offers models; reinstall sema")
    print(installers[0].load()(arguments.code))
    return 0


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


@command(choice("shell", ("bash", "zsh", "tcsh"), "the shell to complete in"))
def completion(arguments: argparse.Namespace) -> int:
    """Print a script that completes sema's commands, options and files in a shell
    Commands of plug-ins are those that are installed when the script is printed.

    examples:
      mkdir -p ~/.local/share/bash-completion/completions ~/.zfunc
      sema completion bash > ~/.local/share/bash-completion/completions/sema
      sema completion zsh > ~/.zfunc/_sema"""
    import shtab

    parser: argparse.ArgumentParser = arguments.whole_parser()
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    for action in (action for named in commands.choices.values() for action in named._actions):
        if isinstance(action.type, type) and issubclass(action.type, Given | Target):
            action.complete = shtab.FILE
    print(shtab.complete(parser, arguments.shell))
    return 0
