import numpy as np
from sema_ud.lemmas import FILE, Lemmas, Script

from tests.cases import cases


@cases("any/lemmas")
def test_words_that_no_treebank_has(code: str, forms: tuple[str, ...], lemma: str) -> None:
    assert {Lemmas.of(code).lemma(form) for form in forms} == {lemma}


def test_every_language_of_the_table_has_function_words() -> None:
    codes = np.load(FILE).files
    assert len(codes) == 30
    assert [code for code in codes if len(Lemmas.of(code).function_words) < 20] == []
    assert {"der", "und", "nicht"} <= Lemmas.of("de").function_words and "haus" not in Lemmas.of("de").function_words
    assert {"的", "和"} <= Lemmas.of("zh").function_words
    assert Lemmas.of("es").stemmer is None and Lemmas.of("es").key("casas") == "casa"
    assert Lemmas.of("id").stemmer == "indonesian"  # stems follow lemmas where that was better
    rules = {"": {"en": Script("", "", "en", "e")}}
    assert Lemmas(rules, stemmer="english").key("housen") == "hous" and Lemmas(rules).key("housen") == "house"
