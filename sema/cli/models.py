"""``sema models``: install models that do not ship, where the user is online."""

from __future__ import annotations

import argparse

GROUP = "sema.models"
"""Entry points that install models: the object is called with a model's code and returns where it went."""

HELP = """Install models that do not ship (needs the network; nothing else in sema does)
Scoring uses them where they are installed; without, it uses the models that ship.

example:
  sema models install zh-hans"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema models``."""
    parser.add_argument("action", choices=("install",), help="what to do")
    parser.add_argument("code", metavar="CODE", help="Stanza's code of the language: zh-hans, en, fr ...")


def run(arguments: argparse.Namespace) -> int:
    """Install, and say where the files went."""
    from importlib.metadata import entry_points

    from sema.errors import ResourceError

    installers = list(entry_points(group=GROUP))
    if not installers:
        raise ResourceError("no installed package offers models; reinstall sema")
    print(installers[0].load()(arguments.code))
    return 0
