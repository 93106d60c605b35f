"""What English words stand for, and how the aligner's word relations see them."""

import pytest
from sema_english import relations

from sema.model.links import LinkKind
from tests.cases import cases


@cases("en/number_values")
def test_numerals_have_their_values(word: str, value: object) -> None:
    assert relations.number_value(word) == value


@cases("en/main_verbs")
def test_function_words_that_are_main_verbs(source: str, output: str, pair: tuple[str, str]) -> None:
    texts = source.split(), output.split()
    (links,) = relations.rule_aligner().align([texts])
    place = texts[0].index(pair[0]), texts[1].index(pair[1])
    assert any((link.source, link.output) == place for link in links)


@cases("en/auxiliaries")
def test_auxiliaries_and_prepositions_stay_what_they_are(source: str, output: str) -> None:
    texts = source.split(), output.split()
    (links,) = relations.rule_aligner().align([texts])
    between = {(texts[0][link.source], texts[1][link.output]) for link in links if link.kind is not LinkKind.EXACT}
    assert between <= {("gone", "went")}


def hyponymy(source: str, output: str, **options: int) -> bool:
    (links,) = relations.rule_aligner(**options).align([([source], [output])])
    return [link.kind for link in links] == [LinkKind.HYPONYMY]


@pytest.mark.parametrize(("name", "sense", "place"), [("Berlin", "car", "city"), ("Turkey", "bird", "country")])
def test_names_have_no_common_noun_s_senses(name: str, sense: str, place: str) -> None:
    assert not hyponymy(name, sense) and hyponymy(name.lower(), sense)
    assert hyponymy(name, place)


def test_a_capital_alone_makes_no_name() -> None:
    assert hyponymy("Beer", "drink") and hyponymy("Nice", "city") and not hyponymy("Beer", "car")


@cases("en/classes")
def test_each_class_is_reached_from_its_own_distance(word: str, wider: str) -> None:
    """A cat is an animal seven steps up, a doctor a person five."""
    assert hyponymy(word, wider)


@cases("en/no_classes")
def test_rare_senses_and_abstract_classes_are_not_linked(word: str, other: str) -> None:
    assert not hyponymy(word, other)


def test_the_number_of_steps_can_be_limited() -> None:
    assert hyponymy("cat", "animal", hyponymy_depth=7) and not hyponymy("cat", "animal", hyponymy_depth=6)
    assert hyponymy("beer", "drink", hyponymy_depth=3) and not hyponymy("beer", "drink", hyponymy_depth=0)
    assert "hyponymy:up:6" in relations.rule_aligner(hyponymy_depth=6).signature


@cases("en/names")
def test_names_are_no_common_nouns(source: str, output: str, kind: str | None) -> None:
    linked = relations.rule_aligner().align([((source,), (output,))])[0]
    assert [link.kind for link in linked] == ([] if kind is None else [kind])
