"""The Chinese lexicon: the Chinese Open Wordnet and Wiktionary's senses over WordNet 3.0's hypernyms."""

from __future__ import annotations

from sema.model.lexicon import Lexicon
from sema_wordnet.lexicon import WordNetLexicon


def lexicon() -> Lexicon:
    """The Chinese Open Wordnet and Wiktionary's senses, for simplified and traditional words."""
    return WordNetLexicon.chinese()
