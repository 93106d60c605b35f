"""What an earlier room offers by means of a later one: the later room registers where it is, and no import leads up."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

_PLACES: dict[str, str] = {}


def provide(places: Mapping[str, str]) -> None:
    """Add functions: ``"module:function"`` by the name that they are asked for by, such as ``"Alignment.svg"``."""
    _PLACES.update(places)


def provided(name: str) -> Any:
    """The function of a name, loaded when it is first asked for; ``None`` if nothing has registered one."""
    place = _PLACES.get(name)
    if place is None:
        return None
    module, _, function = place.partition(":")
    return getattr(import_module(module), function)
