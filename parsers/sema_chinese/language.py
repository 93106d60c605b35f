"""The language ``zh``: its segmenter, extractor, aligners, lexicon and readers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sema_ud.languages import trees

from sema.alignment.exact import ExactAligner
from sema.alignment.simalign import simalign_aligners
from sema.model.language import Language


def whole_words(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """The spans of tokens that people read as words: 工程师, which trees cut in two."""
    from sema_chinese.segmentation.whole_words import whole_words

    return whole_words(tokens)


def chinese() -> Language:
    """Chinese, simplified or traditional: trees by the parser of all languages, links by rules or SimAlign."""
    from sema_ud.networks import figures

    return Language(
        "zh",
        "Chinese",
        segmenter="sema_chinese.segmentation:ChineseSegmenter",
        models="the parser of all languages",
        figures=figures().get("zh", {}),
        extractors={"ud": trees("zh", "sema_chinese.segmentation.segmenter:to_model_characters")},
        aligners={
            "rules": "sema_chinese.relations:rule_aligner",
            "contextual": "sema_chinese.aligner:contextual_aligner",
            "exact": ExactAligner,
            **simalign_aligners("sema_chinese.relations:relations"),
        },
        lexicon="sema_chinese.relations:chinese_lexicon",
        token_encoder="sema_chinese.aligner:token_encoder",
        probabilistic_aligner="sema_chinese.aligner:ChineseAligner",
        cross_encoder="sema_chinese.notation.matches:cross_encoder",
        function_words="sema_chinese.relations:FunctionWords",
        words="sema_chinese.words:word_table",
        features={"characters": "sema_chinese.features:Characters"},
        metrics={
            "hsk_low": "sema_chinese.levels.hsk:HskLow",
            "hsk_high": "sema_chinese.levels.hsk:HskHigh",
            "hsk_level": "sema_chinese.levels.hsk:HskLevel",
        },
        data=lambda: (Path(__file__).parent / "tables",),
        scripts=("CJK", "BOPOMOFO"),
        spaced=False,
        whole_words=whole_words,
    )
