"""English for the engine: which segmenter, extractors, aligners, lexicon and encoder go together under ``en``.

Each part is imported when it is built, so that importing this module loads no model.
"""

from __future__ import annotations

from pathlib import Path

from sema_ud.languages import trees

from sema.alignment.exact import ExactAligner
from sema.alignment.simalign import simalign_aligners
from sema.model.language import Language

HOME = Path(__file__).parent
FEATURES = {
    "form": "sema_english.features.form:Form",
    "readability": "sema_english.features.readability:Readability",
    "lexical": "sema_english.features.lexical:Lexical",
    "substitutions": "sema_english.features.lexical:Substitutions",
    "language_model": "sema_english.features.language_model:LanguageModels",
    "joints": "sema_english.features.language_model:Joints",
    "clauses": "sema_english.features.form:Clauses",
    "reading": "sema_english.features.reading:Reading",
    "qats": "sema_english.features.statements:Qats",
}
LEARNED = "sema_english.aligner:learned_aligner"
METRICS = {
    "flesch": "sema_english.readability:Flesch",
    "fkgl": "sema_english.readability:Fkgl",
    "fk": "sema_english.readability:Fk",
    "fkbleu": "sema_english.readability:Fkbleu",
    "fkbleu_paper": "sema_english.readability:FkbleuPaper",
    "fkbleu_printed": "sema_english.readability:FkbleuPrinted",
}


def english() -> Language:
    """English: the shipped UCCA parser by either convention, TUPA or Stanza's models; links by rules or learned."""
    return Language(
        "en",
        "English",
        segmenter="sema_english.segmentation:EnglishSegmenter",
        models="its own UCCA parser",
        extractors={
            "ucca": "sema_ucca.parser:UccaParser",
            "ucca2": "sema_ucca.parser:ucca2_parser",
            "tupa": "sema_ucca.tupa:TupaExtractor",
            "ud": trees("en"),
        },
        aligners={
            "rules": "sema_english.relations:rule_aligner",
            "learned": LEARNED,
            "exact": ExactAligner,
            **simalign_aligners("sema_english.relations:relations"),
        },
        lexicon="sema_english.relations:english_lexicon",
        encoder="sema_ucca.encoder:UccaEncoder",
        token_encoder="sema_ucca.encoder:UccaTokenEncoder",
        probabilistic_aligner=LEARNED,
        cross_encoder="sema_english.notation.matches:cross_encoder",
        function_words="sema_english.relations:function_words",
        wording="sema_english.wording:EnglishWording",
        words="sema_english.words:word_table",
        features=FEATURES,
        metrics=METRICS,
        data=lambda: (HOME / "tables",),
        judges=HOME / "weights" / "judges",
        scripts=("LATIN",),
        levels="sema_english.levels.cefr:EnglishLevels",
    )
