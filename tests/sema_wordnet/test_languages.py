import pytest
from sema_wordnet import WordNetLexicon
from sema_wordnet.languages import LANGUAGES, WORDNETS, folded
from sema_wordnet.lexicon import DATA

from sema.errors import UnknownNameError
from sema.model.lexicon import IndexedLexicon
from tests.cases import cases


def test_every_language_has_an_index_and_every_index_a_language() -> None:
    for code in LANGUAGES:
        lexicon = WordNetLexicon.of(code)
        assert isinstance(lexicon, IndexedLexicon) and (code in lexicon.signature or code in ("en", "zh"))
    assert sorted(file.stem for file in DATA.glob("??.npz")) == sorted(WORDNETS)
    assert sum(file.stat().st_size for file in DATA.glob("??.npz")) < 6_500_000
    with pytest.raises(UnknownNameError, match="unknown language of a wordnet 'fa'"):
        WordNetLexicon.of("fa")


@cases("wordnet/wider")
def test_hyponymy_has_one_direction(code: str, word: str, wider: str) -> None:
    lexicon = WordNetLexicon.of(code)
    assert lexicon.is_hyponym(word, wider, depth=20) and not lexicon.is_hyponym(wider, word, depth=20)


@cases("wordnet/synonyms")
def test_synonyms_share_a_usual_sense(code: str, first: str, second: str) -> None:
    lexicon = WordNetLexicon.of(code)
    assert lexicon.are_synonyms(first, second) and lexicon.are_synonyms(second, first)


def test_a_rare_sense_makes_no_synonyms() -> None:
    french = WordNetLexicon.of("fr")
    assert french.reading(share=0.0).are_synonyms("trouver", "penser")
    assert not french.are_synonyms("trouver", "penser")
    assert french.signature != french.reading(share=0.1).signature


def test_points_of_hebrew_and_arabic_are_left_out_and_others_kept() -> None:
    assert folded("כֶּלֶב") == "כלב" and folded("كَتَب") == "كتب"
    assert folded("Été") == folded("E\u0301te\u0301") == "été"
    assert folded("ทำ") == "ทำ" and folded("हिन्दी") == "हिन्दी" and folded("йод") == "йод"
