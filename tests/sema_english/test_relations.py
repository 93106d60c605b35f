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


def test_the_depth_of_wider_words_is_an_option() -> None:
    from sema_english.relations import relations

    from sema.model.links import LinkKind

    assert relations().kind("dog", "animal") is LinkKind.HYPONYMY
    assert relations(hyponymy_depth=1).kind("dog", "animal") is None
    assert relations(hyponymy_depth=0).kind("poodle", "dog") is None


def hyponymy(source: str, output: str, **options: int) -> bool:
    (links,) = relations.rule_aligner(**options).align([([source], [output])])
    return [link.kind for link in links] == [LinkKind.HYPONYMY]


@pytest.mark.parametrize(("name", "sense", "place"), [("Berlin", "car", "city"), ("Turkey", "bird", "country")])
def test_names_have_no_common_noun_s_senses(name: str, sense: str, place: str) -> None:
    assert not hyponymy(name, sense) and hyponymy(name.lower(), sense)
    assert hyponymy(name, place)


def test_a_capital_alone_makes_no_name() -> None:
    assert hyponymy("Beer", "drink") and hyponymy("Nice", "city") and not hyponymy("Beer", "car")


def test_how_far_hyponymy_goes_is_an_option() -> None:
    """A carrot is food four steps up; an instrument that is played is the word's sixth sense."""
    assert not hyponymy("carrot", "food") and hyponymy("carrot", "food", hyponymy_depth=4)
    near = {"first_sense": False}
    assert not hyponymy("violin", "instrument", **near) and hyponymy("violin", "instrument", senses=8, **near)
    assert not hyponymy("teacher", "person", hyponymy_depth=4, **near)
    assert hyponymy("teacher", "person", hyponymy_depth=4, hyponymy_floor=3)
    assert not hyponymy("dog", "thing", hyponymy_depth=8, hyponymy_floor=3, **near)
    assert not hyponymy("beer", "drink", senses=2, **near) and not hyponymy("beer", "drink", hyponymy_depth=0)
    assert "senses:8/2" in relations.rule_aligner(senses=2).signature


@pytest.mark.parametrize(
    ("source", "output", "kind"),
    [
        ("teacher", "person", LinkKind.HYPONYMY),
        ("violin", "instrument", LinkKind.HYPONYMY),
        ("China", "Chinese", LinkKind.PARAPHRASE),
        ("China", "porcelain", None),
        ("porcelain", "China", None),
        ("Ford", "crossing", None),
        ("Turkey", "bird", None),
        ("March", "walk", None),
        ("march", "walk", LinkKind.PARAPHRASE),
        ("may", "May", LinkKind.FORM),
        ("May", "hawthorn", None),
    ],
)
def test_names_are_no_common_nouns_and_first_senses_reach_further(
    source: str, output: str, kind: LinkKind | None
) -> None:
    linked = relations.rule_aligner().align([((source,), (output,))])[0]
    assert [link.kind for link in linked] == ([] if kind is None else [kind])


def test_the_first_sense_s_reach_can_be_switched_off() -> None:
    near = relations.rule_aligner(first_sense=False)
    assert near.signature != relations.rule_aligner().signature
    for words in (("teacher", "person"), ("violin", "instrument")):
        assert not near.align([((words[0],), (words[1],))])[0]
        assert not relations.rule_aligner(hyponymy_depth=0).align([((words[0],), (words[1],))])[0]
