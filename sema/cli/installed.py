"""``sema languages``, ``sema metrics``, ``sema models``, ``sema completion``: what is installed; shell completion."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import entry_points

from sema.analysis.matching import Matching
from sema.cli.arguments import Given, Target, argument, choice
from sema.cli.commands import command
from sema.cli.messages import print_columns
from sema.display.tables import Row, Table
from sema.errors import ResourceError, UnknownNameError, UsageError
from sema.languages import ANY, find_language, installed_languages
from sema.model.item import Need
from sema.model.language import Language
from sema.model.text import visible
from sema.options import options_of
from sema.plugins import Broken

MODELS = "sema.models"
"""The group of entry points that install models: functions that take a model's code and return its place."""
FOLDERS = ("RUN", "DIR", "FOLDER")  # names of values that are folders; others that are read or written are files


@command(argument("code", "CODE", "show this language and its options", nargs="?"))
def languages(arguments: argparse.Namespace) -> int:
    """List the installed languages: what each one has, and what would add the rest
    The first extractor (under Scenes) and the first aligner of a language are its defaults. With a code: the language's
    parts and their options, which `--set PART.OPTION=VALUE` sets.

    examples:
      sema languages
      sema languages zh"""
    if arguments.code is None:
        blocks = []
        for code, name, *parts, source in (map(str, row) for row in language_table().rows):
            named = [(part, line) for part, text in zip(HEADER[2:], parts, strict=False) for line in text.split("; ")]
            lines = [f"  {part:<10} {line}" for part, line in named if line not in ("", NONE)]
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
        options = [f"    --set {name}.{option}" for option in options_of(factory).values()]
        if options or role:
            lines += [f"  {name} ({role})" if role else f"  {name}", *options]
    print(*map(visible, lines), sep="\n")
    return 0


NONE = "-"
ADD = "to add"
HEADER = ("code", "language", "Scenes", "meaning", "levels", "lexicon", "BERTScore", "judges", "aligners", ADD, "from")
LACKING = {
    "Scenes": "Scenes: --lang ud:CODE after `sema models install CODE` (extra `stanza`)",
    "meaning": "the network of `meaning`: --lang CODE (extra `languages`)",
    "levels": "levels: a classifier of yours (cefr.model=FOLDER)",
    "BERTScore": "BERTScore: an encoder of yours (bertscore_f1.model=FOLDER)",
}
"""What adds a part that a language lacks."""


def language_table() -> Table:
    """The installed languages with their parts and what would add others, for the list and the documentation."""
    rows: list[Row] = [
        [language.name, str(language), *[""] * (len(HEADER) - 3), language.distribution]
        if isinstance(language, Broken)
        else [language.code, language.name, *parts_of(language), language.source]
        for language in installed_languages()
    ]
    return Table("Languages", list(HEADER), rows)


def parts_of(language: Language) -> list[str]:
    """The cells of a language in the list: its parts, and what would add those that it lacks."""

    def shown(part: object, name: str = "yes") -> str:
        return "" if part is None else name

    own = [name.removesuffix("_level").upper() for name in language.metrics if name.endswith("_level")]
    has = {
        "Scenes": " ".join(language.extractors),
        "meaning": shown(language.cross_encoder, "network"),
        "levels": " ".join(filter(None, [shown(language.levels, "CEFR"), *own])),
        "lexicon": shown(language.lexicon),
        "BERTScore": shown(language.token_encoder),
        "judges": shown(language.judges),
        "aligners": " ".join(language.aligners),
    }
    remedies = dict(LACKING)
    with suppress(UsageError):  # a family of codes
        try:  # the networks' language of this code, whose place a plug-in has taken
            code = find_language(f"{ANY}:{language.code}").code
            remedies["meaning"] = remedies["meaning"].replace("CODE", f"{ANY}:{code}")
        except UnknownNameError:
            del remedies["meaning"]
    lacking = "; ".join(remedy for part, remedy in remedies.items() if not has[part])
    if has["Scenes"] and language.models:
        has["Scenes"] += f" ({language.models})"
    has["meaning"] = has["meaning"] or "links"
    return [text or NONE for text in (*has.values(), lacking)]


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
        description = getattr(factory, "description", "") or factory().description
        parts: dict[str, Callable[..., object]] = {arguments.name: factory}
        if Need.SCENES in getattr(factory, "requires", ()):
            parts[MATCH] = Matching
        options = [f"  --set {part}.{option}" for part, made in parts.items() for option in options_of(made).values()]
        lines = [f"{arguments.name}: {description}", *(options or ["  it has no options"])]
        print(*map(visible, lines), sep="\n")
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


@command(choice("shell", ("bash", "zsh", "tcsh"), "the shell to complete in"))
def completion(arguments: argparse.Namespace) -> int:
    """Print a script that completes sema's commands, options and files in a shell
    Languages and metrics are those that are installed when the script is printed.

    examples:
      mkdir -p ~/.local/share/bash-completion/completions ~/.zfunc
      sema completion bash > ~/.local/share/bash-completion/completions/sema
      sema completion zsh > ~/.zfunc/_sema"""
    import shtab

    from sema.metrics.registry import metric_names

    installed = [language for language in installed_languages() if not isinstance(language, Broken)]
    codes = [language.code for language in installed if not language.is_family]
    parser: argparse.ArgumentParser = arguments.whole_parser()
    for action in _actions(parser):
        if action.dest in ("lang", "source_lang"):
            action.choices = codes
        elif action.dest == "metrics" and action.metavar == "NAMES":
            action.choices = metric_names()
        elif isinstance(action.type, type) and issubclass(action.type, Given | Target):
            place = shtab.DIRECTORY if action.metavar in FOLDERS else shtab.FILE
            action.complete = place  # type: ignore[attr-defined]
    print(shtab.complete(parser, arguments.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The parser's arguments and those of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
