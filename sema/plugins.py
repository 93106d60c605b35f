"""Plug-ins: one loader for every entry-point group; a broken plug-in is reported and does not affect others."""

from __future__ import annotations

import ast
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, distributions, entry_points
from importlib.util import find_spec
from inspect import Parameter, signature
from itertools import accumulate
from traceback import walk_tb
from types import FrameType
from typing import Any, Generic, TypeVar

from sema.errors import ResourceError, described, kind_of

Made = TypeVar("Made")
OWN = "sema-metrics"
"""The distribution of this package."""


@dataclass(frozen=True)
class Broken:
    """A plug-in that cannot be used: the entry point's name and value, who installed it, and why."""

    name: str
    distribution: str
    reason: str
    cause: BaseException | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.name!r} of {self.distribution} is broken: {self.reason}; repair or uninstall {self.distribution}"


@dataclass(frozen=True)
class Plugin(Generic[Made]):
    """A working plug-in: its name, its distribution, and the object it provides."""

    name: str
    distribution: str
    made: Made


class PluginExit(RuntimeError):
    """Code of a plug-in raised ``SystemExit``, ``KeyboardInterrupt`` or the like, which would end the process."""


_signals: ContextVar[list[int] | None] = ContextVar("signals", default=None)
"""The signals that arrived while code of plug-ins runs in this context; ``None`` if none runs."""


def in_plugin() -> bool:
    """Whether code of plug-ins may be running in this thread and context."""
    return _signals.get() is not None


@contextmanager
def contained() -> Iterator[None]:
    """Run code that may be a plug-in's, and turn an exit that it raises into an error.

    A ``KeyboardInterrupt`` or ``SystemExit`` that a signal caused passes through.

    Raises:
        PluginExit: names the distribution whose code raised the exit.
    """
    signals = _signals.get()
    with ExitStack() as stack:
        if signals is None:
            signals = []
            token = _signals.set(signals)
            stack.callback(_signals.reset, token)
            if threading.current_thread() is threading.main_thread():
                stack.enter_context(_noted(signals))
        try:
            yield
        except (Exception, GeneratorExit):
            raise
        except BaseException as error:
            if signals:
                raise
            raise PluginExit(f"{described(error)}, raised by {raiser(error)}") from error


@contextmanager
def _noted(signals: list[int]) -> Iterator[None]:
    """Append the signals that stop a process to a list when they arrive, and handle them as before."""

    def noting(handle: Callable[[int, FrameType | None], Any]) -> Callable[[int, FrameType | None], Any]:
        def handler(number: int, frame: FrameType | None) -> Any:
            signals.append(number)
            return handle(number, frame)

        return handler

    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    replaced = {number: handler for number, handler in handlers.items() if callable(handler)}
    try:
        for number, handler in replaced.items():
            signal.signal(number, noting(handler))
        yield
    finally:
        for number, handler in replaced.items():
            signal.signal(number, handler)


def raiser(error: BaseException) -> str:
    """The distribution of the plug-in whose code raised an error; the module if it is not a plug-in's."""
    names = [str(frame.f_globals.get("__name__", "")) for frame, _ in walk_tb(error.__traceback__)]
    owners = {
        point.module.partition(".")[0]: distribution(point)
        for installed in distributions()
        if installed.name != OWN
        for point in installed.entry_points
        if point.group.startswith("sema")
    }
    packages = (name.partition(".")[0] for name in reversed(names))
    return next((owners[package] for package in packages if package in owners), f"the module {names[-1]!r}")


def foreign_distributions(*objects: object) -> set[str]:
    """The names and versions of the distributions with plug-ins, other than this one, that objects come from."""
    modules = {type(each).__module__.partition(".")[0] for each in objects}
    points = [point for group in ("sema.languages", "sema.metrics") for point in points_of(group)]
    found = {distribution(point) for point in points if point.module.partition(".")[0] in modules and point.dist}
    return {where for where in found if not is_own_distribution(where)}


def points_of(group: str) -> Sequence[EntryPoint]:
    """The entry points of a group, by name; looked for again only if a folder of packages has changed."""
    return sorted(_points(tuple(map(_state, sys.path))).select(group=group), key=lambda point: point.name)


@lru_cache(maxsize=1)
def _points(places: tuple[tuple[object, ...], ...]) -> Any:
    return entry_points()


def _state(place: str) -> tuple[object, ...]:
    """What tells whether a folder is another one than before, or has other packages."""
    try:
        found = os.stat(place or os.curdir)
    except OSError:
        return (place,)
    return place, found.st_dev, found.st_ino, found.st_mtime_ns


def is_own_distribution(where: str) -> bool:
    """Whether a distribution's name and version are this one's."""
    return where.partition(" ")[0] == OWN


def distribution(point: EntryPoint) -> str:
    """Name and version of the distribution that an entry point belongs to."""
    return point.value if point.dist is None else f"{point.dist.name} {point.dist.version}"


def load(place: str) -> Any:
    """The object at ``"module:name"``."""
    module, _, name = place.partition(":")
    if not name:
        raise ValueError(f"{place!r} names no object; write module:name")
    return getattr(import_module(module), name)


def uncalled(name: str, given: object, kind: type[Made]) -> Callable[..., Made]:
    """The function that an entry point names, not yet called; it should return a ``kind``."""
    if not callable(given):
        raise TypeError(f"{name!r} names no function that returns a {kind.__name__}")
    return given


def factory(name: str, given: object, kind: type[Made]) -> Callable[..., Made]:
    """The function that an entry point names, called once as a check that it returns a ``kind``.

    Raises:
        TypeError: it returns anything else, or an argument of it, which is an option, has no default.
    """
    make = uncalled(name, given, kind)
    options: Mapping[str, Parameter] = {}
    with suppress(ValueError):  # what is written in C may have no signature
        options = signature(make).parameters
    for option, declared in options.items():
        if declared.default is Parameter.empty and declared.kind not in (
            Parameter.VAR_POSITIONAL,
            Parameter.VAR_KEYWORD,
        ):
            raise TypeError(f"its option {option!r} has no default; give it one where it is defined: {option}=VALUE")
    made = make()
    if not isinstance(made, kind):
        raise TypeError(f"its function returned {kind_of(made)} and no {kind.__name__}")
    return make


def _source_summary(point: EntryPoint) -> str:
    """The first line of the docstring of the function that an entry point names, from its source; empty if unknown."""
    top, *inner = point.module.split(".")
    try:
        spec: Any = find_spec(top)
        for name in accumulate(inner, "{}.{}".format, initial=top):
            spec = spec if name == top else PathFinder.find_spec(name, spec.submodule_search_locations)
        body = ast.parse(spec.loader.get_source(spec.name)).body
        (function,) = (one for one in body if isinstance(one, ast.FunctionDef) and one.name == point.attr)
    except Exception:  # no source, or a broken one: loading the plug-in says what is wrong
        return ""
    return (ast.get_docstring(function) or "").partition("\n")[0]


@dataclass
class Group(Generic[Made]):
    """The plug-ins of one entry-point group; ``make`` turns a name and an object into what is used, or raises."""

    group: str
    make: Callable[[str, object], Made]

    def names(self) -> list[str]:
        """The names of all entry points, sorted, including broken ones: nothing is imported."""
        return [point.name for point in points_of(self.group)]

    def summaries(self) -> dict[str, str]:
        """The first line of the docstring of each plug-in's function, or its distribution: nothing is imported."""
        return {point.name: _source_summary(point) or f"(of {distribution(point)})" for point in points_of(self.group)}

    def find(self, name: str) -> Plugin[Made] | Broken | None:
        """The plug-in of that name, loaded; ``None`` if none is installed."""
        return next((self._load(point) for point in points_of(self.group) if point.name == name), None)

    def working(self, name: str) -> Plugin[Made] | None:
        """The plug-in of that name, loaded; ``None`` if none is installed; a ``ResourceError`` if it is broken."""
        plugin = self.find(name)
        if isinstance(plugin, Broken):
            raise ResourceError(str(plugin)) from plugin.cause
        return plugin

    def get(self, name: str) -> Made | None:
        """The object of the plug-in of that name, as :meth:`working` finds it."""
        plugin = self.working(name)
        return None if plugin is None else plugin.made

    def all(self) -> Iterator[Plugin[Made] | Broken]:
        """Every plug-in by name, loaded."""
        return map(self._load, points_of(self.group))

    def _load(self, point: EntryPoint) -> Plugin[Made] | Broken:
        try:
            with contained():
                return Plugin(point.name, distribution(point), self.make(point.name, point.load()))
        except Exception as error:
            return Broken(point.name, distribution(point), described(error), error)
