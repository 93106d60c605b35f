"""Simplifiers: their interface, those offered by installed packages, and their models' weights on disk.

A package adds one with an entry point in the group ``sema.simplifiers``: the name is the simplifier's, the object a
class or function whose keyword arguments are its options (:mod:`sema.options`) and that returns a :class:`Simplifier`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

from sema import InputError, Text
from sema.errors import UnknownNameError
from sema.options import Settings
from sema.plugins import Group, uncalled
from sema.runtime.contents import text_content
from sema_rerank.nbest import Candidate, is_number


@runtime_checkable
class Simplifier(Protocol):
    """Simplifies texts; a candidate's score is the sum of its features times their weights.

    Attributes:
        features: what each feature says, by name.
        weights: the weights in use, by feature; a feature that is not named weighs nothing.

    A simplifier for a single language has the language's code as ``lang``.
    """

    features: Mapping[str, str]
    weights: Mapping[str, float]

    @property
    def signature(self) -> str:
        """Name, version, rules and weights, for results."""
        ...

    def weighted(self, weights: Mapping[str, float]) -> Self:
        """A copy with other weights that shares what was loaded."""
        ...

    def candidates(self, texts: Sequence[Text], count: int) -> list[tuple[Candidate, ...]]:
        """For each text at most ``count`` candidates, at least one, the best by the weights first."""
        ...


SimplifierFactory = Callable[..., Simplifier]


GROUP: Group[SimplifierFactory] = Group("sema.simplifiers", partial(uncalled, kind=Simplifier))  # type: ignore[type-abstract]
"""A simplifier is made on demand: its rules may be large."""


def find_simplifier(name: str, settings: Settings | None = None) -> Simplifier:
    """The simplifier of a name, with its settings (such as ``ppdb.rules``).

    Raises:
        UnknownNameError: no installed package offers that name.
        ResourceError: the package that offers it is broken.
        InputError: a setting matches no option, or has a wrong value.
    """
    factory = GROUP.get(name)
    if factory is None:
        raise UnknownNameError("simplifier", name, GROUP.names())
    settings = settings or Settings()
    settings.check({name: factory})
    return settings.build(name, factory)


def read_weights(path: Path) -> dict[str, float]:
    """The weights by feature from a file of weights that ``sema tune`` wrote (:func:`weights_text`).

    Raises:
        InputError: the file cannot be read, or holds no weights.
    """
    text = text_content(path)
    try:
        weights = json.loads(text)["weights"]
        if all(map(is_number, weights.values())):
            return {name: float(value) for name, value in weights.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise InputError("holds no weights; give a file of weights that `sema tune` wrote", file=path)


def weights_text(weights: Mapping[str, float], about: Mapping[str, Any]) -> str:
    """The weights as JSON text, with ``about``: what they were tuned to and on."""
    rounded = {name: round(value, 6) for name, value in weights.items()}
    return json.dumps({"weights": rounded, **about}, indent=1, ensure_ascii=False) + "\n"
