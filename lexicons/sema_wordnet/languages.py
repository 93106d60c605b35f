"""The languages with an index, and the wordnets of the Open Multilingual Wordnet 1.2 that each is made of.

Their licences allow changes and redistribution: ``data/CARD.md`` has names, authors and licences.
"""

from __future__ import annotations

import unicodedata

_FILES = """
    ar arb; bg bul; ca cat; cs ces_wikt; da dan; de deu_wikt; el ell; es spa_wikt; eu eus;
    fi fin_wikt; fr fra; gl glg; he heb; hi hin_wikt; hr hrv; hu hun_wikt; id ind; is isl;
    it ita ita_iwn; ja jpn_wikt; ko kor_wikt; lt lit; ms zsm; nl nld; nn nno; no nob; pl pol;
    pt por; ro ron_wikt; ru rus_wikt; sk slk; sl slv; sq als; sv swe; th tha_wikt; tr tur_wikt;
    uk ukr_wikt; vi vie_wikt
"""
WORDNETS = {code: tuple(files) for code, *files in map(str.split, _FILES.split(";"))}
"""Files of the Open Multilingual Wordnet by the language's code (ISO 639-1)."""

LANGUAGES = tuple(sorted(["en", "zh", *WORDNETS]))
"""The codes of all languages with an index."""


def folded(word: str) -> str:
    """The form by which a word is looked up: lower case, composed, without the vowel points of Hebrew and Arabic."""
    if word.isascii():
        return word.lower()
    lowered = unicodedata.normalize("NFC", word.lower())
    return "".join(char for char in lowered if unicodedata.combining(char) not in _POINTS)


_POINTS = range(10, 37)
"""The combining classes that Unicode gives to the points of Hebrew, Arabic and Syriac, which texts mostly leave out."""
