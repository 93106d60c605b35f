"""Abbreviations and kindred words, in a toy language whose words abbreviate by their first letters."""

from collections.abc import Sequence

import pytest
from sema_chinese.completions import Likeness, completions

from sema.alignment import Link, LinkKind
from sema.alignment.relations import WordRelations
from sema.alignment.rules import RuleAligner
from tests.cases import cases


def abbreviates(word: str, run: Sequence[str]) -> bool:
    return len(word) == len(run) and all(letter == long[0] != long for letter, long in zip(word, run, strict=True))


RELATIONS = WordRelations(function_words=["of", "and"])
LIKENESS = Likeness(frozenset, abbreviates, lambda first, second: first[:4] == second[:4])
ALIGNER = RuleAligner(RELATIONS, completions(RELATIONS, LIKENESS))


def links(source: str, output: str) -> set[Link]:
    return set(ALIGNER.align([(source.split(), output.split())])[0])


@cases("zh/abbreviations")
def test_abbreviations_are_linked_as_forms(source: str, output: str, link: list[tuple[int, int]]) -> None:
    forms = {(found.source, found.output) for found in links(source, output) if found.kind is LinkKind.FORM}
    assert forms == set(link)


@pytest.mark.parametrize(
    ("source", "output", "pairs"),
    [
        ("we considered it", "we considering it", [(1, 1)]),
        ("we slowly considered", "we quickly considering", [(2, 2)]),
        ("we considered departing now", "we considering departure now", [(1, 1), (2, 2)]),
        ("we considered it", "considering then came we it", []),
        ("we considered it", "we came home considering it", []),
    ],
)
def test_kindred_words_need_linked_neighbours_on_both_sides(
    source: str, output: str, pairs: list[tuple[int, int]]
) -> None:
    found = {link for link in links(source, output) if link.kind is not LinkKind.EXACT}
    assert found >= {Link(*pair, LinkKind.CONTEXTUAL) for pair in pairs} and bool(found) == bool(pairs)
