"""Commands, and the objects that their arguments choose."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sema.cli.arguments import Argument
from sema.errors import Keyword, UsageError, kind_of
from sema.languages import find_language
from sema.model.language import Parts
from sema.options import Settings, docstring
from sema.plugins import Group

if TYPE_CHECKING:
    from sema.analysis.analyser import Analyser


@dataclass
class Command:
    """A command: ``run`` returns the exit status; its name and docstring are the command's name and help."""

    run: Callable[[argparse.Namespace], int]
    arguments: Sequence[Argument]

    def __post_init__(self) -> None:
        self.name = self.run.__name__
        self.help = docstring(self.run)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments to the command's parser."""
        groups: dict[str, argparse._ActionsContainer] = {"": parser}
        for names, options, group in self.arguments:
            if group not in groups:
                groups[group] = parser.add_argument_group(group)
            groups[group].add_argument(*names, **options)

    def spell(self, keyword: Keyword) -> str:
        """A keyword argument of the library as this command's flag: ``--resume``, ``--rater COLUMN``, ``--no-segment``.

        As Python writes it if the command has no such flag.
        """
        name = f"no_{keyword.name}" if keyword.value == "False" else keyword.name
        flag = f"--{name.replace('_', '-')}"
        options = next((one.options for one in self.arguments if one.names[-1] == flag), None)
        if options is None:
            return str(keyword)
        value = keyword.value.strip("'")
        return flag if options.get("action") == "store_true" else f"{flag} {value}"


def command(*arguments: Argument) -> Callable[[Callable[[argparse.Namespace], int]], Command]:
    """Make a function a command; its docstring is the help, of which the first line is shown in lists of commands."""
    return lambda run: Command(run, arguments)


def _declared(name: str, given: object) -> Command:
    """A plug-in's command; its arguments are added to a parser once, as a check."""
    if not isinstance(given, Command):
        raise TypeError(f"{name!r} names {kind_of(given)} and no command; use the decorator sema.cli.commands.command")
    given.add_arguments(argparse.ArgumentParser())
    return given


PLUGINS: Group[Command] = Group("sema.commands", _declared)
"""The commands of plug-ins; the name of the entry point is the command's."""


def chosen(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The values of some arguments by name, to pass on as keyword arguments."""
    return {name: getattr(arguments, name) for name in names}


def names(text: str | None) -> list[str]:
    """The names in a list with commas; empty without a text."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def pairs(given: Sequence[str], flag: str, names: str) -> dict[str, str]:
    """The values of a repeated option that takes ``NAME=VALUE``, by name; ``names`` says what the names are."""
    for text in given:
        if "=" not in text:
            raise UsageError(f"{flag} {text!r} has no value; write {names}=VALUE")
    split = (text.split("=", 1) for text in given)
    return {name.strip(): value.strip() for name, value in split}


def setting_values(given: Sequence[str]) -> dict[str, object]:
    """The values of ``--set``, by the options' names."""
    return {**pairs(given, "--set", "COMPONENT.OPTION")}


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings of ``--set``; with ``--tokenized`` the default tokenizer is none."""
    defaults: dict[str, object] = {"tokenizer": "none"} if arguments.tokenized else {}
    return Settings(setting_values(arguments.settings), defaults)


def make_parts(
    arguments: argparse.Namespace,
    settings: Settings,
    others: Mapping[str, Callable[..., object]] | None = None,
    *,
    extractors: bool = True,
) -> Parts:
    """The parts of the language that the arguments name; every setting must reach one, or one of the ``others``."""
    language = find_language(arguments.lang)
    settings.check(others or {}, language.components(extractors=extractors))
    return language.parts(**chosen(arguments, "extractor", "aligner"), settings=settings)


def make_analyser(arguments: argparse.Namespace) -> Analyser:
    """The analyser of the language that the arguments name."""
    from sema.analysis.analyser import Analyser

    return Analyser(make_parts(arguments, settings_of(arguments)))
