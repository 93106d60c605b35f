"""Abbreviations and kindred words, in a toy language whose words abbreviate by their first letters."""

from collections.abc import Sequence

from sema_chinese.completions import Completions

from sema.alignment import Link, LinkKind
from sema.alignment.relations import WordRelations
from sema.alignment.rules import RuleAligner
from tests.cases import cases


def abbreviates(word: str, run: Sequence[str]) -> bool:
    return len(word) == len(run) and all(letter == long[0] != long for letter, long in zip(word, run, strict=True))


RELATIONS = WordRelations(function_words=["of", "and"])
STEPS = Completions(RELATIONS, frozenset, abbreviates, lambda first, second: first[:4] == second[:4]).steps
ALIGNER = RuleAligner(RELATIONS, STEPS)


def links(source: str, output: str) -> set[Link]:
    return set(ALIGNER.align([(source.split(), output.split())])[0])


@cases("zh/abbreviations")
def test_abbreviations_are_linked_as_forms(source: str, output: str, link: list[tuple[int, int]]) -> None:
    forms = {(found.source, found.output) for found in links(source, output) if found.kind is LinkKind.FORM}
    assert forms == set(link)


def test_kindred_words_need_linked_neighbours_on_both_sides() -> None:
    assert Link(1, 1, LinkKind.CONTEXTUAL) in links("we considered it", "we considering it")
    assert Link(2, 2, LinkKind.CONTEXTUAL) in links("we slowly considered", "we quickly considering")
    assert not [link for link in links("we considered it", "considering then came we it") if link.kind != "exact"]
    assert not [link for link in links("we considered it", "we came home considering it") if link.kind != "exact"]


def test_neighbours_may_both_be_replaced() -> None:
    linked = links("we considered departing now", "we considering departure now")
    assert {Link(1, 1, LinkKind.CONTEXTUAL), Link(2, 2, LinkKind.CONTEXTUAL)} <= linked
