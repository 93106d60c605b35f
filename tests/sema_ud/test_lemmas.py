"""Lemmas by edit scripts: learned from given words, and those of the table that ships."""

from collections import Counter

import numpy as np
from sema_ud.lemmas import FILE, Lemmas, Script, plain, read, written

from tests.cases import cases
from training.trees.lemmas import Part, learn

ENGLISH = {"walks": "walk", "talks": "talk", "cats": "cat", "sees": "see", "walked": "walk", "talked": "talk",
           "bus": "bus", "went": "go", "is": "be", "a": "a"}  # fmt: skip


def learned(lemmas: dict[str, str], tag: str = "VERB") -> Lemmas:
    part = Part()
    for form, lemma in lemmas.items():
        part.lemmas[form][lemma] += 3
        part.tags[form][tag] += 3
    return learn(part)


def test_regular_forms_are_read_by_their_beginnings_and_endings_and_others_whole() -> None:
    lemmas = learned(ENGLISH)
    forms = ("jumps", "Jumped", "went", "bus", "is")
    assert list(map(lemmas.lemma, forms)) == ["jump", "jump", "go", "bus", "be"]
    stems = ("kauf", "leb", "mach", "sag", "frag", "hör", "lern", "spiel", "wohn", "zeig")
    german = learned({f"ge{stem}t": f"{stem}en" for stem in stems} | {f"{stem}t": f"{stem}en" for stem in stems})
    assert german.lemma("gesucht") == "suchen" == german.lemma("sucht")
    assert plain("مِن") == "من" and plain("İstanbul") == "istanbul" and plain("कि") == "कि"


def test_words_of_closed_classes_are_function_words_and_a_table_is_read_as_it_was_written() -> None:
    tags = {"the": Counter(DET=5), "that": Counter(SCONJ=2, DET=1, ADV=1), "she": Counter(PRON=5)}
    tags |= {"house": Counter(NOUN=5), "rare": Counter(DET=1)}
    part = Part()
    part.tags.update(tags)
    assert learn(part).function_words == {"the", "that"}
    lemmas = learned(ENGLISH, "AUX")
    again = read(written(lemmas))
    assert (again.endings, again.function_words, again.stemmer) == (lemmas.endings, lemmas.function_words, None)


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
