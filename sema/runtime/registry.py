"""Lazy registry of functions that higher layers provide: ``sema`` lists them, so no lower layer imports a higher."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any


def registered(name: str) -> Any:
    """The function of a name such as ``"Alignment.svg"``; ``None`` if there is none."""
    place = sys.modules["sema"]._PROVIDED.get(name)
    if place is None:
        return None
    module, _, function = place.partition(":")
    return getattr(import_module(module), function)
