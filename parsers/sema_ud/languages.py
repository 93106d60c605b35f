"""Every language with installed Stanza models, as a language of the engine (``sema.languages``)."""

from __future__ import annotations

from typing import Annotated, Literal

from sema.alignment.exact import ExactAligner
from sema.alignment.relations import WordRelations
from sema.alignment.simalign import simalign_aligners
from sema.model.language import Language, base_code
from sema.model.lexicon import Lexicon
from sema.model.links import Aligner
from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter
from sema_ud.readability import readability_metrics

UNSPACED = ("zh", "lzh", "yue", "ja", "th", "lo", "km", "my")
"""Languages that are written without spaces between words."""


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
