"""Simplifiers, found through entry points.

A package adds one with an entry point in the group ``sema.simplifiers``: the name is the simplifier's, the object a
class or function whose keyword arguments are its options (:mod:`sema.options`) and that returns a
:class:`~sema.model.simplifier.Simplifier`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from sema.errors import UnknownNameError
from sema.model.simplifier import Simplifier
from sema.options import Settings
from sema.plugins import Group

SimplifierFactory = Callable[..., Simplifier]


def _check(name: str, found: object) -> SimplifierFactory:
    """What an entry point names; it is called when it is asked for, since its rules may be large."""
    if not callable(found):
        raise TypeError(f"{name!r} names no function that returns a Simplifier")
    return cast(SimplifierFactory, found)


GROUP = Group("sema.simplifiers", _check)


def find_simplifier(name: str, settings: Settings | None = None) -> Simplifier:
    """The simplifier of a name, with what was set for it (``ppdb.rules``).

    Raises:
        UnknownNameError: no installed package offers that name.
        ResourceError: the package that offers it is broken.
        InputError: a setting reaches nothing, or has a wrong value.
    """
    factory = GROUP.get(name)
    if factory is None:
        raise UnknownNameError("simplifier", name, GROUP.names())
    settings = settings or Settings()
    settings.check({name: factory})
    return settings.build(name, factory)
