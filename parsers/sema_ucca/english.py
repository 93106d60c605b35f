"""English for the engine: which segmenter, extractors, aligners and lexicon go together under the code ``en``."""

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


def _segmenter(options: RunOptions) -> Segmenter:
    from sema_ucca.segmentation import EnglishSegmenter

    return EnglishSegmenter()


def _parser(options: RunOptions) -> SceneExtractor:
    from sema_ucca.parser import shared_parser

    return shared_parser(precision=options.precision, threads=options.threads)


def _plain(options: RunOptions) -> SceneExtractor:
    from sema_ucca.attributes import PlainAttributes

    return PlainAttributes(_parser(options))


def _tupa(options: RunOptions) -> SceneExtractor:
    from sema_ucca.tupa import TupaExtractor

    return TupaExtractor()


def _dependencies(options: RunOptions) -> SceneExtractor:
    from sema_ud.stanza_provider import DependencyExtractor

    return DependencyExtractor("en", heads=options.heads, threads=options.threads)


def _rules(options: RunOptions) -> Aligner:
    from sema_wordnet.english import rule_aligner

    return rule_aligner()


def _learned(options: RunOptions) -> Aligner:
    from sema_ucca.aligner import learned_aligner

    return learned_aligner(precision=options.precision, threads=options.threads)


def _relations() -> WordRelations:
    from sema_wordnet.english import relations

    return relations()


def _lexicon() -> Lexicon:
    from sema_wordnet.english import lexicon

    return lexicon()


def english() -> Language:
    """English: the shipped UCCA parser, TUPA or the user's Stanza models; links by rules, learned or by SimAlign."""
    return Language(
        "en",
        "English",
        _segmenter,
        {"ucca": _parser, "ucca-plain": _plain, "tupa": _tupa, "ud": _dependencies},
        {"rules": _rules, "learned": _learned, **simalign_aligners(_relations)},
        _lexicon,
    )
