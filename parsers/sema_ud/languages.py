"""Languages of the engine (``sema.languages``): all that the networks know, and those with installed Stanza models."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated, Literal

from sema_wordnet import WordNetLexicon
from sema_wordnet.languages import LANGUAGES

from sema.alignment.exact import ExactAligner
from sema.alignment.relations import WordRelations
from sema.alignment.simalign import simalign_aligners
from sema.errors import UnknownNameError
from sema.model.language import Language, base_code
from sema.model.lexicon import Lexicon
from sema.model.links import Aligner
from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter
from sema.plugins import load
from sema.runtime.threads import ThreadsOption
from sema_ud.formulas import readability_metrics

CROSS_ENCODER = "sema_reader.languages:cross_encoder"
HeadsOption = Annotated[Literal["clauses", "root"], "a Scene for each clause, or one for each sentence"]
_NetworksOption = Annotated[Path | None, "a folder that training.trees.further wrote; none: the shipped networks"]
_TorchOption = Annotated[int | None, "threads of Stanza's models; none: one"]
UNSPACED = ("zh", "lzh", "yue", "ja", "th", "lo", "km", "my")
"""Languages that are written without spaces between words."""


def trees(code: str, spelling: str = "") -> Callable[..., SceneExtractor]:
    """The part of a language that makes Scenes of the trees by the parser of all languages.

    ``spelling``: the import path of the parser's argument of that name.
    """

    def extractor(
        *, heads: HeadsOption = "clauses", threads: ThreadsOption = None, networks: _NetworksOption = None
    ) -> SceneExtractor:
        from sema_ud.extraction import DependencyExtractor
        from sema_ud.parser import UniversalParser

        spelled = load(spelling) if spelling else None
        return DependencyExtractor(
            UniversalParser(code, threads=threads, folder=networks, spelling=spelled), heads=heads
        )

    return extractor


def universal(code: str = "<code>") -> Language:
    """A language that the networks know, with Scenes by the parser of all languages.

    Raises:
        UnknownNameError: the networks do not know it.
    """
    from sema_reader.languages import codes

    from sema_ud.networks import figures

    known = codes()
    family = code == "<code>"
    if not family and code not in known:
        raise UnknownNameError("language", code, list(known))

    def segmenter(*, threads: ThreadsOption = None, networks: _NetworksOption = None) -> Segmenter:
        from sema_ud.segmenter import UniversalSegmenter

        return UniversalSegmenter(code, threads=threads, folder=networks)

    def lexicon() -> Lexicon:
        return WordNetLexicon.of(code)

    def contextual(*, lexicon: Lexicon | None = None) -> Aligner:
        from sema_ud.links import universal_aligner

        return universal_aligner(code, lexicon=lexicon)

    def rules(*, lexicon: Lexicon | None = None) -> Aligner:
        from sema.alignment.rules import RuleAligner
        from sema_ud.links import relations

        return RuleAligner(relations(code, lexicon))

    def function_words() -> Collection[str]:
        from sema_ud.lemmas import Lemmas

        return Lemmas.of(code).function_words

    return Language(
        f"any:{code}" if family else code,
        f"any of {len(known)} languages, {len(figures())} with figures" if family else known[code],
        segmenter=segmenter,
        models="the parser of all languages",
        extractors={"ud": trees(code)},
        aligners={"contextual": contextual, "rules": rules, "exact": ExactAligner},
        lexicon=lexicon if code in LANGUAGES else None,
        token_encoder="sema_ud.links:token_encoder",
        cross_encoder=CROSS_ENCODER,
        function_words=function_words,
        spaced=code not in UNSPACED,
        metrics=readability_metrics(code),
        members=_ready if family else None,
        measured=family or code in figures(),
        figures=figures().get(code, {}),
    )


def _ready() -> Collection[Language]:
    """The networks' languages, if the extra ``languages`` is installed."""
    from sema_reader.e5 import is_installed
    from sema_reader.languages import codes

    return [universal(code) for code in codes()] if is_installed() else []


def generic(code: str = "<code>") -> Language:
    """Any of Stanza's languages with installed models, by Stanza's code; links by form and stem."""

    def segmenter(*, threads: _TorchOption = None) -> Segmenter:
        from sema_ud.stanza_provider import StanzaSegmenter

        return StanzaSegmenter(code, threads=threads)

    def extractor(*, heads: HeadsOption = "clauses", threads: _TorchOption = None) -> SceneExtractor:
        from sema_ud.extraction import DependencyExtractor
        from sema_ud.stanza_provider import StanzaProvider

        return DependencyExtractor(StanzaProvider(code, threads=threads), heads=heads)

    def relations(lexicon: Lexicon | None = None) -> WordRelations:
        from sema.metrics.stem_recall import STEMMERS, stem

        known = STEMMERS.get(code)
        return WordRelations(lexicon, stem=str.lower if known is None else lambda word: stem(word, known))

    def aligner() -> Aligner:
        from sema.alignment.rules import RuleAligner

        return RuleAligner(relations())

    name = "any language with Stanza models" if code.startswith("<") else f"{code} by Stanza"
    return Language(
        f"ud:{code}",
        name,
        segmenter=segmenter,
        models="Stanza's, by Stanza",
        extractors={"ud": extractor},
        aligners={"rules": aligner, "exact": ExactAligner, **simalign_aligners(relations)},
        spaced=base_code(code) not in UNSPACED,
        metrics=readability_metrics(code),
    )
