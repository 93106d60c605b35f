"""Words are linked to the classes above them, in English and in Chinese."""

import pytest
from sema_chinese import relations as chinese
from sema_english import relations as english

from sema.model.links import LinkKind
from tests.cases import cases


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


@pytest.mark.parametrize(
    ("lang", "word", "wider", "steps", "fewer"),
    [
        ("en", "cat", "animal", 7, 6),
        ("en", "beer", "drink", 3, 0),
        ("zh", "老虎", "动物", 8, 3),
        ("zh", "苹果", "水果", 8, 1),
    ],
)
def test_the_number_of_steps_can_be_limited(lang: str, word: str, wider: str, steps: int, fewer: int) -> None:
    assert hyponymy(lang, word, wider, hyponymy_depth=steps)
    assert not hyponymy(lang, word, wider, hyponymy_depth=fewer)
    assert "hyponymy:up:6" in english.rule_aligner(hyponymy_depth=6).signature


@pytest.mark.parametrize(("name", "sense", "place"), [("Berlin", "car", "city"), ("Turkey", "bird", "country")])
def test_names_have_no_common_noun_s_senses(name: str, sense: str, place: str) -> None:
    """A capital alone makes no name."""
    assert not hyponymy("en", name, sense) and hyponymy("en", name.lower(), sense)
    assert hyponymy("en", name, place)
    assert hyponymy("en", "Beer", "drink") and hyponymy("en", "Nice", "city") and not hyponymy("en", "Beer", "car")
