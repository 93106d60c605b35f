"""Links by rules: which words are related, and which of them are linked."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sema_english import relations as english

from sema.alignment.exact import ExactAligner
from sema.alignment.relations import WordRelations
from sema.alignment.rules import RuleAligner
from sema.model.links import LinkKind
from tests.cases import cases


@cache
def aligner() -> RuleAligner:
    return english.rule_aligner()


def links(source: str, output: str, rules: RuleAligner | None = None) -> set[tuple[int, int, str]]:
    linked_words = (rules or aligner()).align([(source.split(), output.split())])[0]
    return {(link.source, link.output, link.kind.value) for link in linked_words}


def words(source: str, output: str) -> set[tuple[str, str, str]]:
    first, second = source.split(), output.split()
    return {(first[i], second[j], kind) for i, j, kind in links(source, output)}


def test_call_is_not_called_where_both_stand() -> None:
    source = "John got home and gave Mary a call ."
    assert links(source, "John got home .") == {(0, 0, "exact"), (1, 1, "exact"), (2, 2, "exact"), (8, 3, "exact")}
    places = ((0, 0), (4, 1), (5, 2), (6, 3), (7, 4), (8, 5))
    assert links(source, "John gave Mary a call .") == {(*place, "exact") for place in places}


@cases("en/links")
def test_links_have_the_kind_of_their_relation(source: str, output: str, link: tuple[str, str, str]) -> None:
    assert link in words(source, output)


@cases("en/never_linked")
def test_unrelated_words_are_not_linked(source: str, output: str) -> None:
    first, second = source.split(), output.split()
    rows = {(first[i], second[j]) for i, j, _ in links(source, output)}
    different = {(a, b) for a in first for b in second if english.stem(a) != english.stem(b)}
    assert rows.isdisjoint(different)


def test_reverse_hyponymy_is_an_option() -> None:
    both = english.rule_aligner(reverse_hyponymy=True)
    assert links("he had a drink", "he had a beer", both) >= {(3, 3, "hyponymy")}
    assert (3, 3, "hyponymy") not in links("he had a drink", "he had a beer")
    assert both.signature != aligner().signature and "wordnet-3.0" in both.signature and "ppdb" in both.signature


def test_neighbours_decide_between_repeated_words() -> None:
    source = "the old man saw the young man"
    assert {(6, 2, "exact"), (5, 1, "exact")} <= links(source, "the young man slept")
    assert {(2, 2, "exact"), (1, 1, "exact")} <= links(source, "the old man slept")
    assert (0, 0, "exact") in links(source, "the old man slept")
    assert (4, 0, "exact") in links(source, "the young man slept")


def test_function_words_need_evidence() -> None:
    assert links("the cat of the king", "the dog in the park") == links("The dog slept .", "The end .") == set()
    assert links("the cat of the king", "a song of the king") == {(2, 2, "exact"), (3, 3, "exact"), (4, 4, "exact")}
    for sentence in ("Why not ?", "...", "? !"):  # of function words alone, found in its copy
        assert {(i, j) for i, j, _ in links(sentence, sentence)} == {(k, k) for k in range(len(sentence.split()))}


def test_hyponymy_needs_texts_that_correspond() -> None:
    """One link of other content words for every five of the output's."""
    assert words("the cat climbs trees", "our animal likes warm milk , fresh fish and deep sleep") == set()


@pytest.mark.parametrize(
    ("output", "nearest"),
    [("She keeps mammals , carnivores and animals .", "carnivores"),
     ("She keeps animals , mammals and carnivores .", "mammals")],
)  # fmt: skip
def test_a_word_joins_the_nearest_of_the_wider_words(output: str, nearest: str) -> None:
    """In every process: as words come out of a set, one of the outputs would have another link."""
    assert ("wolves", nearest, "hyponymy") in words("She keeps dogs , cats , wolves and foxes .", output)


def test_of_joined_words_that_need_the_same_word_the_first_is_linked() -> None:
    source = "a note book store"
    assert {("note", "notebook", "form"), ("book", "notebook", "form")} <= words(source, "a notebook bookstore")
    assert {("book", "bookstore", "form"), ("store", "bookstore", "form")} <= words(source, "a bookstore notebook")
    assert {("notebook", "book", "form")} <= words("a notebook bookstore", source)


def test_without_a_lexicon_or_language() -> None:
    rules = RuleAligner(WordRelations())
    assert links("La Hundo kuras", "la hundo dormas", rules) == {(0, 0, "form"), (1, 1, "form")}
    repeated = " ".join(["word"] * 600)  # each links to its own place
    assert links(repeated, repeated, rules) == {(index, index, "exact") for index in range(600)}


SOME = "the The dog dogs cat animal ran run 13 thirteen 14 , . well known well-known beer drink \x00 é"
TOKENS = st.lists(st.sampled_from(SOME.split(" ")), max_size=12)


@given(TOKENS, TOKENS)
@settings(max_examples=60, deadline=None)
def test_links_are_sorted_and_one_to_a_source_word(source: list[str], output: list[str]) -> None:
    pair = (source, output)
    linked_words = aligner().align([pair])[0]
    assert linked_words == sorted(linked_words)
    assert len({link.source for link in linked_words}) == len(linked_words)
    assert all(0 <= link.source < len(source) and 0 <= link.output < len(output) for link in linked_words)
    assert all((link.kind is LinkKind.EXACT) == (source[link.source] == output[link.output]) for link in linked_words)
    beside = aligner().align([(["dog"], ["cat"]), pair, pair])[1:]
    assert beside == [linked_words, linked_words], "pairs do not see each other"


CONTENT = ("dog", "saw", "cat", "13", "it")


@given(st.lists(st.sampled_from([*CONTENT, "the", "a", "of", ",", "."]), min_size=1, max_size=15))
@settings(max_examples=50, deadline=None)
def test_identical_sentences_align_word_for_word(sentence: list[str]) -> None:
    linked_words = aligner().align([(sentence, sentence)])[0]
    if content := {i for i, word in enumerate(sentence) if word in CONTENT}:
        assert {i for i, *_ in linked_words} >= content
        assert all(i == j for i, j, *_ in linked_words)


def test_roles_relate_words_of_grammar() -> None:
    roles = {"and": [1], "plus": [1], "of": [2]}
    relations = WordRelations(function_words=["and", "plus", "of"], roles=roles)
    assert relations.kind("and", "plus") is LinkKind.SYNONYM and relations.kind("and", "of") is None
    assert relations.related(["and"], ["plus", "of"]) == {"and": {"plus"}}
    rules = RuleAligner(relations)
    assert links("he and she", "he plus she", rules) == {(0, 0, "exact"), (1, 1, "synonym"), (2, 2, "exact")}
    assert links("a and b", "c plus d", rules) == set()


def test_copies_are_linked_in_order_and_what_the_source_has_more_of_to_the_last() -> None:
    source, output = ["a", "dog", "saw", "a", "cat", "and", "a", "bird"], ["a", "bird", "saw", "a", "dog"]
    (links,) = ExactAligner().align([(source, output)])
    assert [(link.source, link.output) for link in links] == [(0, 0), (1, 4), (2, 2), (3, 3), (6, 3), (7, 1)]
    assert {link.kind for link in links} == {LinkKind.EXACT}
