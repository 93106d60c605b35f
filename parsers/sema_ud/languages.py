"""Chinese, and any language that the user has Stanza models for, as the engine's languages (``sema.languages``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sema.alignment.simalign_family import simalign_aligners
from sema.languages import Language, RunOptions

if TYPE_CHECKING:
    from sema.model.links import Aligner
    from sema.alignment.relations import WordRelations
    from sema.model.lexicon import Lexicon
    from sema.model.scene_graph import SceneExtractor
    from sema.model.text import Segmenter

CHINESE = "zh-hans"
"""Stanza's code of the models for simplified Chinese, which traditional text is converted for."""
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


def chinese() -> Language:
    """Chinese, simplified or traditional: Stanza's trees, by the user's own models or those that ship here."""

    def segmenter(options: RunOptions) -> Segmenter:
        from sema_ud.chinese_text import ChineseSegmenter

        return ChineseSegmenter(threads=options.threads)

    def extractor(options: RunOptions) -> SceneExtractor:
        from sema_ud.chinese_trees import ChineseProvider
        from sema_ud.stanza_provider import DependencyExtractor

        return DependencyExtractor(CHINESE, heads=options.heads, provider=ChineseProvider(threads=options.threads))

    def aligner(options: RunOptions) -> Aligner:
        from sema_ud.chinese_alignment import aligner as build

        return build()

    def relations() -> WordRelations:
        from sema_ud.chinese_alignment import relations as build

        return build()

    def lexicon() -> Lexicon:
        from sema_wordnet.chinese import lexicon as build

        return build()

    return Language(
        "zh", "Chinese", segmenter, {"ud": extractor}, {"rules": aligner, **simalign_aligners(relations)}, lexicon
    )


def generic(code: str = "<code>") -> Language:
    """Any of Stanza's languages, by Stanza's code, where the user has its models; links by form and stem."""

    def segmenter(options: RunOptions) -> Segmenter:
        from sema_ud.stanza_segmenter import StanzaSegmenter

        return StanzaSegmenter(code, threads=options.threads)

    def extractor(options: RunOptions) -> SceneExtractor:
        from sema_ud.stanza_provider import DependencyExtractor

        return DependencyExtractor(code, heads=options.heads, threads=options.threads)

    def relations() -> WordRelations:
        from nltk.stem.snowball import SnowballStemmer

        from sema.alignment.relations import WordRelations

        return WordRelations(stem=SnowballStemmer(STEMMERS[code]).stem if code in STEMMERS else str.lower)

    def aligner(options: RunOptions) -> Aligner:
        from sema.alignment.rules import RuleAligner

        return RuleAligner(relations())

    name = "any language with Stanza models" if code.startswith("<") else f"{code} by Stanza"
    return Language(
        f"ud:{code}", name, segmenter, {"ud": extractor}, {"rules": aligner, **simalign_aligners(relations)}
    )
