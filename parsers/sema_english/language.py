"""English for the engine: which segmenter, extractors, aligners, lexicon and encoder go together under ``en``.

Each part is imported when it is built, so that importing this module loads no model.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from sema.alignment.exact import ExactAligner
from sema.alignment.relations import WordRelations
from sema.alignment.simalign import simalign_aligners
from sema.model.language import Language
from sema.model.lexicon import Lexicon
from sema.model.reading import CrossEncoder
from sema.model.scene_graph import SceneExtractor

FEATURES = {
    "form": "sema_english.features.form:Form",
    "readability": "sema_english.features.readability:Readability",
    "lexical": "sema_english.features.lexical:Lexical",
    "substitutions": "sema_english.features.lexical:Substitutions",
    "language_model": "sema_english.features.language_model:LanguageModels",
    "joints": "sema_english.features.language_model:Joints",
    "clauses": "sema_english.features.clauses:Clauses",
    "reading": "sema_english.features.reading:Reading",
    "qats": "sema_english.features.statements:Qats",
}
LEARNED = "sema_english.aligner:learned_aligner"
METRICS = {
    "flesch": "sema_english.readability:Flesch",
    "fkgl": "sema_english.readability:Fkgl",
    "fk": "sema_english.readability:Fk",
    "fkbleu": "sema_english.readability:Fkbleu",
    "fkbleu_gmean": "sema_english.readability:FkbleuGmean",
    "fkbleu_paper": "sema_english.readability:FkbleuPaper",
    "fkbleu_printed": "sema_english.readability:FkbleuPrinted",
}


def ucca(*, encoder: Any) -> SceneExtractor:
    """The UCCA parser that ships, by the convention of the papers on SAMSA and SEMA."""
    from sema_ucca.parser import UccaParser

    return UccaParser(encoder=encoder)


def ucca2(*, encoder: Any) -> SceneExtractor:
    """The same parser by UCCA 2.0, which also reads attributes and possessives as Scenes."""
    from sema_ucca.conventions import UCCA2
    from sema_ucca.parser import UccaParser

    return UccaParser(convention=UCCA2, encoder=encoder)


def dependencies(
    *,
    heads: Annotated[Literal["clauses", "root"], "a Scene for each clause, or one for each sentence"] = "clauses",
    threads: Annotated[int | None, "batches computed beside each other; none: one for each core"] = None,
) -> SceneExtractor:
    """Dependency trees by the parser of all languages."""
    from sema_ud.extraction import DependencyExtractor
    from sema_ud.parser import UniversalParser

    return DependencyExtractor("en", UniversalParser("en", threads=threads), heads=heads)


def function_words() -> Collection[str]:
    """Articles, prepositions, auxiliaries and the like, and pronouns."""
    from sema_english.relations import FUNCTION_WORDS

    return FUNCTION_WORDS


def cross_encoder(
    *, threads: Annotated[int | None, "batches computed beside each other; none: one for each core"] = None
) -> CrossEncoder:
    """Source and output in one pass; what both state in different notation is read in the source's."""
    from sema_reader.shipped import reader

    from sema_english.notation.matches import matches

    return reader(notation=matches, threads=threads)


def data() -> Sequence[Path]:
    """The word tables."""
    return (Path(__file__).parent / "tables",)


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
        segmenter="sema_english.segmentation:EnglishSegmenter",
        models="its own UCCA parser",
        extractors={"ucca": ucca, "ucca2": ucca2, "tupa": "sema_ucca.tupa:TupaExtractor", "ud": dependencies},
        aligners={
            "rules": "sema_english.relations:rule_aligner",
            "learned": LEARNED,
            "exact": ExactAligner,
            **simalign_aligners(_relations),
        },
        lexicon="sema_english.relations:english_lexicon",
        encoder="sema_ucca.encoder:UccaEncoder",
        token_encoder="sema_ucca.token_encoder:UccaTokenEncoder",
        probabilistic_aligner=LEARNED,
        cross_encoder=cross_encoder,
        function_words=function_words,
        wording="sema_english.wording:wording_reader",
        words="sema_english.words:word_table",
        features=FEATURES,
        metrics=METRICS,
        data=data,
        judges=Path(__file__).parent / "weights" / "judges",
        scripts=("LATIN",),
        levels="sema_english.levels.cefr:english_levels",
    )
