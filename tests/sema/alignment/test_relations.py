from sema_english import relations as english

from sema.alignment import LinkKind
from sema.alignment.relations import Shape, WordRelations


def test_kind_is_the_surest_relation() -> None:
    relations = english.relations()
    assert relations.kind("Dog", "Dog") is LinkKind.EXACT
    assert relations.kind("Dog", "dog") is LinkKind.FORM
    assert relations.kind("dog", "dogs") is LinkKind.FORM
    assert relations.kind("buy", "purchase") is LinkKind.SYNONYM
    assert relations.kind("kill", "murder") is LinkKind.PARAPHRASE
    assert relations.kind("poodle", "dog") is LinkKind.HYPONYMY
    assert relations.kind("dog", "poodle") is None
    assert relations.kind("of", "in") is None


def test_links_of_other_methods_get_true_kinds() -> None:
    relations = english.relations()
    assert relations.classify("buy", "purchased") is LinkKind.SYNONYM
    assert relations.classify("dog", "piano") is LinkKind.CONTEXTUAL
    assert relations.classify("13", "30") is None
    assert relations.classify("13", "thirteen") is LinkKind.FORM
    assert relations.conflict("two", "3") and not relations.conflict("two", "dogs")


def test_related_words_hold_every_kind() -> None:
    relations = english.relations(reverse_hyponymy=True)
    sources = ["Dog", "ran", "bought", "kill", "poodle", "drink", "two", "of", ",", "13"]
    outputs = ["dog", "run", "purchase", "murder", "beer", "2", "of", ",", "thirteen", "cat", "in"]
    related = relations.related(sources, outputs)
    for source in sources:
        for output in outputs:
            if relations.kind(source, output) is not None:
                assert output in related[source]
    assert related["Dog"].isdisjoint({"purchase", "murder", "2", ","})


def test_shape_relates_words_that_share_characters() -> None:
    shape = Shape(keys=frozenset, alike=lambda first, second: set(first) < set(second) or set(second) < set(first))
    relations = WordRelations(shape=shape)
    assert relations.kind("中学", "高级中学") is LinkKind.FORM
    assert relations.kind("中学", "大学") is None
    assert relations.related(["中学"], ["高级中学", "狗"])["中学"] == {"高级中学"}
