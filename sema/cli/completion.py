"""``sema completion``: a script that completes commands, options and file names in a shell."""

from __future__ import annotations

import argparse

SHELLS = ("bash", "zsh", "tcsh")

FILES = ("FILE", "SOURCE", "OUTPUT", "REFERENCE", "RATINGS", "PATH")
FOLDERS = ("RUN", "DIR", "FOLDER")
"""Names of values that are files and folders, which the shell completes."""

HELP = """Print a script that completes sema's commands, options and files in a shell
Languages and metrics are those that are installed when the script is printed.

examples:
  mkdir -p ~/.local/share/bash-completion/completions ~/.zfunc
  sema completion bash > ~/.local/share/bash-completion/completions/sema
  sema completion zsh > ~/.zfunc/_sema"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema completion``."""
    parser.add_argument("shell", choices=SHELLS, help="the shell to complete in")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    from sema.cli.main import build_parser
    from sema.languages import installed_languages
    from sema.metrics.registry import metric_names
    from sema.plugins import Broken

    parser = build_parser()
    languages = [
        found.code for found in installed_languages() if not isinstance(found, Broken) and ":" not in found.code
    ]
    for action in _actions(parser):
        if action.dest == "lang":
            action.choices = languages
        elif action.dest == "metrics" and action.metavar == "NAMES":
            action.choices = metric_names()
        elif action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    print(shtab.complete(parser, arguments.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The parser's arguments and those of its commands."""
    found = []
    for action in parser._actions:
        found.append(action)
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                found += _actions(command)
    return found
