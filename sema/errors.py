"""Errors that a user can cause. Each is one sentence that names the place and says what to do."""

from __future__ import annotations

import difflib
import re
import sys
import traceback
from collections.abc import Callable, Collection, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires
from os import PathLike
from typing import Any, NamedTuple


class SemaError(Exception):
    """Base of everything this project raises on purpose; a pickle keeps the cause and its traceback as text."""

    def __reduce__(self) -> tuple[Any, ...]:
        cause = "".join(traceback.format_exception(self.__cause__)) if self.__cause__ else ""
        return _restored, (type(self), self.args, self.__dict__, cause)


class SemaWarning(UserWarning):
    """Something valid that is probably unintended: ``str()`` is one sentence with the remedy."""


class Keyword(NamedTuple):
    """A keyword argument that an error asks for, its value as Python writes it; the command line names its own flag."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"{self.name}={self.value}"


class InputError(SemaError, ValueError):
    """Unusable input; ``str()`` gives one line, ``FILE:LINE: message``.

    ``line`` is 1-based. Either part of the place may be unknown when the error is raised, and filled in later. ``item``
    is the number, from 0, of an item that is in no file. ``remedy`` is the end of the message, in pieces, if it asks
    for keyword arguments.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | PathLike[str] | None = None,
        line: int | None = None,
        item: int | None = None,
        remedy: Sequence[str | Keyword] = (),
    ) -> None:
        super().__init__(message)
        self._text, self._remedy = message, tuple(remedy)
        self.file = None if file is None else str(file)
        self.line, self.item = line, item

    @property
    def message(self) -> str:
        """The message without the place."""
        return self._message(str)

    def _message(self, spell: Callable[[Keyword], str]) -> str:
        remedy = "".join(part if isinstance(part, str) else spell(part) for part in self._remedy)
        return " ".join(f"{self._text}{remedy and f'; {remedy}'}".split())

    def spelled(self, spell: Callable[[Keyword], str]) -> str:
        """The line, with the keyword arguments that it asks for written by ``spell``."""
        message = self._message(spell)
        if self.line is not None:
            return f"{self.file}:{self.line}: {message}" if self.file else f"line {self.line}: {message}"
        place = self.file or (None if self.item is None else f"item {self.item}")
        return f"{place}: {message}" if place else message

    def __str__(self) -> str:
        return self.spelled(str)


class MissingText(InputError):
    """An output that is not there (``null``, NaN, an empty cell): its item is left out, counted and reported."""


class UsageError(InputError):
    """A wrong request (an unknown name, a wrong option, missing arguments): exit status 2 on the command line."""


def counted(number: int, thing: str) -> str:
    """``1 item``, ``2 items``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def kind_of(value: object) -> str:
    """The kind of a value: ``an int``, ``a str``; ``missing`` for ``None``."""
    if value is None:
        return "missing"
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def one_line(error: BaseException) -> str:
    """An error's message on one line; the name of its class if it has no message."""
    return " ".join(str(error).split()) or type(error).__name__


def described(error: BaseException) -> str:
    """An error's class and message on one line."""
    return f"{type(error).__name__}: {one_line(error)}" if str(error).strip() else type(error).__name__


def nearest(name: str, known: Collection[str]) -> str | None:
    """The known name that is spelled most like ``name``, if one is near enough to be meant."""
    return next(iter(difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.7)), None)


MOST_NAMES = 12
"""Known names that an error lists."""


class UnknownNameError(UsageError):
    """An unknown name (of a metric, option …): the known one that is ``meant``, or spelled most like it, is offered.

    ``of`` says where the name is unknown, ``remedy`` what else to do.
    """

    def __init__(
        self, what: str, name: str, known: list[str], *, of: str = "", meant: str | None = None, remedy: str = ""
    ) -> None:
        near = meant or nearest(name, known)
        shown = sorted(known) if len(known) <= MOST_NAMES else [*sorted(known)[:MOST_NAMES], "…"]
        hint = f"did you mean {near!r}?" if near else f"known: {', '.join(shown)}"
        super().__init__(f"unknown {what} {name!r}{of and f' {of}'}; {hint}{remedy and f'; {remedy}'}")


class ResourceError(SemaError):
    """Something that must be installed or named by the user is missing (a model, an extra, a command)."""


class RemoteTraceback(Exception):
    """The traceback of an exception of another process, as text."""


def _restored(kind: type[SemaError], args: tuple[Any, ...], state: dict[str, Any], cause: str) -> SemaError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    if cause:
        error.__cause__ = RemoteTraceback(f"\n{cause}")
    return error


def missing_package(name: str | None) -> ResourceError:
    """The error for a missing Python package; it says what to install: all packages of its extra, if it has one."""
    others = (of for extra, of in extras().items() if name in of and extra not in ("all", "dev", "train", "bench"))
    packages = next(others, [name or "it"])
    return ResourceError(f"the Python package {name!r} is missing: pip install {' '.join(packages)}")


def extras() -> dict[str, list[str]]:
    """The distributions of each of our extras on this machine; none in a checkout that is not installed."""
    from platform import machine

    try:
        declared = requires("sema-metrics") or []
    except PackageNotFoundError:
        declared = []
    found: dict[str, list[str]] = {}
    for line in declared:
        match = re.match(r"([\w.-]+).*extra == ['\"](\w+)['\"]", line)
        if match and ("sys_platform" not in line or (sys.platform, machine()) == ("linux", "x86_64")):
            found.setdefault(match[2], []).append(match[1])
    return found


def required(name: str) -> Any:
    """The module of a package that need not be installed; a ``ResourceError`` that says what to install."""
    try:
        return import_module(name)
    except ImportError as error:
        raise missing_package(name.partition(".")[0]) from error
