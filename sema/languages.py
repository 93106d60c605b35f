"""Languages: segmenter, scene extractor, aligner and lexicon under one code, found through entry points.

A package adds a language with an entry point in the group ``sema.languages``: the name is the code, the object a
function without arguments that returns a :class:`Language`. A name that ends a family of codes (``ud`` for ``ud:fr``)
is a function of the part after the colon; called without it, it returns a ``Language`` that shows what the family
offers (code ``ud:<code>``). Building a ``Language`` must be cheap: its members are factories, called
when a scorer first needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from sema.alignment.base import Aligner
from sema.errors import ResourceError, UnknownNameError
from sema.lexicons import Lexicon
from sema.scenes import SceneExtractor
from sema.text import Segmenter

GROUP = "sema.languages"
Part = TypeVar("Part")


@dataclass(frozen=True)
class RunOptions:
    """What a user may set for the parts of any language; a part takes what concerns it.

    ``threads``: threads for models (default: all cores). ``precision``: ``int8`` or ``fp32`` where a part ships both.
    ``model``: path of a model for parts that take any (an encoder for SimAlign), ``layer`` the layer of it to use.
    ``heads``: ``clauses`` or ``root``, how a dependency extractor finds Scenes.
    """

    threads: int | None = None
    precision: str = "int8"
    model: str | None = None
    layer: int = 8
    heads: str = "clauses"


SegmenterFactory = Callable[[RunOptions], Segmenter]
ExtractorFactory = Callable[[RunOptions], SceneExtractor]
AlignerFactory = Callable[[RunOptions], Aligner]


@dataclass(frozen=True)
class Language:
    """The parts that analyse one language. The first extractor and the first aligner are the defaults."""

    code: str
    name: str
    segmenter: SegmenterFactory
    extractors: Mapping[str, ExtractorFactory]
    aligners: Mapping[str, AlignerFactory]
    lexicon: Callable[[], Lexicon] | None = None
    source: str = field(default="", compare=False)
    """Where it comes from: distribution and version; filled in when it is found through an entry point."""

    def extractor(self, name: str | None, options: RunOptions) -> SceneExtractor:
        """Build the extractor of that name, or the default one."""
        return _choose("extractor", self, self.extractors, name)(options)

    def aligner(self, name: str | None, options: RunOptions) -> Aligner:
        """Build the aligner of that name, or the default one."""
        return _choose("aligner", self, self.aligners, name)(options)


def _choose(what: str, language: Language, known: Mapping[str, Part], name: str | None) -> Part:
    if name is None:
        return next(iter(known.values()))
    if name not in known:
        raise UnknownNameError(f"{what} for language {language.code!r}", name, list(known))
    return known[name]


def installed() -> dict[str, EntryPoint]:
    """The entry points of all installed languages, by code."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def find_language(code: str) -> Language:
    """The language of a code such as ``en``, ``zh`` or ``ud:fr``.

    Raises:
        UnknownNameError: no installed package offers that code.
        ResourceError: the package that offers it cannot be loaded.
    """
    points = installed()
    prefix, colon, rest = code.partition(":")
    point = points.get(code) or (points.get(prefix) if colon else None)
    if point is None:
        raise UnknownNameError("language", code, list(points))
    try:
        factory = point.load()
    except (ImportError, AttributeError) as error:
        raise ResourceError(f"language {code!r} of {point.value!r} cannot be loaded: {error}") from error
    language: Language = factory(rest) if colon and point.name == prefix else factory()
    distribution = point.dist
    where = f"{distribution.name} {distribution.version}" if distribution is not None else point.value
    object.__setattr__(language, "source", where)
    return language
