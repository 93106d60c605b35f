"""A language: segmenter, scene extractors, aligners, lexicon and encoder under one code."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from sema.errors import ResourceError, SemaError, UnknownNameError, described
from sema.model.fact import FactReader
from sema.model.levels import LevelReader
from sema.model.lexicon import Lexicon, WordTable
from sema.model.links import Aligner, WeighingAligner
from sema.model.reading import PairReader
from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter, Text
from sema.options import Settings, wants

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy import float32
    from numpy.typing import NDArray

Part = TypeVar("Part")
Factory = Callable[..., Part]
"""A class or function whose keyword arguments are its options (:mod:`sema.options`)."""


def base_code(code: str) -> str:
    """The bare code of a language: ``fr`` for ``ud:fr`` and ``fr-CA``."""
    return code.split(":")[-1].split("-")[0]


@runtime_checkable
class Encoder(Protocol):
    """Computes a vector for every word of a sentence; parser, aligner and metrics of a language share one."""

    @property
    def signature(self) -> str:
        """Name, version and the model's hash, for the result's signature."""
        ...

    def keep_states(self) -> None:
        """Keep the states of all sentences encoded from now on, for later calls of :meth:`states`.

        Callers that need states call this once before parsing, so that no sentence is encoded twice.
        """
        ...

    def states(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[float32]]:
        """One array (tokens, width) for each tokenized sentence; the same in every batch."""
        ...


class TextReader(Protocol):
    """Reads the encoder's states of a whole text, for metrics and features."""

    @property
    def signature(self) -> str:
        """Name, version and the model's hash."""
        ...

    def prepare(self, texts: Iterable[tuple[Text, NDArray[float32] | None]]) -> None:
        """Read many texts with their states in batches, so that :meth:`read` finds the results."""
        ...

    def read(self, text: Text, states: NDArray[float32]) -> tuple[NDArray[float32], NDArray[float32]]:
        """Each token's contextual meaning, unit vectors (tokens, size), and its probability of standing at a break.

        A break is a place where something is missing, misplaced or ungrammatical.
        ``states`` are those of the text's tokens (tokens, width).
        """
        ...


WholeWords = Callable[[Sequence[str]], list[tuple[int, int]]]
"""From the tokens of a sentence or text to the spans of tokens that people read as words; they cover all tokens."""

_SINGLE = ("segmenter", "lexicon", "encoder", "weigher", "fact_readers", "pair_reader", "reader", "levels")
"""The parts that a language has one of, by the names of their fields."""


@dataclass(frozen=True)
class Language:
    """The components that analyse one language. The first extractor and the first aligner are the defaults.

    Every part is a class or function whose keyword arguments are its options. A part with an argument ``segmenter``,
    ``lexicon`` or ``encoder`` gets the language's own, so that each is loaded once. Making a ``Language`` must be
    cheap: parts are built when they are first used.
    """

    code: str
    name: str
    segmenter: Factory[Segmenter]
    extractors: Mapping[str, Factory[SceneExtractor]]
    aligners: Mapping[str, Factory[Aligner]]
    lexicon: Factory[Lexicon] | None = None
    encoder: Factory[Encoder] | None = None
    weigher: Factory[WeighingAligner] | None = None
    fact_readers: Factory[Sequence[FactReader]] | None = None
    pair_reader: Factory[PairReader] | None = None
    function_words: Factory[Collection[str]] | None = None
    reader: Factory[TextReader] | None = None
    levels: Factory[LevelReader] | None = None
    scripts: tuple[str, ...] = ()
    """First words of its letters' Unicode names (``LATIN``); texts in others cause a warning. None: no check."""

    spaced: bool = True
    """Whether spaces separate words; where they do not, metrics that compare words use the segmenter's."""

    words: Factory[WordTable] | None = None
    features: Mapping[str, str] = field(default_factory=dict)
    """Feature groups of the language, ``"module:Class"`` by name; general groups are in :mod:`sema.features`."""
    metrics: Mapping[str, str] = field(default_factory=dict)
    """Metrics of the language, in the same form."""
    judges: Path | None = None
    """A folder with a folder for each judge that comes with it."""

    whole_words: WholeWords | None = None
    """Which neighbouring tokens people read as one word, for what is shown; none: each is a word."""

    source: str = field(default="", compare=False)
    """Where it comes from: distribution and version; filled in when it is found through an entry point."""

    def parts(
        self,
        *,
        extractor: str | SceneExtractor | None = None,
        aligner: str | Aligner | None = None,
        settings: Settings | None = None,
    ) -> Parts:
        """The language's parts with the chosen alternatives, each given by name or as an object.

        Raises:
            UnknownNameError: there is no extractor or aligner of that name.
        """
        if isinstance(extractor, str) and extractor not in self.extractors:
            raise UnknownNameError(f"extractor for language {self.code!r}", extractor, list(self.extractors))
        if isinstance(aligner, str) and aligner not in self.aligners:
            raise UnknownNameError(f"aligner for language {self.code!r}", aligner, list(self.aligners))
        return Parts(self, extractor, aligner, settings or Settings())

    def components(self) -> dict[str, Factory[Any]]:
        """All parts by the names that settings use."""
        single = {name: getattr(self, name) for name in _SINGLE if getattr(self, name) is not None}
        return {**single, **self.extractors, **self.aligners}


class Parts:
    """The built parts of a language; each is built on first use and kept."""

    def __init__(
        self,
        language: Language,
        extractor: str | SceneExtractor | None,
        aligner: str | Aligner | None,
        settings: Settings,
    ) -> None:
        self.language = language
        self._extractor = extractor
        self._aligner = aligner
        self._settings = settings

    @property
    def code(self) -> str:
        """The language's code."""
        return self.language.code

    @cached_property
    def segmenter(self) -> Segmenter:
        """The segmenter."""
        return self._build("segmenter", self.language.segmenter)

    @cached_property
    def lexicon(self) -> Lexicon | None:
        """The lexicon, if the language has one."""
        return None if self.language.lexicon is None else self._build("lexicon", self.language.lexicon)

    @cached_property
    def encoder(self) -> Encoder | None:
        """The encoder, if the language has one."""
        return None if self.language.encoder is None else self._build("encoder", self.language.encoder)

    @cached_property
    def weigher(self) -> WeighingAligner | None:
        """The aligner with link probabilities: the chosen one if it has them, else the language's own, if any."""
        if isinstance(self.aligner, WeighingAligner):
            return self.aligner
        return None if self.language.weigher is None else self._build("weigher", self.language.weigher)

    @cached_property
    def fact_readers(self) -> Sequence[FactReader]:
        """The language's readers of facts (:mod:`sema.meaning`), one for each kind; empty if it has none."""
        return () if self.language.fact_readers is None else self._build("fact_readers", self.language.fact_readers)

    @cached_property
    def pair_reader(self) -> PairReader | None:
        """The model that reads source and output together, if the language has one."""
        return None if self.language.pair_reader is None else self._build("pair_reader", self.language.pair_reader)

    @cached_property
    def function_words(self) -> Collection[str]:
        """The language's function words, in lower case; empty if it lists none."""
        return () if self.language.function_words is None else self.language.function_words()

    @cached_property
    def reader(self) -> TextReader | None:
        """The reader of states, if the language has one."""
        return None if self.language.reader is None else self._build("reader", self.language.reader)

    @cached_property
    def levels(self) -> LevelReader | None:
        """The reader of CEFR levels, if the language has one."""
        return None if self.language.levels is None else self._build("levels", self.language.levels)

    @cached_property
    def extractor(self) -> SceneExtractor:
        """The chosen scene extractor."""
        chosen = self._extractor
        if chosen is None or isinstance(chosen, str):
            return self._choose("scene extractor", self.language.extractors, chosen)
        return chosen

    @cached_property
    def aligner(self) -> Aligner:
        """The chosen word aligner."""
        chosen = self._aligner
        if chosen is None or isinstance(chosen, str):
            return self._choose("word aligner", self.language.aligners, chosen)
        return chosen

    def _choose(self, what: str, known: Mapping[str, Factory[Part]], name: str | None) -> Part:
        if not known:
            raise ResourceError(f"language {self.code!r} has no {what}; leave out the metrics that need one")
        name = next(iter(known)) if name is None else name
        return self._build(name, known[name])

    def _build(self, name: str, factory: Factory[Part]) -> Part:
        asked = [part for part in wants(factory) if part != name]
        shared = {part: getattr(self, part) for part in asked}
        try:
            return self._settings.build(name, factory, **shared)
        except SemaError:
            raise
        except Exception as error:  # parts of other packages may raise anything; the user needs one line
            owner = self.language.source or f"the package of language {self.code!r}"
            raise ResourceError(
                f"{name!r} of language {self.code!r} cannot be made ({described(error)}); repair {owner}"
            ) from error
