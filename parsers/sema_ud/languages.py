"""Every language with installed Stanza models, as a language of the engine (``sema.languages``)."""

from __future__ import annotations

from typing import Annotated, Literal

from sema.alignment.exact import ExactAligner
from sema.alignment.relations import WordRelations
from sema.alignment.simalign_family import simalign_aligners
from sema.model.language import Language
from sema.model.lexicon import Lexicon
from sema.model.links import Aligner
from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter

STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "nl": "dutch",
    "en": "english",
    "fi": "finnish",
    "fr": "french",
    "de": "german",
    "hu": "hungarian",
    "it": "italian",
    "nb": "norwegian",
    "nn": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "es": "spanish",
    "sv": "swedish",
}
"""Snowball's stemmers, by Stanza's language codes."""


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
        from sema_ud.stanza_provider import DependencyExtractor

        return DependencyExtractor(code, heads=heads, threads=threads)

    def relations(lexicon: Lexicon | None = None) -> WordRelations:
        from nltk.stem.snowball import SnowballStemmer

        return WordRelations(lexicon, stem=SnowballStemmer(STEMMERS[code]).stem if code in STEMMERS else str.lower)

    def aligner() -> Aligner:
        from sema.alignment.rules import RuleAligner

        return RuleAligner(relations())

    name = "any language with Stanza models" if code.startswith("<") else f"{code} by Stanza"
    return Language(
        f"ud:{code}",
        name,
        segmenter=segmenter,
        extractors={"ud": extractor},
        aligners={"rules": aligner, "exact": ExactAligner, **simalign_aligners(relations)},
    )
