"""The language ``zh``: its segmenter, extractor, aligners, lexicon and readers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Literal

from sema.alignment.exact import ExactAligner
from sema.alignment.relations import WordRelations
from sema.alignment.simalign import simalign_aligners
from sema.model.fact import FactReader
from sema.model.language import Language, TokenEncoder
from sema.model.lexicon import Lexicon, WordTable
from sema.model.links import Aligner, ProbabilisticAligner
from sema.model.reading import CrossEncoder
from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter


def segmenter(
    *, threads: Annotated[int | None, "batches computed beside each other; none: one for each core"] = None
) -> Segmenter:
    """Sentences by punctuation, words by Stanza's tokenizer."""
    from sema_chinese.segmentation.segmenter import ChineseSegmenter

    return ChineseSegmenter(threads=threads)


def dependencies(
    *,
    heads: Annotated[Literal["clauses", "root"], "a Scene for each clause, or one for each sentence"] = "clauses",
    threads: Annotated[int | None, "batches computed beside each other; none: one for each core"] = None,
) -> SceneExtractor:
    """Stanza's trees, by the user's models or the shipped ones."""
    from sema_ud.stanza_provider import DependencyExtractor

    from sema_chinese.provider import ChineseProvider
    from sema_chinese.segmentation.segmenter import MODEL_CODE

    return DependencyExtractor(MODEL_CODE, heads=heads, provider=ChineseProvider(threads=threads))


def token_encoder() -> TokenEncoder:
    """Pieces in a middle layer of the cross-encoder, for BERTScore."""
    from sema_chinese.token_encoder import ChineseTokenEncoder

    return ChineseTokenEncoder()


def rules(
    *,
    lexicon: Lexicon | None = None,
    reverse_hyponymy: Annotated[bool, "a source word links to a narrower word too, not to a wider one alone"] = False,
    hyponymy_depth: Annotated[int, "how many steps wider the output word may be; 0: none"] = 3,
    senses: Annotated[int | None, "how many of a word's senses hyponymy looks at, in no order of use; none: 15"] = None,
    hyponymy_floor: Annotated[int, "steps below WordNet's top from which a wider noun counts; 3: 人 does"] = 4,
    contextual: Annotated[bool, "words left over are linked by the cross-encoder's states, slowly"] = False,
) -> Aligner:
    """Links from word relations, chosen by their neighbourhood."""
    from sema_chinese.contextual import ContextualAligner
    from sema_chinese.relations import rule_aligner

    aligner = rule_aligner(
        lexicon=lexicon,
        reverse_hyponymy=reverse_hyponymy,
        hyponymy_depth=hyponymy_depth,
        senses=senses,
        hyponymy_floor=hyponymy_floor,
    )
    return ContextualAligner(aligner) if contextual else aligner


def lexicon() -> Lexicon:
    """The Chinese Open Wordnet, Wiktionary's senses, and words that CC-CEDICT explains alike."""
    from sema_chinese.relations import chinese_lexicon

    return chinese_lexicon()


def probabilistic_aligner(*, lexicon: Lexicon | None = None) -> ProbabilisticAligner:
    """The rule aligner's links with probabilities, and links of listed words, shared characters and numbers."""
    from sema_chinese.aligner import ChineseAligner

    return ChineseAligner(lexicon)


def fact_readers() -> Sequence[FactReader]:
    """The readers of facts: numbers, names, negation, roles and others."""
    from sema_chinese.meaning.facts import fact_readers

    return fact_readers()


def cross_encoder() -> CrossEncoder:
    """The cross-encoder: source and output in one pass."""
    from sema_chinese.meaning.reader import ChineseReader

    return ChineseReader()


def function_words() -> Collection[str]:
    """Function words, pronouns, particles and measure words."""
    from sema_chinese.meaning.words import FunctionWords

    return FunctionWords()


def words() -> WordTable:
    """Frequencies of words and characters."""
    from sema_chinese.words import word_table

    return word_table()


def whole_words(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """The spans of tokens that people read as words: 工程师, which trees cut in two."""
    from sema_chinese.segmentation.whole_words import whole_words

    return whole_words(tokens)


def _relations(lexicon: Lexicon | None) -> WordRelations:
    from sema_chinese.relations import relations

    return relations(lexicon)


def chinese() -> Language:
    """Chinese, simplified or traditional: Stanza's trees, links by rules or SimAlign."""
    return Language(
        "zh",
        "Chinese",
        segmenter=segmenter,
        models="trained with Stanza, run without it",
        extractors={"ud": dependencies},
        aligners={"rules": rules, "exact": ExactAligner, **simalign_aligners(_relations)},
        lexicon=lexicon,
        token_encoder=token_encoder,
        probabilistic_aligner=probabilistic_aligner,
        fact_readers=fact_readers,
        cross_encoder=cross_encoder,
        function_words=function_words,
        words=words,
        features={
            "hsk": "sema_chinese.features.hsk:HskLevels",
            "characters": "sema_chinese.features.characters:Characters",
        },
        metrics={
            "hsk_low": "sema_chinese.levels.word_lists:HskLow",
            "hsk_high": "sema_chinese.levels.word_lists:HskHigh",
            "hsk_level": "sema_chinese.levels.hsk:HskLevel",
        },
        scripts=("CJK", "BOPOMOFO"),
        spaced=False,
        whole_words=whole_words,
    )
