"""Options of components: the keyword arguments of their constructors, typed and documented there.

::

    class Bleu(Metric):
        def __init__(self, *, smoothing: Annotated[Literal["floor", "exp"], "how zero counts are smoothed"] = "exp")

The text of ``Annotated`` is what ``sema metrics bleu`` shows. Types may be ``str``, ``int``, ``float``, ``bool``,
``Path``, a ``Literal`` of choices, and any of these ``| None``. An option of type ``Path``, or one with :data:`LOCAL`
after its text, names a file, a model or a command of this machine: requests to a server cannot set it. Arguments named
in :data:`SHARED` are not options: components that declare them are given the language's own parts.
"""

from __future__ import annotations

import ast
import inspect
import math
import sys
import textwrap
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from sema.errors import SemaError, UnknownNameError, UsageError, described, nearest

SHARED = ("segmenter", "lexicon", "encoder")
"""Parts of a language that its other parts may ask for, by the name of a constructor's argument."""

LOCAL = "local"
"""Marks, after its text, an option of another type than ``Path`` whose value names something of this machine."""

Made = TypeVar("Made")
Value = str | int | float | bool | Path | None


def docstring(of: Callable[..., object]) -> str:
    """The docstring of a class or function; from its source where Python drops docstrings (``-OO``)."""
    if of.__doc__ is not None or sys.flags.optimize < 2:
        return inspect.cleandoc(of.__doc__ or "")
    try:
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(of))).body
    except (OSError, SyntaxError, TypeError, ValueError):
        return ""
    return (isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)) or ""


@dataclass(frozen=True)
class Option:
    """An option of a component; ``kind`` is the plain type; ``local``: its value names something of this machine."""

    name: str
    kind: type
    default: object
    description: str
    choices: tuple[str, ...] = ()
    optional: bool = False
    local: bool = False

    def __str__(self) -> str:
        allowed = "|".join(self.choices) or ("yes|no" if self.kind is bool else self.kind.__name__)
        return f"{self.name}={allowed} (default: {self.shown(self.default)}): {self.description}"

    def shown(self, value: object) -> str:
        """A value as users write it."""
        if value is None:
            return "not set" if "none" in self.choices else "none"  # a choice of that name is something else
        if isinstance(value, bool):
            return "yes" if value else "no"
        return str(float(value) if self.kind is float and isinstance(value, int) else value)

    def read(self, component: str, value: object) -> Value:
        """The value, given as text or in its type, as the component takes it; a ``UsageError`` if it is not one."""
        if self.optional and (value is None or (value == "none" and "none" not in self.choices)):
            return None
        if self.choices and str(value) in self.choices:
            chosen: Value = self.kind(value)
            return chosen
        if self.choices:
            near = nearest(str(value), self.choices)
            hint = f"did you mean {near!r}?" if near else f"use one of {', '.join(self.choices)}"
            raise UsageError(f"{component}.{self.name} cannot be {value!r}; {hint}")
        converted = None if self.local and value == "" else _converted(self.kind, value)
        if converted is None:
            named = "a name or path" if self.local else "a text"
            wanted = {bool: "yes or no", int: "a whole number", float: "a number"}.get(self.kind, named)
            raise UsageError(f"{component}.{self.name} cannot be {value!r}; give {wanted}")
        return converted


_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _converted(kind: type, value: object) -> Value:
    if kind is bool:
        return _TRUTH.get(str(value).lower())
    if isinstance(value, bool) or not isinstance(value, str | int | float | Path):
        return None
    try:
        converted: Value = kind(value)
    except (ValueError, TypeError, OverflowError):
        return None
    if isinstance(converted, float) and not math.isfinite(converted):
        return None
    return None if kind is int and isinstance(value, float) and converted != value else converted


def options_of(factory: Callable[..., object]) -> dict[str, Option]:
    """The options of a class or function, by name, in the order of its signature."""
    target = factory.__init__ if isinstance(factory, type) else factory  # type: ignore[misc]
    hints = get_type_hints(target, include_extras=True)
    options = {}
    for name, parameter in inspect.signature(factory).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and name not in SHARED:
            options[name] = _option(name, hints.get(name, str), parameter.default)
    return options


def _option(name: str, hint: Any, default: object) -> Option:
    description = ""
    marks: list[object] = []
    if get_origin(hint) is Annotated:
        hint, description, *marks = get_args(hint)
    parts = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    kind: Any = next(part for part in parts if part is not types.NoneType)
    choices: tuple[str, ...] = ()
    if get_origin(kind) is Literal:
        choices, kind = tuple(map(str, get_args(kind))), type(get_args(kind)[0])
    known = kind if isinstance(kind, type) else str
    local = Path in parts or LOCAL in marks
    return Option(name, known, default, str(description), choices, types.NoneType in parts, local)


Factory = TypeVar("Factory", bound=Callable[..., object])


def family(name: str) -> Callable[[Factory], Factory]:
    """Give a function's options another name for their component, as ``settings_name`` does for those of a class."""

    def named(factory: Factory) -> Factory:
        factory.__dict__["settings_name"] = name
        return factory

    return named


def wants(factory: Callable[..., object]) -> tuple[str, ...]:
    """Which of :data:`SHARED` a class or function asks for."""
    parameters = inspect.signature(factory).parameters
    return tuple(name for name in SHARED if name in parameters)


class Settings:
    """The options a user set: ``component.option``, or ``option`` alone for every component that has it.

    Every setting must reach some component: call :meth:`check` when all components are known.

    Args:
        values: the options that were set.
        defaults: option values for the components that have such options; ``values`` override them.
        local: whether ``values`` may set options that name files, models or commands of this machine.

    Raises:
        InputError: a name that is no option name.
    """

    def __init__(
        self,
        values: Mapping[str, object] | None = None,
        defaults: Mapping[str, object] | None = None,
        *,
        local: bool = True,
    ) -> None:
        if not isinstance(values, Mapping | None):
            raise UsageError(f"options must be a mapping such as {{'bleu.smoothing': 'exp'}}, not {values!r}")
        self.values: dict[str, object] = dict(values or {})
        self.defaults: dict[str, object] = dict(defaults or {})
        self.local = local
        for name in [*self.values, *self.defaults]:
            parts = name.replace("-", "_").split(".") if isinstance(name, str) else []
            if not 1 <= len(parts) <= 2 or not all(part.isidentifier() for part in parts):
                raise UsageError(f"{name!r} cannot name an option; write component.option, as in bleu.smoothing")

    def updated(self, values: Mapping[str, object], defaults: Mapping[str, object] | None = None) -> Settings:
        """These settings with further ``values``, which override them, and ``defaults``, which do not."""
        return Settings({**self.values, **values}, {**(defaults or {}), **self.defaults}, local=self.local)

    def of(self, component: str, factory: Callable[..., object]) -> dict[str, Value]:
        """The keyword arguments that were set for a component; a ``UsageError`` for wrong or forbidden values."""
        values: dict[str, Value] = {}
        for name, option in options_of(factory).items():
            # An option of one component overrides its family's, which overrides an option for all components.
            keys = [name, *(f"{owner}.{name}" for owner in _names(component, factory))]
            for given, key in product((self.defaults, self.values), keys):
                if key in given:
                    if option.local and not self.local and given is self.values:
                        message = "names files, models or commands of the server; leave it out"
                        raise UsageError(f"{component}.{name} {message}")
                    values[name] = option.read(component, given[key])
        return values

    def build(self, component: str, factory: Callable[..., Made], **shared: object) -> Made:
        """Build a component with its options and the shared parts that it declares.

        Raises:
            UsageError: it cannot use an option's value, as a folder that is not there.
        """
        given = {name: shared[name] for name in wants(factory) if name in shared}
        try:
            return factory(**self.of(component, factory), **given)
        except (OSError, ValueError) as error:
            chosen = Settings(self.values).of(component, factory)
            if isinstance(error, SemaError) or not chosen:
                raise
            named = " and ".join(f"{component}.{name}={value}" for name, value in chosen.items())
            raise UsageError(f"{named} cannot be used ({described(error)}); give another value") from error

    def check(self, *components: Mapping[str, Callable[..., object]]) -> None:
        """Check that every setting reaches one of ``components`` (name -> class or function).

        Components are looked up only until all settings are found, those that settings name first.

        Raises:
            InputError: an unknown option; the message offers the nearest known one.
        """
        known: set[str] = set()
        owners = {name.partition(".")[0] for name in self.values}
        for group in components:
            for name in sorted(group, key=lambda name: name not in owners):
                if known >= self.values.keys():
                    return
                factory = group[name]
                for option in options_of(factory):
                    known |= {option, *(f"{owner}.{option}" for owner in _names(name, factory))}
        for name in self.values:
            if name not in known:
                raise _unknown(name, known)


def _names(component: str, factory: Callable[..., object]) -> list[str]:
    """The names that a component's options are set under: that of its family, if it has one, and its own."""
    return list(dict.fromkeys(name for name in (getattr(factory, "settings_name", ""), component) if name))


def _unknown(name: str, known: Iterable[str]) -> UsageError:
    """The error for an option that no component has, with the options of its component if that is known."""
    owner, dot, _ = name.partition(".")
    owners = {other.partition(".")[0] for other in known if "." in other}
    if dot and not nearest(owner, owners):
        return UsageError(f"unknown option {name!r}; nothing that is used here is called {owner!r}")
    own = [other for other in known if dot and other.startswith(f"{owner}.")]
    return UnknownNameError("option", name, sorted(own or known))
