"""Languages of the engine (``sema.languages``): all that the networks know, and those with installed Stanza models."""

from __future__ import annotations

from typing import Annotated, Literal

from sema_reader.languages import codes, cross_encoder

from sema.alignment.exact import ExactAligner
from sema.alignment.relations import WordRelations
from sema.alignment.simalign import simalign_aligners
from sema.errors import UnknownNameError
from sema.model.language import Language, base_code
from sema.model.lexicon import Lexicon
from sema.model.links import Aligner
from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter

_THREADS = "batches computed beside each other; none: one for each core"
UNSPACED = ("zh", "lzh", "yue", "ja", "th", "lo", "km", "my")
"""Languages that are written without spaces between words."""


def universal(code: str = "<code>") -> Language:
    """A language that the networks know; ``en-es``: English sources with Spanish outputs, without Scenes.

    Raises:
        UnknownNameError: they do not know it.
    """
    known = codes()
    parts = [] if code == "<code>" else code.split("-", 1)
    for one in parts:
        if one not in known:
            raise UnknownNameError("language", one, list(known))
    own = parts[-1] if parts else code

    def segmenter(*, threads: Annotated[int | None, _THREADS] = None) -> Segmenter:
        from sema_ud.segmenter import UniversalSegmenter

        return UniversalSegmenter(own, threads=threads)

    def extractor(
        *,
        heads: Annotated[Literal["clauses", "root"], "a Scene for each clause, or one for each sentence"] = "clauses",
        threads: Annotated[int | None, _THREADS] = None,
    ) -> SceneExtractor:
        from sema_ud.extractor import DependencyExtractor
        from sema_ud.parser import UniversalParser

        return DependencyExtractor(own, UniversalParser(own, threads=threads), heads=heads)

    return Language(
        code if len(parts) == 1 else f"any:{code}",
        " to ".join(known[one] for one in parts) or f"any of {len(known)} languages; across two: meaning alone",
        segmenter=segmenter,
        models="the parser of all languages",
        extractors={"ud": extractor} if len(parts) < 2 else {},
        aligners={"exact": ExactAligner},
        cross_encoder=cross_encoder,
        spaced=own not in UNSPACED,
    )


def generic(code: str = "<code>") -> Language:
    """Any of Stanza's languages with installed models, by Stanza's code; links by form and stem."""

    def segmenter(*, threads: Annotated[int | None, "threads of Stanza's models; none: one"] = None) -> Segmenter:
        from sema_ud.stanza_segmenter import StanzaSegmenter

        return StanzaSegmenter(code, threads=threads)

    def extractor(
        *,
        heads: Annotated[Literal["clauses", "root"], "a Scene for each clause, or one for each sentence"] = "clauses",
        threads: Annotated[int | None, "threads of Stanza's models; none: one"] = None,
    ) -> SceneExtractor:
        from sema_ud.extractor import DependencyExtractor
        from sema_ud.stanza_provider import StanzaProvider

        return DependencyExtractor(code, StanzaProvider(code, threads=threads), heads=heads)

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
    )
