"""A language: segmenter, scene extractors, aligners, lexicon and encoder under one code."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from sema.errors import ResourceError, SemaError, UnknownNameError, UsageError, described, kind_of
from sema.model.levels import LevelReader
from sema.model.lexicon import Lexicon, WordTable
from sema.model.links import Aligner, ProbabilisticAligner
from sema.model.reading import CrossEncoder
from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter, Signed, Text
from sema.options import Settings, wants
from sema.plugins import contained, load
from sema.runtime.forks import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy import float32
    from numpy.typing import NDArray

Part = TypeVar("Part")
Made = TypeVar("Made")
Factory = Callable[..., Part] | str
"""A class or function whose keyword arguments are its options (:mod:`sema.options`), or its ``"module:name"``."""


TO = "-to-"
"""Between the codes of a pair of languages: ``en-to-es`` has English sources and Spanish outputs."""


def base_code(code: str) -> str:
    """The bare code of a language: ``fr`` for ``ud:fr`` and ``fr-CA``; for a pair, that of the outputs' language."""
    return code.split(TO)[-1].split(":")[-1].split("-")[0]


StatesForm = Callable[["NDArray[float32]"], "NDArray[Any]"]
"""Turns a sentence's states (tokens, width) into one array, which is kept instead of the states; hashable."""


@runtime_checkable
class Encoder(Signed, Protocol):
    """Computes a vector for every word of a sentence; parser, aligner and metrics of a language share one."""

    def keep_states(self, form: StatesForm | None = None) -> None:
        """From now on, keep the states of all sentences, or a form of them, so that none is encoded twice."""

    def states(self, sentences: Sequence[Sequence[str]], form: StatesForm | None = None) -> list[NDArray[Any]]:
        """One array (tokens, width) for each tokenized sentence, or its form; the same in every batch."""


@runtime_checkable
class TokenEncoder(Signed, Protocol):
    """Computes a vector for every piece of a sentence, for BERTScore; signatures name model, layer and rescaling."""

    def vectors(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[float32]]:
        """The pieces' unit vectors (pieces, width) for each tokenized sentence; the same in every batch."""

    def similarity(self, cosines: NDArray[float32]) -> NDArray[float32]:
        """Cosines of its vectors as similarities, rescaled so that they follow human ratings: 1 for equal pieces."""


class WordingReader(Signed, Protocol):
    """Reads the encoder's states of a whole text, for metrics and features."""

    def prepare(self, texts: Iterable[tuple[Text, NDArray[float32] | None]]) -> None:
        """Read many texts with their states in batches, so that :meth:`read` finds the results."""

    def read(self, text: Text, states: NDArray[float32]) -> tuple[NDArray[float32], NDArray[float32]]:
        """Each token's contextual meaning, unit vectors (tokens, size), and its probability of standing at a break.

        A break is a place where something is missing, misplaced or ungrammatical.
        ``states`` are those of the text's tokens (tokens, width).
        """


WholeWords = Callable[[Sequence[str]], list[tuple[int, int]]]
"""From the tokens of a sentence or text to the spans of tokens that people read as words; they cover all tokens."""

_SINGLE = (
    "segmenter",
    "lexicon",
    "encoder",
    "token_encoder",
    "probabilistic_aligner",
    "cross_encoder",
    "wording",
    "levels",
)
"""The fields of the parts that a language has only one of."""


@dataclass(frozen=True)
class Language:
    """The components that analyse one language. The first extractor and the first aligner are the defaults.

    Every part is a class or function whose keyword arguments are its options. A part with an argument ``segmenter``,
    ``lexicon`` or ``encoder`` gets the language's own, so that each is loaded once. Making a ``Language`` must be
    cheap: parts are built when they are first used, and those given as ``"module:name"`` are imported then.
    """

    code: str
    name: str
    segmenter: Factory[Segmenter]
    extractors: Mapping[str, Factory[SceneExtractor]]
    aligners: Mapping[str, Factory[Aligner]]
    lexicon: Factory[Lexicon] | None = None
    encoder: Factory[Encoder] | None = None
    token_encoder: Factory[TokenEncoder] | None = None
    """The encoder of BERTScore, unless the user names a model."""
    probabilistic_aligner: Factory[ProbabilisticAligner] | None = None
    cross_encoder: Factory[CrossEncoder] | None = None
    function_words: Factory[Collection[str]] | None = None
    wording: Factory[WordingReader] | None = None
    levels: Factory[LevelReader] | None = None
    scripts: tuple[str, ...] = ()
    """First words of its letters' Unicode names (``LATIN``); texts in others cause a warning. Empty: no check."""

    spaced: bool = True
    """Whether spaces separate words; where they do not, metrics that compare words use the segmenter's."""

    words: Factory[WordTable] | None = None
    features: Mapping[str, str] = field(default_factory=dict)
    """Feature groups of the language, ``"module:Class"`` by name; general groups are in :mod:`sema.features`."""
    metrics: Mapping[str, str] = field(default_factory=dict)
    """Metrics of the language, in the same form."""
    data: Factory[Sequence[Path]] | None = None
    """Files and folders that its parts read and that no part's signature names; results are signed with a digest."""
    judges: Path | None = None
    """A folder with one folder for each judge that comes with the language."""

    whole_words: WholeWords | None = None
    """Which neighbouring tokens people read as one word, for what is shown; none: each is a word."""

    members: Callable[[], Collection[Language]] | None = None
    """For the representative of a family of codes: the languages whose models are installed."""

    models: str = ""
    """Which models its Scenes come from, in a few words, for lists of languages."""

    measured: bool = True
    """Whether anyone has measured how well its parts do; if nobody has, users are warned."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """How well its parts do, by name, in percent, for lists of languages."""

    sides: tuple[Language, Language] | None = None
    """For a pair (:func:`across`), the language of the sources, whose parts read them, and that of the outputs, whose
    parts the pair has."""

    source: str = field(default="", compare=False)
    """Where it comes from: distribution and version; filled in when it is found through an entry point."""

    @property
    def is_family(self) -> bool:
        """Whether it stands for a family of languages in lists, and can score nothing itself."""
        return "<" in self.code

    @property
    def of_sources(self) -> Language:
        """The language of the sources: this one, unless it is a pair."""
        return self if self.sides is None else self.sides[0]

    @property
    def of_outputs(self) -> Language:
        """The language of the outputs: this one, unless it is a pair."""
        return self if self.sides is None else self.sides[1]

    @property
    def unmeasured(self) -> str:
        """A warning that nobody has measured how well the language's parts, or those of its sources, do; else empty."""
        without = [language.name for language in self.sides or (self,) if not language.measured]
        if not without:
            return ""
        return (
            f"no figure says how well sema reads {' and '.join(without)}; look at the evidence before you trust a score"
        )

    def parts(
        self,
        *,
        extractor: str | SceneExtractor | None = None,
        aligner: str | Aligner | None = None,
        settings: Settings | None = None,
    ) -> Parts:
        """The language's parts with the chosen alternatives, each given by name or as an object.

        Across languages the chosen extractor is the sources'.

        Raises:
            UnknownNameError: there is no extractor or aligner of that name.
        """
        settings = settings or Settings()
        sources = None
        if self.sides is not None:
            sources, extractor = self.of_sources.parts(extractor=extractor, settings=settings), None
        for what, chosen, known, method in (
            ("extractor", extractor, self.extractors, "extract"),
            ("aligner", aligner, self.aligners, "align"),
        ):
            if isinstance(chosen, str) and chosen not in known:
                raise UnknownNameError(what, chosen, list(known), of=f"for language {self.code!r}")
            if chosen is not None and not isinstance(chosen, str):
                _check_object(what, chosen, method)
        return Parts(self, extractor, aligner, settings, sources)

    def components(self, *, extractors: bool = True) -> Mapping[str, Callable[..., Any]]:
        """The parts by the names that settings use: all of them, or those other than scene ``extractors``.

        Each is imported when it is looked up. Across languages those of the sources are among them, except where
        the outputs' language has one of the same name.
        """
        return _Components(self, {**self._of_texts(extractors), **self.aligners})

    def _of_texts(self, extractors: bool) -> dict[str, Factory[Any]]:
        sources = {} if self.sides is None else self.of_sources._of_texts(extractors)
        single = {name: getattr(self, name) for name in _SINGLE if getattr(self, name) is not None}
        return {**sources, **single, **(self.extractors if extractors else {})}

    @contextmanager
    def making(self, name: str) -> Iterator[None]:
        """Turn any exception but a ``SemaError`` into a one-line ``ResourceError`` about the part of that name."""
        try:
            with contained():
                yield
        except SemaError:
            raise
        except Exception as error:  # parts of other packages may raise anything
            owner = self.source or f"the package of language {self.code!r}"
            raise ResourceError(
                f"{name!r} of language {self.code!r} cannot be made ({described(error)}); repair {owner}"
            ) from error


def _check_object(what: str, given: object, method: str) -> None:
    """Raise a ``UsageError`` for an extractor or aligner that is not an object with a signature and its method."""
    lacking = next((name for name in ("signature", method) if not hasattr(given, name)), None)
    if isinstance(given, type) or lacking:
        wrong = "a class" if isinstance(given, type) else f"{kind_of(given)} without {lacking!r}"
        raise UsageError(f"the {what} is {wrong}; give its name, or an object with 'signature' and {method!r}")


def across(
    sources: Language,
    outputs: Language,
    *,
    aligners: Mapping[str, Factory[Aligner]],
    cross_encoder: Factory[CrossEncoder] | None,
) -> Language:
    """Two languages as a pair: sources in one and outputs in the other.

    Parts that read one text alone are those of the text's language. Parts that read both texts are given: ``aligners``
    and ``cross_encoder`` know both languages. Judges are left out: they were trained on pairs of one language.
    """
    return replace(
        outputs,
        code=f"{sources.code}{TO}{outputs.code}",
        name=f"{sources.name} to {outputs.name}",
        sides=(sources, outputs),
        models=sources.models,
        aligners=aligners,
        probabilistic_aligner=None,
        cross_encoder=cross_encoder,
        judges=None,
    )


@dataclass(frozen=True)
class _Components(Mapping[str, Callable[..., Any]]):
    language: Language
    factories: Mapping[str, Factory[Any]]

    def __getitem__(self, name: str) -> Callable[..., Any]:
        factory = self.factories[name]
        with self.language.making(name):
            return _loaded(factory)

    def __iter__(self) -> Iterator[str]:
        return iter(self.factories)

    def __len__(self) -> int:
        return len(self.factories)


def _loaded(factory: Factory[Part]) -> Callable[..., Part]:
    made: Callable[..., Part] = load(factory) if isinstance(factory, str) else factory
    return made


def _part(name: str, *, missing: object = None) -> Any:
    """The part of that name of a :class:`Parts`, built on first use; ``missing`` if the language has none."""

    def build(parts: Parts) -> object:
        factory = getattr(parts.language, name)
        if factory is None:
            return missing
        sources = parts.of_sources
        if sources is not parts and getattr(sources.language, name) == factory and not wants(_loaded(factory)):
            return getattr(sources, name)  # the same for both languages, so that it is loaded once
        return parts._build(name, factory, "segment" if name == "segmenter" else None)

    return cached_property(build)


class Parts:
    """The built parts of a language, each built on first use and kept; ``None`` where the language has none."""

    segmenter: Segmenter = _part("segmenter")
    lexicon: Lexicon | None = _part("lexicon")
    encoder: Encoder | None = _part("encoder")
    token_encoder: TokenEncoder | None = _part("token_encoder")
    cross_encoder: CrossEncoder | None = _part("cross_encoder")
    """The model that reads source and output together."""
    wording: WordingReader | None = _part("wording")
    levels: LevelReader | None = _part("levels")
    words: WordTable | None = _part("words")
    function_words: Collection[str] = _part("function_words", missing=())
    """The language's function words, in lower case; empty if it lists none."""
    data: Sequence[Path] = _part("data", missing=())

    def __init__(
        self,
        language: Language,
        extractor: str | SceneExtractor | None,
        aligner: str | Aligner | None,
        settings: Settings,
        sources: Parts | None = None,
    ) -> None:
        self.language = language
        self.code = language.code
        self.chosen_extractor = next(iter(language.extractors), None) if extractor is None else extractor
        self.chosen_aligner = next(iter(language.aligners), None) if aligner is None else aligner
        self._own_aligner = aligner is None
        self._settings = settings
        self._sources = sources
        self._made: dict[object, Any] = {}
        self._chosen_reader: tuple[str, CrossEncoder | None] | None = None

    @property
    def of_sources(self) -> Parts:
        """The parts that read sources: these, unless the sources are in another language."""
        return self._sources or self

    def once(self, make: Callable[[Parts], Made]) -> Made:
        """What ``make`` builds on these parts, built once."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Made = self._made[make]
        return made

    @property
    def reader(self) -> CrossEncoder | None:
        """The reader of pairs for the meaning metrics; ``None``: they use links."""
        return (self._chosen_reader and self._chosen_reader[1]) or self.cross_encoder

    def choose_reader(self, name: str, make: Callable[[Parts], CrossEncoder | None]) -> None:
        """Read pairs with the reader of ``make``, or with the language's own; a second one is a ``UsageError``."""
        first, _ = self._chosen_reader = self._chosen_reader or (name, make(self))
        if first != name:
            raise UsageError(f"meaning has the readers {first} and {name}: score each in a run of its own")

    @cached_property
    def probabilistic_aligner(self) -> ProbabilisticAligner | None:
        """The aligner with link probabilities: the chosen one if it has them, else the language's own, if any."""
        if isinstance(self.aligner, ProbabilisticAligner):
            return self.aligner
        factory = self.language.probabilistic_aligner
        return None if factory is None else self._build("probabilistic_aligner", factory)

    @property
    def chooses_links(self) -> bool:
        """Whether the caller chose an aligner without probabilities, so that its links are to be used."""
        return not self._own_aligner and not isinstance(self.aligner, ProbabilisticAligner)

    @cached_property
    def extractor(self) -> SceneExtractor:
        """The chosen scene extractor."""
        return self._make("scene extractor", self.language.extractors, self.chosen_extractor)

    @cached_property
    def aligner(self) -> Aligner:
        """The chosen word aligner."""
        return self._make("word aligner", self.language.aligners, self.chosen_aligner)

    def _make(self, what: str, known: Mapping[str, Factory[Part]], chosen: str | Part | None) -> Part:
        if chosen is None:
            raise ResourceError(f"language {self.code!r} has no {what}; leave out the metrics that need one")
        method = "extract" if what == "scene extractor" else "align"
        return self._build(chosen, known[chosen], method) if isinstance(chosen, str) else chosen

    def _build(self, name: str, factory: Factory[Part], method: str | None = None) -> Part:
        """Build a part; it must have ``method`` and a signature, if one is named."""
        with self.language.making(name):
            made = _loaded(factory)
            shared = {part: getattr(self, part) for part in wants(made) if part != name}
            built = self._settings.build(name, made, **shared)
            for needed in ("signature", method) if method else ():
                getattr(built, needed)
            return built
