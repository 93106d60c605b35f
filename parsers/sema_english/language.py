"""English for the engine: which segmenter, extractors, aligners, lexicon and encoder go together under ``en``.

Each part is imported in the function that builds it, so that importing this module loads no model.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from sema.alignment.exact import ExactAligner
from sema.alignment.relations import WordRelations
from sema.alignment.simalign import simalign_aligners
from sema.model.fact import FactReader
from sema.model.language import Encoder, Language, TokenEncoder, WordingReader
from sema.model.levels import LevelReader
from sema.model.lexicon import Lexicon, WordTable
from sema.model.links import Aligner, ProbabilisticAligner
from sema.model.reading import CrossEncoder
from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter

FEATURES = {
    "form": "sema_english.features.form:Form",
    "readability": "sema_english.features.readability:Readability",
    "lexical": "sema_english.features.lexical:Lexical",
    "substitutions": "sema_english.features.lexical:Substitutions",
    "language_model": "sema_english.features.language_model:LanguageModels",
    "joints": "sema_english.features.language_model:Joints",
    "clauses": "sema_english.features.clauses:Clauses",
    "reading": "sema_english.features.reading:Reading",
}
METRICS = {
    "fkgl": "sema_english.readability:Fkgl",
    "fk": "sema_english.readability:Fk",
    "fkbleu": "sema_english.readability:Fkbleu",
    "fkbleu_gmean": "sema_english.readability:FkbleuGmean",
    "fkbleu_paper": "sema_english.readability:FkbleuPaper",
    "fkbleu_printed": "sema_english.readability:FkbleuPrinted",
}


def segmenter() -> Segmenter:
    """Tokens as UD English EWT cuts them; sentences by a trained classifier."""
    from sema_english.segmentation import EnglishSegmenter

    return EnglishSegmenter()


def encoder(
    *,
    precision: Annotated[Literal["int8", "fp32"], "of the parser's weights; only int8 ships"] = "int8",
    threads: Annotated[int | None, "batches computed beside each other; none: one for each core"] = None,
    weights: Annotated[Path | None, "another folder of weights; none: those that ship"] = None,
) -> Encoder:
    """The UCCA parser's encoder, which parser and aligner share."""
    from sema_ucca.encoder import UccaEncoder

    return UccaEncoder(precision=precision, threads=threads, weights=weights)


def token_encoder(*, encoder: Any) -> TokenEncoder:
    """The encoder's word pieces, for BERTScore."""
    from sema_ucca.token_encoder import UccaTokenEncoder

    return UccaTokenEncoder(encoder)


def ucca(*, encoder: Any) -> SceneExtractor:
    """The UCCA parser that ships, by the convention of the papers on SAMSA and SEMA."""
    from sema_ucca.parser import UccaParser

    return UccaParser(encoder=encoder)


def ucca2(*, encoder: Any) -> SceneExtractor:
    """The same parser by UCCA 2.0, which also reads attributes and possessives as Scenes."""
    from sema_ucca.conventions import UCCA2
    from sema_ucca.parser import UccaParser

    return UccaParser(convention=UCCA2, encoder=encoder)


def tupa(
    *, command: Annotated[str | None, "TUPA's command line with its model; none: that of SEMA_TUPA"] = None
) -> SceneExtractor:
    """TUPA, run as a command of the user's own."""
    from sema_ucca.tupa import TupaExtractor

    return TupaExtractor(command)


def dependencies(
    *,
    heads: Annotated[Literal["clauses", "root"], "a Scene for each clause, or one for each sentence"] = "clauses",
    threads: Annotated[int | None, "threads of Stanza's models; none: one"] = None,
) -> SceneExtractor:
    """The user's own Stanza models for English."""
    from sema_ud.stanza_provider import DependencyExtractor

    return DependencyExtractor("en", heads=heads, threads=threads)


def rules(
    *,
    lexicon: Lexicon | None = None,
    reverse_hyponymy: Annotated[bool, "a source word links to a narrower word too, not to a wider one alone"] = False,
    hyponymy_depth: Annotated[int, "how many steps wider the output word may be; 0: none"] = 3,
    senses: Annotated[int, "how many of a word's usual senses hyponymy looks at"] = 4,
    hyponymy_floor: Annotated[int, "steps below WordNet's top from which a wider noun counts; 3: person does"] = 4,
    first_sense: Annotated[
        bool, "a word's first sense reaches one step further, one nearer the top, two more senses of the wider word"
    ] = True,
) -> Aligner:
    """Links from word relations, chosen by their contexts."""
    from sema_english.relations import rule_aligner

    return rule_aligner(
        lexicon=lexicon,
        reverse_hyponymy=reverse_hyponymy,
        hyponymy_depth=hyponymy_depth,
        senses=senses,
        hyponymy_floor=hyponymy_floor,
        first_sense=first_sense,
    )


def learned(
    *,
    encoder: Encoder,
    lexicon: Lexicon | None = None,
    threads: Annotated[int | None, "batches of grids computed beside each other; none: one for each core"] = None,
) -> ProbabilisticAligner:
    """The trained aligner, on the parser's encoder."""
    from sema_english.aligner import learned_aligner

    return learned_aligner(encoder=encoder, lexicon=lexicon, threads=threads)


def lexicon() -> Lexicon:
    """WordNet 3.0 with PPDB's paraphrases."""
    from sema_english.relations import english_lexicon

    return english_lexicon()


def words() -> WordTable:
    """Frequencies, syllables and function words."""
    from sema_english.words import word_table

    return word_table()


def cross_encoder() -> CrossEncoder:
    """The cross-encoder: source and output in one pass."""
    from sema_english.meaning.reader import EnglishReader

    return EnglishReader()


def function_words() -> Collection[str]:
    """Articles, prepositions, auxiliaries and the like, and pronouns."""
    from sema_english.relations import FUNCTION_WORDS

    return FUNCTION_WORDS


def fact_readers(*, lexicon: Lexicon | None = None) -> Sequence[FactReader]:
    """Numbers, names, negation, roles and the like: one reader of facts for each kind."""
    from sema_english.meaning.facts import fact_readers

    return fact_readers(lexicon)


def wording() -> WordingReader:
    """Contextual embeddings and token errors, from the encoder's states."""
    from sema_english.wording import wording_reader

    return wording_reader()


def levels(*, lexicon: Lexicon | None = None) -> LevelReader:
    """CEFR levels from the encoder's states, word frequencies and constructions."""
    from sema_english.levels.cefr import english_levels

    return english_levels(lexicon)


def _relations(lexicon: Lexicon | None) -> WordRelations:
    from sema_english.relations import relations

    return relations(lexicon)


def english() -> Language:
    """English: the shipped UCCA parser by either convention, TUPA or the user's Stanza models; links by rules, learned
    or by SimAlign.
    """
    return Language(
        "en",
        "English",
        segmenter=segmenter,
        models="its own UCCA parser",
        extractors={"ucca": ucca, "ucca2": ucca2, "tupa": tupa, "ud": dependencies},
        aligners={"rules": rules, "learned": learned, "exact": ExactAligner, **simalign_aligners(_relations)},
        lexicon=lexicon,
        encoder=encoder,
        token_encoder=token_encoder,
        probabilistic_aligner=learned,
        cross_encoder=cross_encoder,
        function_words=function_words,
        fact_readers=fact_readers,
        wording=wording,
        words=words,
        features=FEATURES,
        metrics=METRICS,
        judges=Path(__file__).parent / "weights" / "judges",
        scripts=("LATIN",),
        levels=levels,
    )
