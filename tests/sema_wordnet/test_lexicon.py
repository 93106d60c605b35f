import subprocess
import sys
from functools import cache

import pytest
from sema_chinese import relations as chinese
from sema_english import relations as english
from sema_wordnet import ClassLimits, WordNetLexicon
from sema_wordnet.languages import LANGUAGES, WORDNETS, folded
from sema_wordnet.lexicon import DATA
from sema_wordnet.morphology import ADJECTIVE, ADVERB, VERB

from sema.errors import UnknownNameError
from sema.model.lexicon import IndexedLexicon
from sema.model.links import LinkKind
from tests.cases import cases
from tests.commands import environment


@cache
def lexicon() -> WordNetLexicon:
    return WordNetLexicon.english()


@cases("en/lemmas")
def test_forms_have_their_lemmas(word: str, lemma: str) -> None:
    assert lemma in lexicon().lemmas(word)


def test_a_word_has_the_parts_of_speech_of_all_its_lemmas() -> None:
    assert lexicon().parts_of_speech("Discovered") == {VERB, ADJECTIVE}
    assert lexicon().parts_of_speech("fairly") == {ADVERB} and not lexicon().parts_of_speech("qwertyish")


def test_lemmas_do_not_overreach_and_limits_are_in_the_signature() -> None:
    assert lexicon().lemmas("bias") == {"bias"}
    assert "a" not in lexicon().lemmas("as")
    assert lexicon().lemmas("qwertyish") == frozenset()
    assert by_class().signature != lexicon().reading(names=True).signature
    assert by_class().signature != lexicon().reading(names=True, classes=ClassLimits(share=0.2)).signature


@cases("en/no_synonyms")
def test_words_without_a_common_sense_are_no_synonyms(first: str, second: str) -> None:
    assert not lexicon().are_synonyms(first, second)


@pytest.mark.parametrize("root", ["entity", "object", "thing", "abstraction", "whole"])
def test_roots_are_too_abstract(root: str) -> None:
    for word in ("dog", "hammer", "idea", "rock", "animal", "physical entity"):
        assert not lexicon().is_hyponym(word, root, depth=20)


@cache
def by_class() -> WordNetLexicon:
    return lexicon().reading(names=True, classes=ClassLimits())


def test_index_is_small_and_read_lazily() -> None:
    assert sum(file.stat().st_size for file in DATA.glob("*.npz")) < 9_000_000
    code = "import sys, sema_english.relations as e; e.rule_aligner(); print({'nltk'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    assert done.stdout == "set()\n"


def hyponymy(lang: str, word: str, wider: str, **options: int) -> bool:
    """Whether a word is linked to a wider one, and to nothing else."""
    aligner = (english if lang == "en" else chinese).rule_aligner(**options)
    (links,) = aligner.align([((word,), (wider,))])
    return [link.kind for link in links] == [LinkKind.HYPONYMY]


@cases("wordnet/classes")
def test_each_class_is_reached_from_its_own_distance(lang: str, word: str, wider: str) -> None:
    """A cat is an animal seven steps up, a doctor a person five; 老虎 one eight, 教师 a person four."""
    assert hyponymy(lang, word, wider)


@cases("wordnet/no_classes")
def test_rare_senses_and_abstract_classes_are_not_linked(lang: str, word: str, other: str) -> None:
    assert not hyponymy(lang, word, other)


@pytest.mark.parametrize(("lang", "word", "wider", "steps"), [("en", "cat", "animal", 7), ("zh", "苹果", "水果", 2)])
def test_the_number_of_steps_can_be_limited(lang: str, word: str, wider: str, steps: int) -> None:
    assert hyponymy(lang, word, wider, hyponymy_depth=steps)
    assert not hyponymy(lang, word, wider, hyponymy_depth=steps - 1)
    assert "hyponymy:up:6" in english.rule_aligner(hyponymy_depth=6).signature


@pytest.mark.parametrize(("name", "sense", "place"), [("Berlin", "car", "city"), ("Turkey", "bird", "country")])
def test_names_have_no_common_noun_s_senses(name: str, sense: str, place: str) -> None:
    """A capital alone makes no name."""
    assert not hyponymy("en", name, sense) and hyponymy("en", name.lower(), sense)
    assert hyponymy("en", name, place)
    assert hyponymy("en", "Beer", "drink") and hyponymy("en", "Nice", "city") and not hyponymy("en", "Beer", "car")


def test_every_language_has_an_index_and_every_index_a_language() -> None:
    for code in LANGUAGES:
        lexicon = WordNetLexicon.of(code)
        assert isinstance(lexicon, IndexedLexicon) and (code in lexicon.signature or code in ("en", "zh"))
    assert sorted(file.stem for file in DATA.glob("??.npz")) == sorted(WORDNETS)
    with pytest.raises(UnknownNameError, match="unknown language 'fa' of a wordnet"):
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
