from hypothesis import given
from hypothesis import strategies as st
from sema_english import relations as english

from sema.alignment import LinkKind
from sema.alignment.keys import sharing
from sema.alignment.relations import Shape, WordRelations, packed


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
        assert {output for output in outputs if relations.kind(source, output) is not None} <= set(related[source])
    assert related["Dog"].isdisjoint({"purchase", "murder", "2", ","})


def test_shape_relates_words_that_share_characters() -> None:
    shape = Shape(keys=frozenset, alike=lambda first, second: set(first) < set(second) or set(second) < set(first))
    relations = WordRelations(shape=shape)
    assert relations.kind("中学", "高级中学") is LinkKind.FORM
    assert relations.kind("中学", "大学") is None
    assert relations.related(["中学"], ["高级中学", "狗"])["中学"] == {"高级中学"}


KEYS = st.sets(
    st.one_of(st.integers(-9, 9), st.sampled_from("abc"), st.tuples(st.integers(0, 2), st.sampled_from("ab")))
)


@given(st.lists(KEYS, max_size=6), st.lists(KEYS, max_size=6))
def test_what_shares_a_key_is_found(asking: list[set[object]], waiting: list[set[object]]) -> None:
    found = sharing(list(map(packed, asking)), list(map(packed, waiting)))
    hashes = [set(map(hash, keys)) for keys in waiting]  # -1 and -2 have one hash
    assert found == [[n for n, own in enumerate(hashes) if own & set(map(hash, keys))] for keys in asking]


