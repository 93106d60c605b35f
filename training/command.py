"""The commands of trainers."""

from __future__ import annotations

import argparse
import inspect
import logging
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

_FORM = argparse.RawDescriptionHelpFormatter


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Make a function the command of its module, whose docstring is the help.

    Parameters with a default become options, keyword-only ones without a default required options, the others
    arguments; a bool is a flag, and the strings of ``Literal`` are the choices.
    """

    @wraps(function)
    def main(given: Sequence[str] | None = None) -> None:
        parser = argparse.ArgumentParser(description=function.__globals__["__doc__"], formatter_class=_FORM)
        signature = inspect.signature(function, eval_str=True)
        for name, one in signature.parameters.items():
            about: dict[str, Any] = {"type": one.annotation}
            if one.annotation is bool:
                about = {"action": "store_true"}
            elif get_origin(one.annotation) is Literal:
                about = {"choices": get_args(one.annotation)}
            elif Path in get_args(one.annotation):
                about = {"type": Path}
            if one.kind is one.VAR_POSITIONAL:
                parser.add_argument(name, nargs="+", **about)
            elif one.default is not one.empty:
                parser.add_argument(
                    f"--{name}", default=one.default, help=one.default and f"default: {one.default}", **about
                )
            elif one.kind is one.KEYWORD_ONLY:
                parser.add_argument(f"--{name}", required=True, **about)
            else:
                parser.add_argument(name, **about)
        values = vars(parser.parse_args(given))
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
        bound = inspect.BoundArguments(signature, values)  # type: ignore[arg-type]
        function(*bound.args, **bound.kwargs)

    return main
